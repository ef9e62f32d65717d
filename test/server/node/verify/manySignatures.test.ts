// One answer proves up to sixteen key blocks, each signed by all validators: checking it leaves others their turns.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devchain, openDevchain } from '../../../../server/devchain/index.ts'
import { createDevchainLiteServer, type DevchainLiteServer } from '../../../../server/devchain/lite/index.ts'
import {
  type BlockIdExt,
  createRemoteChain,
  createVerifiedLiteServer,
  MASTERCHAIN,
  ProofError,
  Trust,
} from '../../../../server/node/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { verifyBlockProof } from '../../../setup/verifyAtOnce.ts'
import { makeKeyBlock } from '../../devchain/lite/liteScene.ts'

const VALIDATORS = 32
const STEPS = 16

let chain: Devchain
let pool: TvmPool
let lite: DevchainLiteServer
beforeAll(async () => {
  chain = await openDevchain({ idleBlockMs: 3_600_000, validators: VALIDATORS })
  pool = await createTvmPool({ workers: 1 })
  lite = createDevchainLiteServer(chain, { pool })
  for (let i = 0; i < 3 * STEPS; i++) await makeKeyBlock(chain, i)
})
afterAll(async () => {
  lite.close()
  await Promise.all([chain.close(), pool.close()])
})

/** The key blocks of the chain; the configuration is changed every second block. */
function keyBlock(place: number): BlockIdExt {
  const { head, reader } = chain
  const all = Array.from({ length: head().master.id.seqno }, (_, i) => reader.bySeqno(MASTERCHAIN, i + 1))
  const found = all.filter((facts) => facts?.isKey === true)[place]
  if (found === undefined) throw new Error('No such key block')
  return found.id
}

const announced = (arrived: () => void) => ({
  ...lite,
  blockProof: async (...query: Parameters<typeof lite.blockProof>) => {
    const answer = await lite.blockProof(...query)
    arrived()
    return answer
  },
})

const trustFrom = (block: BlockIdExt, server: typeof lite): Trust =>
  new Trust(server, { start: { zerostate: chain.reader.zerostates.master.id, block } })

test('behavior: on the way to the head', async () => {
  const start = keyBlock(2 * STEPS)
  const { found, turns } = await turnsOf((arrived) => trustFrom(start, announced(arrived)).read())
  expect(found.id).toEqual(chain.head().master.id)
  expect(turns).toBeGreaterThan(1)
})

test('behavior: where it is passed on', async () => {
  const from = keyBlock(0)
  const to = keyBlock(STEPS)
  const trust = trustFrom(keyBlock(3 * STEPS - 1), lite)
  await trust.read()
  const { found, turns } = await turnsOf((arrived) =>
    createVerifiedLiteServer(announced(arrived), trust).blockProof(from, to),
  )
  expect(found.steps).toHaveLength(STEPS)
  expect(turns).toBeGreaterThan(1)
})

test('error: one wrong signature among them', async () => {
  const from = keyBlock(STEPS)
  const to = keyBlock(2 * STEPS)
  const altering = {
    ...lite,
    blockProof: async (...query: Parameters<typeof lite.blockProof>) => {
      const answer = await lite.blockProof(...query)
      const last = answer.steps.at(-1)
      if (last?.kind !== 'forward') throw new Error('Not a step forward')
      const signatures = last.signatures.signatures.map((one, i) =>
        i === 7 ? { ...one, signature: Buffer.from(one.signature).fill(1, 0, 1) } : one,
      )
      const steps = answer.steps.with(-1, { ...last, signatures: { ...last.signatures, signatures } })
      return { ...answer, steps }
    },
  }
  const answer = await altering.blockProof(from, to)
  expect(() => verifyBlockProof(from, to, answer)).toThrow(ProofError)
  await expect(createRemoteChain(altering, { trust: trustFrom(from, altering) }).head()).rejects.toThrow(ProofError)
})
