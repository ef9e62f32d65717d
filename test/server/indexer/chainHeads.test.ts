// Heads that are behind, and blocks that cannot be read.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { ParseError } from '../../../server/facts/index.ts'
import type { Chain, HeadReport } from '../../../server/node/index.ts'
import { index, openNode, openStore, upToDate } from './indexScene.ts'

test('a head of a server that is behind changes nothing', async () => {
  const { chain, node } = await openNode()
  await chain.control.mine(5)
  let notify: (report: HeadReport) => void = () => undefined
  const found = vi.fn((...how: Parameters<Chain['find']>) => node.find(...how))
  const remote: Chain = {
    ...node,
    traits: { ...node.traits, canRewind: false },
    find: found,
    onHead: (listener) => {
      notify = listener
      return node.onHead(listener)
    },
  }
  const indexer = index({ node: remote, database: await openStore(), indexFrom: { seqno: 1 }, pollMs: 3_600_000 })
  await upToDate(indexer, chain)
  const { id } = chain.head().master
  const before = await node.find({ workchain: id.workchain, shard: id.shard, seqno: id.seqno - 2 })
  const calls = found.mock.calls.length
  // The indexer waits for a head by now, and has time to act on this one; more time would change nothing.
  await sleep(300)
  notify({ kind: 'head', id: before.id })
  await sleep(300)
  await chain.control.mine()
  await upToDate(indexer, chain)
  // To start again it would look up the last block it has.
  const lookedUp = found.mock.calls.slice(calls).map(([query]) => query)
  expect(lookedUp).not.toContainEqual(expect.objectContaining({ seqno: id.seqno }))
  expect(indexer.status()).toMatchObject({ state: 'following', trouble: null })
})

test('a block that cannot be read ends the indexer with where and why, and is not fetched for ever', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const read = vi.fn(() => Promise.reject(new ParseError('block -1:5', 'not what it says')))
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const indexer = index({ node: { ...node, block: read }, database, log })
  await chain.control.mine()
  await vi.waitFor(() => expect(indexer.status().state).toBe('stopped'), { timeout: 300_000 })
  expect(indexer.status().trouble).toMatch(/not what it says/)
  expect(log.error).toHaveBeenCalledTimes(1)
  expect(log.warn).not.toHaveBeenCalled()
})
