// A network whose rules change while it is followed.

import { expect, onTestFinished, test } from 'vitest'
import { watchRules } from '../../../../server/app/network/networkRules.ts'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { configOwnerKey } from '../../../../server/devchain/accounts/index.ts'
import { createSigner } from '../../../../server/devchain/accounts/signing.ts'
import { configRequest } from '../../../../server/devchain/contracts/index.ts'
import type { Devchain } from '../../../../server/devchain/index.ts'
import {
  type Chain,
  createRemoteChain,
  createServerPool,
  openTrust,
  type ProofPolicy,
} from '../../../../server/node/index.ts'
import { NEWEST_GLOBAL_VERSION } from '../../../../server/tvm/index.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const GLOBAL_VERSION = 8
const CAPABILITIES = 494

/** The next block is a key block with rules of this version. */
async function setRules(chain: Devchain, seqno: number, version: number): Promise<void> {
  const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
  const value = beginCell().storeUint(0xc4, 8).storeUint(version, 32).storeUint(CAPABILITIES, 64).end()
  const validUntil = chain.reader.moment().master.utime + 1000
  const change = { kind: 'parameter', index: GLOBAL_VERSION, value } as const
  await chain.send(writeBoc(configRequest({ change, seqno, validUntil, sign })))
  await chain.control.mine(1)
}

async function watched(policy: ProofPolicy) {
  const { chain } = await openChain({ mining: 'manual' })
  const lite = await liteOf(chain)
  const zerostate = chain.reader.zerostates.master.id
  const servers = [{ name: 'one', host: 'one', port: 1, key: new Uint8Array(32), slices: null }]
  const connect = async () => ({ ...lite, kind: 'remote' as const, close: () => undefined, onClose: () => undefined })
  const pool = createServerPool({ servers, connect, zerostate, log: quiet })
  const trust = await openTrust(pool, { start: { zerostate, block: zerostate }, policy })
  const remote = createRemoteChain(pool, { trust })
  const lines: unknown[] = []
  let reads = 0
  const config: Chain['config'] = (...given) => {
    reads++
    return remote.config(...given)
  }
  const log = { warn: (facts: unknown) => lines.push(facts), debug: () => undefined }
  const stop = watchRules({ chain: { head: remote.head, config }, trust, log: log as never })
  onTestFinished(async () => {
    stop()
    await trust.close()
    await pool.close()
  })
  const reach = async () =>
    await expect
      .poll(async () => (await remote.head()).id.seqno, { timeout: 300_000 })
      .toBe(chain.head().master.id.seqno)
  return { chain, lines, reads: () => reads, reach }
}

test('behavior: rules newer than the TVM of this release are logged once, also when they come later', async () => {
  const { chain, lines, reach } = await watched('full')
  const newest = NEWEST_GLOBAL_VERSION
  const warnings = [newest + 1, newest + 3].map((version) => ({ version, known: newest }))
  for (const [seqno, [version, count]] of (
    [
      [newest, 0],
      [newest + 1, 1],
      [newest + 1, 1],
      [newest + 3, 2],
    ] as const
  ).entries()) {
    await setRules(chain, seqno, version)
    await reach()
    await expect.poll(() => lines, { timeout: 300_000 }).toEqual(warnings.slice(0, count))
  }
})

test('behavior: where one block of many is proven, the rules are not read again without a key block', async () => {
  const { chain, reads, reach } = await watched('sampled')
  for (let block = 0; block < 40; block++) {
    await chain.control.mine(1)
    await reach()
  }
  expect(reads()).toBeLessThanOrEqual(2)
})
