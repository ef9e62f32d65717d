// The feed over an index of a real chain: every block once and in order, the same from memory as from the tables, and what
// a revert undoes is said.

import { expect, onTestFinished, test } from 'vitest'
import type { Devchain } from '../../../../server/devchain/index.ts'
import type { Indexer } from '../../../../server/indexer/index.ts'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import {
  BlockNotIndexed,
  type BlockRows,
  type BlockRowsFeed,
  IndexFeed,
  type Sql,
  StoreError,
} from '../../../../server/store/index.ts'
import { createTvmPool } from '../../../../server/tvm/index.ts'
import { drivers } from '../../../setup/database.ts'
import { gate } from '../../../setup/gate.ts'
import { Crowd, endow } from '../../../setup/load.ts'
import { play, prepare } from '../../devchain/traffic.ts'
import { headSeqno, index, openNode, openStore, upToDate } from '../../indexer/indexScene.ts'
import { blocksAroundSnapshot, follow, heldCheck, LONG, writing } from './feedScene.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** What consumers see of a block. Fields of rows that only the writer has are left out. */
const contentOf = ({ changed: _, ...rows }: BlockRows) => ({
  mcSeqno: rows.mcSeqno,
  rootHash: hex(rows.rootHash),
  blocks: rows.blocks.map(({ workchain, shard, seqno }) => [workchain, shard, seqno]),
  transactions: rows.transactions.map(({ row, inMessage, outMessages, before, after }) => ({
    hash: hex(row.hash),
    trace: hex(row.traceId),
    description: row.description,
    received: inMessage && hex(inMessage.hash),
    sent: outMessages.map(({ hash }) => hex(hash)).sort(),
    before: before?.balance,
    after: after?.balance,
  })),
  traces: rows.traces.map(({ traceId }) => hex(traceId)),
  actions: rows.actions.map(({ actionId, type }) => [hex(actionId), type]).sort(),
  wallets: rows.jettonWallets.map(({ account, balance }) => [hex(account), balance]).sort(),
})

const played = async (chain: Devchain, seed: number): Promise<void> => {
  await play(chain, await prepare(chain, 4), { count: 15, seed })
}

test.each(drivers)('%s: from memory as from the tables, each block once, in order', LONG, async (driver) => {
  const { chain, node } = await openNode()
  const database = await openStore(driver)
  const { indexer, feed } = writing({ node, database })
  await upToDate(indexer, chain)
  const first = headSeqno(chain) + 1
  const live = follow(feed, first)
  const begun = live.next()
  const last = await playedTo(chain, indexer)
  const blocks = [await begun, ...(await live.until(last)).map((rows) => ({ kind: 'block', rows }) as const)].flatMap(
    (item) => (item.kind === 'block' ? [item.rows] : []),
  )
  expect(blocks.map(({ mcSeqno }) => mcSeqno)).toEqual(blocks.map((_, i) => first + i))
  expect(blocks.flatMap(({ transactions }) => transactions).length).toBeGreaterThan(20)
  // Another process, which only reads.
  const other = new IndexFeed({ store: database.read, heads: indexer, canRewind: true })
  const read = await follow(other, first).until(last)
  expect(read.map(contentOf)).toEqual(blocks.map(contentOf))
})

async function playedTo(chain: Devchain, indexer: Indexer): Promise<number> {
  for (const seed of [1, 2]) await played(chain, seed)
  await upToDate(indexer, chain)
  return headSeqno(chain)
}

test('blocks that are about to be written come before they can be read, with the same content', LONG, async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const { indexer, feed } = writing({ node, database })
  await upToDate(indexer, chain)
  const prepared: { rows: BlockRows; head: number }[] = []
  onTestFinished(
    feed.onPrepared((all) => void prepared.push(...all.map((rows) => ({ rows, head: feed.head()?.seqno ?? 0 })))),
  )
  const first = headSeqno(chain) + 1
  const consumer = follow(feed, first)
  await played(chain, 3)
  const last = headSeqno(chain)
  const blocks = await consumer.until(last)
  prepared.splice(0, prepared.length, ...prepared.filter(({ rows }) => rows.mcSeqno <= last))
  expect(prepared.map(({ rows }) => rows.mcSeqno)).toEqual(blocks.map(({ mcSeqno }) => mcSeqno))
  for (const { rows, head } of prepared) expect(head).toBeLessThan(rows.mcSeqno)
  const names = ({ transactions, actions }: BlockRows) => [
    transactions.map(({ row }) => hex(row.hash)),
    actions.map(({ actionId }) => hex(actionId)).sort(),
  ]
  expect(prepared.map(({ rows }) => names(rows))).toEqual(blocks.map(names))
})

test('wallets that were examined when their block was written are not read again', LONG, async () => {
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const { chain, node } = await openNode()
  const database = await openStore()
  const statements: string[] = []
  const store: Sql = {
    query(statement, options) {
      statements.push(statement.text)
      return database.read.query(statement, options)
    },
  }
  const { indexer, feed } = writing({ node, pool, database, store })
  const crowd = new Crowd(chain.globalId, { transactions: 0, seed: 1, wallets: 8 })
  await endow(chain.control, crowd)
  await upToDate(indexer, chain)
  const first = headSeqno(chain) + 1
  const live = follow(feed, first)
  const begun = live.next()
  for (const message of crowd.beginnings()) await chain.send(message)
  for (let round = 0; round < 2; round++) await Promise.all(crowd.round().map((message) => chain.send(message)))
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const item = await begun
  const blocks = [...(item.kind === 'block' ? [item.rows] : []), ...(await live.until(headSeqno(chain)))]
  expect(statements.filter((text) => text.includes('jetton_wallets'))).toEqual([])
  const other = new IndexFeed({ store: database.read, heads: indexer, canRewind: true })
  const read = await follow(other, first).until(headSeqno(chain))
  // Of a wallet that changed again the tables have the last state alone.
  const walletsOf = (all: readonly BlockRows[]) =>
    all.flatMap((rows) => contentOf(rows).wallets.map((wallet) => [rows.mcSeqno, ...wallet].join()))
  expect(walletsOf(read).length).toBeGreaterThan(5)
  expect(walletsOf(blocks)).toEqual(expect.arrayContaining(walletsOf(read)))
})

test('a revert is an item of its own, wherever a consumer is', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { indexer, feed } = writing({ node, database })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await upToDate(indexer, chain)
  // One that only reads notices it by the hashes in the tables.
  const heads = new IndexHeads()
  const other = new IndexFeed({ store: database.read, heads, canRewind: true })
  const publish = () => heads.set(indexer.indexed())
  publish()
  const fast = follow(feed, stays + 1)
  const slow = follow(feed, stays + 1)
  const distant = follow(other, stays + 1)
  const old = follow(feed, 1)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  publish()
  await fast.until(stays + 3)
  await distant.until(stays + 3)
  await slow.until(stays + 1)
  await old.until(stays - 1)
  await chain.control.revert(snapshot)
  await chain.control.mine(5)
  await upToDate(indexer, chain)
  publish()
  for (const consumer of [fast, slow, distant]) {
    expect(await consumer.next()).toEqual({ kind: 'reverted', mcSeqno: stays })
    const blocks = await consumer.until(headSeqno(chain))
    expect(blocks[0]?.mcSeqno).toBe(stays + 1)
    expect(blocks.at(-1)?.rootHash).toEqual(indexer.indexed()?.rootHash)
  }
  // What was undone is above what it has read.
  expect((await old.until(stays + 1)).map(({ mcSeqno }) => mcSeqno)).toEqual([stays, stays + 1])
})

test('a revert to a block before those a consumer has read is an item, too, without a new block', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const { indexer, feed } = writing({ node, database: await openStore() })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(2)
  await upToDate(indexer, chain)
  const one = follow(feed, stays + 3)
  const waiting = follow(feed, stays + 4)
  const begun = one.next()
  const undone = waiting.next()
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  expect(await begun).toMatchObject({ kind: 'block', rows: { mcSeqno: stays + 3 } })
  const next = one.next()
  await chain.control.revert(snapshot)
  for (const item of [next, undone]) expect(await item).toEqual({ kind: 'reverted', mcSeqno: stays })
})

test('a revert to a block that was made while nobody followed is an item, too', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const { indexer, feed } = writing({ node, database: await openStore() })
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const former = follow(feed, 1)
  await former.until(headSeqno(chain))
  former.stop()
  await expect(former.next()).rejects.toThrow('the feed ended')
  await chain.control.mine(1)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  const next = follow(feed, stays + 2).next()
  await chain.control.revert(snapshot)
  expect(await next).toEqual({ kind: 'reverted', mcSeqno: stays })
})

test('what was undone while nobody followed is not known to a process that only reads', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { indexer } = writing({ node, database })
  await chain.control.mine(3)
  const snapshot = await chain.control.snapshot()
  const stays = headSeqno(chain)
  await chain.control.mine(4)
  await upToDate(indexer, chain)
  const heads = new IndexHeads()
  const feed = new IndexFeed({ store: database.read, heads, canRewind: true })
  const publish = () => heads.set(indexer.indexed())
  publish()
  const former = follow(feed, stays + 1)
  const undone = await former.until(headSeqno(chain))
  former.stop()
  await expect(former.next()).rejects.toThrow('the feed ended')
  await chain.control.revert(snapshot)
  await chain.control.mine(8)
  await upToDate(indexer, chain)
  publish()
  const roots = async (store: BlockRowsFeed) =>
    (await follow(store, stays + 1).until(headSeqno(chain))).map(({ rootHash }) => hex(rootHash))
  const other = new IndexFeed({ store: database.read, heads, canRewind: true })
  const now = await roots(other)
  expect(now[1]).not.toBe(hex(undone[1]?.rootHash ?? new Uint8Array()))
  expect(hex((await feed.block(stays + 2))?.rootHash ?? new Uint8Array())).toBe(now[1])
  expect(await roots(feed)).toEqual(now)
})

test('a block that is read is not undone because another reader has made all be forgotten', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { indexer } = writing({ node, database })
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const heads = new IndexHeads()
  const publish = () => heads.set(indexer.indexed())
  publish()
  const asked = gate()
  const answered = gate()
  const store: Sql = {
    async query(statement, options) {
      asked.open()
      await answered.opened
      return await database.read.query(statement, options)
    },
  }
  const feed = new IndexFeed({ store, heads, canRewind: true })
  const first = feed.block(2)
  await asked.opened
  await chain.control.mine(1)
  await upToDate(indexer, chain)
  publish()
  const second = feed.block(3)
  answered.open()
  expect((await first)?.mcSeqno).toBe(2)
  expect((await second)?.mcSeqno).toBe(3)
})

test('a block that was undone while its answer was on the way is not one of the chain', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  const { store, asked, goOn } = heldCheck(database, 'after')
  const { indexer, feed } = writing({ node, database, store })
  const { snapshot, stays } = await blocksAroundSnapshot(chain, indexer)
  const next = follow(feed, stays + 4).next()
  const block = feed.block(stays + 2)
  await asked
  await chain.control.revert(snapshot)
  await chain.control.mine(1)
  expect(await next).toEqual({ kind: 'reverted', mcSeqno: stays })
  goOn()
  expect(await block).toBeNull()
})

test('a database that is away for a moment is waited for; one that is closed ends the feed', LONG, async () => {
  const { chain, node } = await openNode({ mining: 'manual' })
  const database = await openStore()
  let trouble: StoreError | null = null
  let reads = 0
  const store: Sql = {
    async query(statement, options) {
      reads++
      if (trouble !== null) throw trouble
      return await database.read.query(statement, options)
    },
  }
  const indexer = index({ node, database })
  await chain.control.mine(5)
  await upToDate(indexer, chain)
  const feed = new IndexFeed({ store, heads: indexer, canRewind: true })
  trouble = new StoreError('unavailable', 'gone for lunch')
  const consumer = follow(feed, 1)
  const first = consumer.next()
  while (reads < 3) await new Promise((resolve) => setTimeout(resolve, 10))
  trouble = null
  expect(await first).toMatchObject({ kind: 'block', rows: { mcSeqno: 1 } })
  // Consumers of the same blocks read them once.
  await consumer.until(headSeqno(chain))
  const before = reads
  for (let i = 0; i < 5; i++) await follow(feed, 1).until(headSeqno(chain))
  expect(reads).toBe(before)
  trouble = new StoreError('closed', 'over')
  const over = expect(consumer.next()).rejects.toThrow('over')
  await chain.control.mine()
  await over
})

test(
  'a block before the first one of the index is refused, and a signal ends the wait for a future one',
  LONG,
  async () => {
    const { chain, node } = await openNode({ mining: 'manual' })
    await chain.control.mine(5)
    const database = await openStore()
    const { indexer, feed } = writing({ node, database })
    await upToDate(indexer, chain)
    await expect(follow(feed, 0).next()).rejects.toThrow(BlockNotIndexed)
    const consumer = follow(feed, headSeqno(chain) + 1)
    const next = consumer.next()
    consumer.stop()
    await expect(next).rejects.toThrow('the feed ended')
  },
)
