// Blocks of ten thousand transactions: what streams and webhooks get of them is made in pieces, with the same content.

import { expect, onTestFinished, test } from 'vitest'
import { SlicedWork } from '../../../../server/fairness/index.ts'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import {
  IndexFeed,
  type MasterBlockRows,
  type Sql,
  type SqlRow,
  type SqlText,
  type StatementOptions,
  sql,
} from '../../../../server/store/index.ts'
import { drivers } from '../../../setup/database.ts'
import { emptyStore } from '../../../setup/emptiedStore.ts'
import { fill, filledRows } from '../../../setup/filler.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const [filled] = filledRows({ transactions: 10_000, accounts: 4000, atOnce: 1000 })
if (filled === undefined) throw new Error('nothing was filled')
const first = filled.cursor.firstMcSeqno
const last = filled.cursor.lastMcSeqno
const NO_ACTIONS = { actions: [] }

/** Rows of nothing: what the batch lacks stays unknown. */
function openFeed() {
  let keys = 0
  const store: Sql = {
    query({ values }) {
      for (const value of values) if (Array.isArray(value)) keys = Math.max(keys, value.length)
      return Promise.resolve([])
    },
  }
  const heads = new IndexHeads()
  const feed = new IndexFeed({ store, heads, canRewind: true })
  const reach = (seqno: number, rootHash = new Uint8Array(32)) => heads.set({ seqno, rootHash, utime: 0, at: 0 })
  return { feed, reach, keys: () => keys }
}

/** Reads from the next block on, so that the feed takes what is written. */
function follow(feed: IndexFeed, seqno: number) {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const items = feed.from(seqno, { signal: end.signal })[Symbol.asyncIterator]()
  return items.next()
}

test('rows that are about to be written are made in pieces, and are whole when the write may begin', async () => {
  const { feed } = openFeed()
  const prepared: number[] = []
  feed.onPrepared((all) => prepared.push(...all.map(({ mcSeqno }) => mcSeqno)))
  const { turns } = await turnsOf(async () => feed.prepared(filled, NO_ACTIONS))
  expect(prepared).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i))
  expect(turns).toBeGreaterThan(200)
})

/** The turns that work takes beside so many callers whose own work never ends. */
async function turnsBeside(count: number, work: () => Promise<unknown>): Promise<number> {
  const end = new AbortController()
  const callers = Array.from({ length: count }, async (_, i) => {
    const own = new SlicedWork({ subject: `caller ${i}` })
    while (!end.signal.aborted) await own.rest()
  })
  const { turns } = await turnsOf(work)
  end.abort()
  await Promise.all(callers)
  return turns
}

test('callers with long work do not hold up rows that are about to be written', async () => {
  const prepare = () => {
    const { feed } = openFeed()
    feed.onPrepared(() => undefined)
    return feed.prepared(filled, NO_ACTIONS)
  }
  expect(await turnsBeside(200, prepare)).toBeLessThan(2 * (await turnsBeside(0, prepare)))
})

test('nor blocks that are read', async () => {
  await using database = await emptyStore('pglite')
  const { firstMcSeqno: seqno, lastMcSeqno } = await fill(database, { transactions: 2_000, accounts: 100 })
  const known = new Map<string, readonly SqlRow[]>()
  // Answers come at once: turns of a wait for them say nothing.
  const store: Sql = {
    async query<R extends SqlRow>(statement: SqlText, options?: StatementOptions): Promise<readonly R[]> {
      const name = `${statement.text} ${statement.values}`
      const rows = known.get(name) ?? (await database.read.query<R>(statement, options))
      known.set(name, rows)
      // The cast: rows of the same statement.
      return rows as readonly R[]
    },
  }
  const heads = new IndexHeads()
  heads.set({ seqno: lastMcSeqno, rootHash: new Uint8Array(32), utime: 0, at: 0 })
  const read = async (): Promise<void> => {
    const rows = await new IndexFeed({ store, heads, canRewind: false }).block(seqno)
    expect(rows?.transactions.length).toBeGreaterThan(0)
  }
  await read()
  expect(await turnsBeside(200, read)).toBeLessThan(2 * (await turnsBeside(0, read)) + 10)
})

test('rows that were written are made in pieces, while their readers wait', async () => {
  const { feed, reach, keys } = openFeed()
  const item = follow(feed, last)
  const { found, turns } = await turnsOf(async () => {
    feed.wrote(filled, NO_ACTIONS)
    reach(last)
    return await item
  })
  expect(found.value).toMatchObject({ kind: 'block', rows: { mcSeqno: last } })
  expect(turns).toBeGreaterThan(200)
  expect(keys()).toBeLessThanOrEqual(1000)
})

test('a block that is undone while it is made is not one of the chain', async () => {
  const { feed, reach } = openFeed()
  void follow(feed, first)
  feed.wrote(filled, NO_ACTIONS)
  reach(last)
  const reading = feed.block(last)
  const shorter: MasterBlockRows = { ...filled, blocks: [], previous: last - 2 }
  feed.wrote(shorter, NO_ACTIONS)
  reach(last - 2)
  expect(await reading).toBeNull()
  expect((await feed.block(last - 2))?.mcSeqno).toBe(last - 2)
})

test.each(drivers)('%s: a block of more transactions than are read together is read alone', async (driver) => {
  await using store = await emptyStore(driver)
  const { firstMcSeqno: seqno, lastMcSeqno } = await fill(store, { transactions: 200, accounts: 12 })
  const heads = new IndexHeads()
  heads.set({ seqno: lastMcSeqno, rootHash: new Uint8Array(32), utime: 0, at: 0 })
  await store.transaction((to) => to.query(sql`update blocks set tx_count = 100000 where mc_seqno = ${seqno + 1}`))
  const feed = new IndexFeed({ store: store.read, heads, canRewind: false })
  for (const next of [seqno, seqno + 1, seqno + 2]) expect((await feed.block(next))?.mcSeqno).toBe(next)
})
