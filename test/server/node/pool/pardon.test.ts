// A chain that its owner reverts again and again: its lite server is no worse for the blocks that were undone.

import { expect, onTestFinished, test } from 'vitest'
import { createRemoteChain, createServerPool, openTrust, type ServerPool } from '../../../../server/node/index.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function overOneServer() {
  const { chain } = await openChain({ mining: 'manual' })
  const lite = await liteOf(chain)
  const zerostate = chain.reader.zerostates.master.id
  const connect = async () => ({ ...lite, kind: 'remote' as const, close: () => undefined, onClose: () => undefined })
  const servers = [{ name: 'one', host: 'one', port: 1, key: new Uint8Array(32), slices: null }]
  const pool: ServerPool = createServerPool({ servers, connect, zerostate, log: quiet })
  const start = { zerostate, block: zerostate }
  const trust = await openTrust(pool, { start, canRewind: true, onRevert: () => pool.pardon() })
  const remote = createRemoteChain(pool, { trust, canRewind: true })
  const stop = remote.onHead(() => undefined)
  onTestFinished(async () => {
    stop()
    await trust.close()
    await pool.close()
  })
  const atHead = async () =>
    await expect.poll(() => trust.head?.id.rootHash, { timeout: 300_000 }).toEqual(chain.head().master.id.rootHash)
  return { chain, pool, remote, atHead }
}

test('behavior: reads of blocks that were undone do not make their server count as failing', async () => {
  const { chain, pool, remote, atHead } = await overOneServer()
  const name = await chain.control.snapshot()
  await chain.control.mine(3)
  await atHead()
  const undone = [2, 3, 4].map((seqno) => chain.reader.bySeqno(-1, seqno)?.id ?? chain.head().master.id)
  const readAll = async () => {
    // As an index reads what it has proven.
    for (const id of undone) await remote.block(id, { exists: true, timeoutMs: 200 }).catch(() => undefined)
  }
  await chain.control.revert(name)
  for (let i = 0; i < 4; i++) await readAll()
  await chain.control.increaseTime(5)
  await chain.control.mine(4)
  await atHead()
  await readAll()
  expect(pool.servers).toMatchObject([{ state: 'ready' }])
})
