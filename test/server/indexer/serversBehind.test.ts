// Lite servers that are behind an index when it is opened again: they lack its last block, which is no sign that it is gone.

import { expect, test } from 'vitest'
import { type Chain, LiteError, masterBlock } from '../../../server/node/index.ts'
import { prepare } from '../devchain/traffic.ts'
import { cleanDigests, digests, headSeqno, index, openNode, openStore, playOut, upToDate } from './indexScene.ts'

/** The same chain as servers show it that have not got its last blocks, by their heads at least. */
function behind(node: Chain, { newest, canRewind }: { readonly newest: number; readonly canRewind: boolean }) {
  const state = { isBehind: true }
  const missing = () => new LiteError('notReady', 'seqno not in db')
  const chain: Chain = {
    ...node,
    traits: { ...node.traits, canRewind },
    head: async (options) => {
      const head = await node.head(options)
      return state.isBehind ? { ...head, id: await masterBlock(node, newest, options) } : head
    },
    idOf: (query, options) =>
      state.isBehind && 'seqno' in query && query.seqno > newest
        ? Promise.reject(missing())
        : node.idOf(query, options),
    header: (id, options) =>
      state.isBehind && !canRewind && id.seqno > newest ? Promise.reject(missing()) : node.header(id, options),
  }
  return { chain, state }
}

test.each([
  ['of a public network, where no block is ever undone', false],
  ['of a private network, one of which has the block all the same', true],
])('nothing is undone by servers %s', async (_, canRewind) => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const first = index({ node, database })
  await playOut(chain, await prepare(chain, 3), 1)
  await upToDate(first, chain)
  await first.close()
  const before = await digests(database.read)
  const last = headSeqno(chain)
  const { chain: late, state } = behind(node, { newest: last - 3, canRewind })
  const indexer = index({ node: late, database })
  const text = `no lite server has block ${last}, the last one that was indexed`
  await expect.poll(() => indexer.status().trouble).toBe(text)
  expect(indexer.status()).toMatchObject({ head: { seqno: last }, isRefused: false })
  expect(await digests(database.read)).toEqual(before)
  state.isBehind = false
  await chain.control.mine(2)
  await upToDate(indexer, chain)
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
})
