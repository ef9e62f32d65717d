// Reverts next to what a consumer has read, or that it learns of while it reads.

import { expect, test } from 'vitest'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import {
  IndexFeed,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
} from '../../../../server/store/index.ts'
import { gate } from '../../../setup/gate.ts'
import { headSeqno, openNode, openStore, upToDate } from '../../indexer/indexScene.ts'
import { follow, LONG, writing } from './feedScene.ts'

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
  const asked = gate()
  const answered = gate()
  const store: Sql = {
    async query<R extends SqlRow>(statement: SqlText, options?: StatementOptions) {
      const rows = await database.read.query<R>(statement, options)
      if (statement.text.includes('pruned_before')) {
        asked.open()
        await answered.opened
      }
      return rows
    },
  }
  const { indexer, feed } = writing({ node, database, store })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const consumer = follow(feed, stays + 2)
  const next = consumer.next()
  await asked.opened
  await chain.control.revert(snapshot)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  answered.open()
  expect(await next).toEqual({ kind: 'reverted', mcSeqno: stays })
  expect((await consumer.until(stays + 3)).map(({ mcSeqno }) => mcSeqno)).toEqual([stays + 1, stays + 2, stays + 3])
})

test('what another process undoes and replaces while it is read is not taken', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { indexer } = writing({ node, database })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const seqno = headSeqno(chain) + 2
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const asked = gate()
  const replaced = gate()
  const store: Sql = {
    async query(statement, options) {
      if (statement.text.includes('pruned_before')) {
        asked.open()
        await replaced.opened
      }
      return await database.read.query(statement, options)
    },
  }
  const heads = new IndexHeads()
  heads.set(indexer.indexed())
  const feed = new IndexFeed({ store, heads, canRewind: true })
  const block = feed.block(seqno)
  await asked.opened
  await chain.control.revert(snapshot)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  replaced.open()
  expect(await block).toBe(null)
  heads.set(indexer.indexed())
  expect((await feed.block(seqno))?.mcSeqno).toBe(seqno)
})
