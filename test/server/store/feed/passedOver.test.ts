// Reverts next to what a consumer has read, or that it learns of while it reads.

import { expect, test } from 'vitest'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import { IndexFeed } from '../../../../server/store/index.ts'
import { headSeqno, openNode, openStore, upToDate } from '../../indexer/indexScene.ts'
import { blocksAroundSnapshot, follow, heldCheck, LONG, writing } from './feedScene.ts'

test('a consumer that has read just what stays hears of no revert', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const { indexer, feed } = writing({ node, database: await openStore() })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(2)
  await upToDate(indexer, chain)
  const further = follow(feed, stays)
  await further.until(stays + 1)
  const edge = follow(feed, stays)
  await edge.until(stays)
  await chain.control.revert(snapshot)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  expect(await further.next()).toEqual({ kind: 'reverted', mcSeqno: stays })
  const next = await edge.next()
  expect(next).toMatchObject({ kind: 'block', rows: { mcSeqno: stays + 1 } })
  expect(await further.next()).toEqual(next)
})

test('of two reverts since it has read, a consumer hears of the one that went further back', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const { indexer, feed } = writing({ node, database: await openStore() })
  await chain.control.mine(3)
  const low = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(2)
  await upToDate(indexer, chain)
  const consumer = follow(feed, stays + 1)
  await consumer.until(stays + 2)
  await chain.control.revert(low)
  await chain.control.mine(4)
  const high = await chain.control.snapshot()
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  await chain.control.revert(high)
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  expect(await consumer.next()).toEqual({ kind: 'reverted', mcSeqno: stays })
  expect((await consumer.until(stays + 5))[0]?.mcSeqno).toBe(stays + 1)
})

test('a block of another branch that takes the place of one being read comes after the revert', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { store, asked, goOn } = heldCheck(database, 'after')
  const { indexer, feed } = writing({ node, database, store })
  const { snapshot, stays } = await blocksAroundSnapshot(chain, indexer)
  const consumer = follow(feed, stays + 2)
  const next = consumer.next()
  await asked
  await chain.control.revert(snapshot)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  goOn()
  expect(await next).toEqual({ kind: 'reverted', mcSeqno: stays })
  expect((await consumer.until(stays + 3)).map(({ mcSeqno }) => mcSeqno)).toEqual([stays + 1, stays + 2, stays + 3])
})

test('what another process undoes and replaces while it is read is not taken', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { indexer } = writing({ node, database })
  const { snapshot, stays } = await blocksAroundSnapshot(chain, indexer)
  const seqno = stays + 2
  const { store, asked, goOn } = heldCheck(database, 'before')
  const heads = new IndexHeads()
  heads.set(indexer.indexed())
  const feed = new IndexFeed({ store, heads, canRewind: true })
  const block = feed.block(seqno)
  await asked
  await chain.control.revert(snapshot)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  goOn()
  expect(await block).toBe(null)
  heads.set(indexer.indexed())
  expect((await feed.block(seqno))?.mcSeqno).toBe(seqno)
})
