// Several validators: each has a key of its own and signs every block, they take turns as creators, and trust follows when
// another set is in charge.

import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCell, writeBoc } from '../../../server/cell/index.ts'
import { createSigner } from '../../../server/devchain/accounts/signing.ts'
import { masterValidators } from '../../../server/devchain/collate/index.ts'
import { validatorSetCell } from '../../../server/devchain/config/index.ts'
import {
  type ConfigChange,
  configOwnerKey,
  configRequest,
  createDevchainLiteServer,
  type Devchain,
  MASTERCHAIN,
  openDevchain,
} from '../../../server/devchain/index.ts'
import { MAX_VALIDATORS } from '../../../server/devchain/validatorCount.ts'
import { type LiteServer, openTrust, validatorListHash } from '../../../server/node/index.ts'
import { blockExtraOf, configParam, loadBlock, storeConfigParam } from '../../../server/tlb/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { hex, openChain, seedOf, temporaryFolder, validatorKeysOf } from './devchains.ts'
import { checkChain } from './lightCheck.ts'

const still = { idleBlockMs: 3_600_000 }
const masterBlocks = ({ head, reader }: Devchain) =>
  Array.from({ length: head().master.id.seqno }, (_, at) => reader.bySeqno(MASTERCHAIN, at + 1)).flatMap(
    (facts) => facts ?? [],
  )

describe('blocks', () => {
  test('default: three validators sign each of them and take turns', async () => {
    const { chain, warnings } = await openChain()
    await chain.control.mine(12)
    expect(new Set(validatorKeysOf(chain).map(hex)).size).toBe(3)
    const creators: string[] = []
    for (const facts of masterBlocks(chain)) {
      const { root, signatures } = await chain.reader.block(facts)
      expect(signatures).toHaveLength(3)
      creators.push(hex(blockExtraOf(loadBlock(openCell(await root()))).createdBy))
    }
    expect(creators.slice(0, 3).toSorted()).toEqual(validatorKeysOf(chain).map(hex).toSorted())
    expect(creators.slice(3)).toEqual(creators.slice(0, -3))
    await checkChain(chain)
    expect(warnings).toEqual([])
  })

  test.each([1, 2, MAX_VALIDATORS])('behavior: %i of them', async (validators) => {
    const { chain } = await openChain({ validators, seed: seedOf(7) })
    await chain.control.mine(2)
    expect(validatorKeysOf(chain)).toHaveLength(validators)
    await checkChain(chain)
  })

  test('behavior: the first key of a seed is that of a single validator', async () => {
    const { chain: one } = await openChain({ validators: 1, seed: seedOf(7) })
    const { chain: three } = await openChain({ seed: seedOf(7) })
    expect(validatorKeysOf(three)[0]).toEqual(validatorKeysOf(one)[0])
  })

  test.each([0, -1, 1.5, MAX_VALIDATORS + 1])('error: %d of them', async (validators) => {
    await expect(openDevchain({ validators })).rejects.toThrow(/^A chain has 1 to 32 validators, not /)
  })
})

describe('a chain that exists already', () => {
  test('behavior: keeps the validators it has', async () => {
    const folder = await temporaryFolder()
    const first = await openDevchain({ folder, validators: 2, ...still })
    const keys = validatorKeysOf(first)
    await first.close()
    const second = await openDevchain({ folder, validators: 5, ...still })
    await second.control.mine(2)
    expect(validatorKeysOf(second)).toEqual(keys)
    await checkChain(second)
    await second.close()
  })

  test('behavior: one written before there were several goes on with its single validator', async () => {
    const folder = await temporaryFolder()
    await mkdir(folder, { recursive: true })
    await cp(join(import.meta.dirname, '../../fixtures/chains/oneValidator'), folder, { recursive: true })
    const chain = await openDevchain({ folder, mining: 'manual' })
    expect(chain.head().master.id.seqno).toBe(4)
    await chain.control.mine(3)
    expect(validatorKeysOf(chain)).toHaveLength(1)
    await follow(chain)
    await chain.close()
    const again = await openDevchain({ folder, mining: 'manual' })
    expect(again.head().master.id.seqno).toBe(7)
    await follow(again)
    await again.close()
  })
})

/** Trusts the head, from the zerostate on, by what a lite server proves. */
async function follow(chain: Devchain): Promise<void> {
  const pool = await createTvmPool({ workers: 1 })
  const lite: LiteServer & { close(): void } = createDevchainLiteServer(chain, { pool })
  try {
    const zerostate = chain.reader.zerostates.master.id
    const kept = { name: 'memory', read: async () => null, write: async () => undefined, close: async () => undefined }
    const trust = await openTrust(lite, { start: { zerostate, block: zerostate }, store: kept })
    const { master } = chain.head()
    expect((await trust.read()).id).toEqual(master.id)
    await trust.close()
  } finally {
    lite.close()
    await pool.close()
  }
}

async function change(chain: Devchain, seqno: number, what: ConfigChange): Promise<void> {
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  const validUntil = chain.reader.moment().master.utime + 1000
  await chain.send(writeBoc(configRequest({ change: what, seqno, validUntil, sign })))
}

describe('another set in charge', () => {
  const weigh = (chain: Devchain, weights: readonly bigint[]) => {
    const set = configParam(chain.reader.moment().master.extra.config, 34)
    const known = [...(set?.list.values() ?? [])]
    const members = weights.flatMap((weight, at) => {
      const one = known[at]
      return one === undefined || weight === 0n ? [] : [{ ...one, weight, adnlAddress: new Uint8Array(32).fill(at) }]
    })
    return { kind: 'parameter', index: 34, value: validatorSetCell(1, 2 ** 32 - 1, members) } as const
  }

  test('default: blocks are signed by it from the next one on, and trust follows over every change', async () => {
    const { chain, warnings } = await openChain({ validators: 5 })
    const rotations = [
      [5n, 4n, 3n, 0n, 0n],
      [1n, 1n, 9n, 0n, 0n],
      [7n, 2n, 0n, 0n, 0n],
    ]
    const sizes: number[] = []
    for (const [seqno, weights] of rotations.entries()) {
      await change(chain, seqno, weigh(chain, weights))
      await chain.control.mine(3)
      sizes.push(validatorKeysOf(chain).length)
    }
    expect(sizes).toEqual([3, 3, 2])
    expect(masterBlocks(chain).filter(({ isKey }) => isKey)).toHaveLength(1 + rotations.length)
    await checkChain(chain)
    await follow(chain)
    expect(warnings).toEqual([])
  })

  test('behavior: where the masterchain shuffles them, its states name those of their catchain', async () => {
    const { chain } = await openChain({ validators: 5 })
    const catchain = configParam(chain.reader.moment().master.extra.config, 28)
    if (catchain?.form !== 'v2') throw new Error('No catchain parameters')
    const value = storeConfigParam(28, { ...catchain, shuffleMasterValidators: true })
    await change(chain, 0, { kind: 'parameter', index: 28, value })
    await chain.control.mine(2)
    const { extra, master } = chain.reader.moment().master
    const { listHashShort, catchainSeqno } = master.validatorInfo
    expect(listHashShort).toBe(validatorListHash(masterValidators(extra.config, catchainSeqno), 0))
    await follow(chain)
  })

  test('error: validators whose keys are elsewhere: said once, and the chain goes on', async () => {
    const { chain, warnings } = await openChain()
    const [ours = new Uint8Array(32)] = validatorKeysOf(chain)
    const member = (publicKey: Uint8Array, weight: bigint) => ({ publicKey, weight, adnlAddress: new Uint8Array(32) })
    const value = validatorSetCell(1, 2 ** 32 - 1, [member(ours, 2n), member(new Uint8Array(32).fill(9), 1n)])
    await change(chain, 0, { kind: 'parameter', index: 34, value })
    await chain.control.mine(4)
    expect(warnings).toEqual([expect.stringMatching(/^Validators elected whose keys the chain does not hold/)])
    const { signatures } = await chain.reader.block(chain.head().master)
    expect(signatures).toHaveLength(1)
    await expect(follow(chain)).rejects.toThrow()
  })
})
