// Every read behind a v3 method, run on a filled database and held to what an index can do.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  blocksRead,
  messagesRead,
  readTexts,
  readTracePage,
  type Sql,
  type SqlText,
  sql,
  tracesRead,
  transactionsByMessageRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { fill } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { faultsOf, planOf, rowsRead, slowReads } from '../../setup/plans.ts'
import { type ReadCase, readCases, sampleOf } from '../../setup/reads.ts'

const TRANSACTIONS = 5000

let store: MemoryStore
let cases: readonly ReadCase[] = []

beforeAll(async () => {
  store = await openMemoryStore()
  await fill(store, { transactions: TRANSACTIONS, accounts: 2000 })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  cases = readCases(await sampleOf(store.read))
})
afterAll(() => store.close())

/** What is slow about the reads of one kind. */
const slow = (kind: (one: ReadCase) => boolean): Promise<string[]> => slowReads(store.read, cases.filter(kind))

describe('no read goes through a large table or sorts what it will not show:', () => {
  test.each(['transactions', 'blocks', 'messages', 'transactions by message', 'traces', 'balances', 'counts'])(
    '%s',
    async (list) => {
      expect(await slow(({ name }) => name.startsWith(`${list} by `))).toEqual([])
    },
  )

  test('what is read without a page', async () => {
    expect(await slow(({ name }) => !name.includes(' by '))).toEqual([])
  })
})

/** Rows looked at, whatever way a list goes, where a walk from its end would look at most of the table. */
const read = async (statement: SqlText): Promise<number> => rowsRead(await planOf(store.read, statement))

test('blocks are looked for where a logical time is, from either end', async () => {
  const [count] = await store.read.query<{ count: bigint }>(sql`select count(*) as count from blocks`)
  expect(Number(count?.count)).toBeGreaterThan(400)
  const [third] = await store.read.query<{ start_lt: bigint }>(
    sql`select start_lt from blocks where workchain = -1 order by seqno offset 3 limit 1`,
  )
  const [last] = await store.read.query<{ start_lt: bigint }>(
    sql`select start_lt from blocks where workchain = -1 order by seqno desc offset 3 limit 1`,
  )
  const ask = { limit: 10, offset: 0, after: null }
  expect(await read(blocksRead({ endLt: third?.start_lt }, ask, 'desc').statement)).toBeLessThan(120)
  expect(await read(blocksRead({ startLt: last?.start_lt }, ask, 'asc').statement)).toBeLessThan(120)
  expect(await read(blocksRead({ startLt: 10n ** 18n }, ask, 'asc').statement)).toBeLessThan(120)
})

test('transactions by what many messages said long ago are begun at, not walked to', async () => {
  const opcode = 0x7e577e57
  const bodyHash = new Uint8Array(32).fill(0x7e)
  await store.transaction(async (to) => {
    await to.query(sql`update messages set opcode = ${opcode}::int4, body_hash = ${bodyHash} where hash in (
      select in_msg_hash from transactions where in_msg_hash is not null order by lt limit 700)`)
    await to.query(sql`update transactions set in_opcode = m.opcode, in_body_hash = m.body_hash
      from messages m where m.hash = in_msg_hash and m.opcode = ${opcode}::int4`)
    await to.query(sql`analyze`, { timeoutMs: 300_000 })
  })
  const ask = { limit: 10, offset: 0, after: null }
  for (const sort of ['asc', 'desc'] as const)
    for (const filter of [{ opcode }, { bodyHash }, { bodyHash, direction: 'out' as const }])
      expect(await read(transactionsByMessageRead(filter, ask, sort).statement)).toBeLessThan(100)
})

test('what cannot be there is not looked for', async () => {
  const [busy] = await store.read.query<{ account: Uint8Array; shard: bigint }>(
    sql`select account, shard from transactions where workchain = 0 group by account, shard order by count(*) desc limit 1`,
  )
  if (busy === undefined) throw new Error('there are no transactions')
  const { account, shard } = busy
  const [other] = await store.read.query<{ shard: bigint }>(
    sql`select shard from blocks where workchain = 0 and shard <> ${shard} limit 1`,
  )
  const ask = { limit: 10, offset: 0, after: null }
  const none = [
    { accounts: [account], workchain: -1 },
    { accounts: [account], shard: other?.shard },
    { accounts: [account], excludeAccounts: [account] },
    { shard: 123n, startUtime: 0 },
  ]
  for (const filter of none) expect(await read(transactionsRead(filter, ask, 'desc').statement)).toBeLessThan(3)
  expect(await read(messagesRead({ destination: null, direction: 'in' }, ask, 'asc').statement)).toBe(0)
  const there = transactionsRead({ accounts: [account], workchain: 0, shard }, ask, 'desc')
  expect(await store.read.query(there.statement)).toHaveLength(11)
})

test('what follows from other filters does not make the planner expect few rows, and sort them all', async () => {
  const [busy] = await store.read.query<{ destination: Uint8Array; count: bigint }>(
    sql`select destination, count(*) as count from messages where source is null and destination is not null
      group by destination order by count(*) desc limit 1`,
  )
  if (busy === undefined) throw new Error('there are no messages from outside')
  expect(Number(busy.count)).toBeGreaterThan(50)
  const ask = { limit: 10, offset: 0, after: null }
  for (const sort of ['asc', 'desc'] as const)
    expect(await read(messagesRead({ source: null, destination: busy.destination }, ask, sort).statement)).toBeLessThan(
      40,
    )
  const elector = { accounts: [new Uint8Array(33).fill(0x33).fill(0x7f, 0, 1)] }
  const after = [10n ** 6n]
  expect(transactionsRead({ ...elector, workchain: -1 }, { ...ask, after }, 'desc').statement).toEqual(
    transactionsRead(elector, { ...ask, after }, 'desc').statement,
  )
})

test('a plan that is slow is found out', async () => {
  const all = await planOf(store.read, sql`select * from messages where value > 5 order by value desc limit 10`)
  expect(faultsOf(all, { single: true }).map((fault) => fault.replace(/\d+/, 'so many'))).toEqual([
    'sorts so many rows',
    'reads all of messages',
    'looks at so many rows',
  ])
})

/** The statement that a read sends. */
async function sentBy(read: (from: Sql) => Promise<unknown>): Promise<SqlText> {
  const sent: SqlText[] = []
  await read({
    query: async (statement) => {
      sent.push(statement)
      return []
    },
  })
  const [statement] = sent
  if (statement === undefined) throw new Error('nothing was sent')
  return statement
}

test('a page of texts makes no hash table for all that its list may have', async () => {
  const ask = { limit: 10, offset: 0, after: null }
  const wishes = { version: 1, book: true }
  const statements = await Promise.all([
    sentBy((from) => readTexts(from, transactionsRead({}, ask, 'desc'), wishes)),
    sentBy((from) =>
      readTracePage(from, tracesRead({}, ask, 'desc'), {
        ...wishes,
        tokens: true,
        most: { ofTrace: 100, ofPage: 100 },
      }),
    ),
  ])
  for (const statement of statements) {
    const { nodes } = await planOf(store.read, statement)
    for (const node of nodes) expect('Peak Memory Usage' in node ? node['Peak Memory Usage'] : 0).toBeLessThan(100)
  }
})
