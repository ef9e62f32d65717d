// A network whose rules change while it is followed.

import { expect, onTestFinished, test } from 'vitest'
import { watchRules } from '../../../server/app/networkRules.ts'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { configOwnerKey } from '../../../server/devchain/accounts/index.ts'
import { createSigner } from '../../../server/devchain/accounts/signing.ts'
import { configRequest } from '../../../server/devchain/contracts/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { createRemoteChain, createServerPool, openTrust } from '../../../server/node/index.ts'
import { NEWEST_GLOBAL_VERSION } from '../../../server/tvm/index.ts'
import { liteOf, openChain } from '../devchain/devchains.ts'

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

test('behavior: rules newer than the TVM of this release are logged once, also when they come later', async () => {
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  const zerostate = chain.reader.zerostates.master.id
  const servers = [{ name: 'one', host: 'one', port: 1, key: new Uint8Array(32), slices: null }]
  const connect = async () => ({
    ...lite,
    ...{ kind: 'remote' as const, close: () => undefined, onClose: () => undefined },
  })
  const pool = createServerPool({ servers, connect, zerostate, log: quiet })
  const trust = await openTrust(pool, { start: { zerostate, block: zerostate } })
  const remote = createRemoteChain(pool, { trust })
  const lines: unknown[] = []
  const log = { warn: (facts: unknown) => lines.push(facts), debug: () => undefined }
  const stop = watchRules({ chain: remote, trust, log: log as never })
  onTestFinished(async () => {
    stop()
    await trust.close()
    await pool.close()
  })
  const newest = NEWEST_GLOBAL_VERSION
  const reach = async () =>
    await expect
      .poll(async () => (await remote.head()).id.seqno, { timeout: 300_000 })
      .toBe(chain.head().master.id.seqno)
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
