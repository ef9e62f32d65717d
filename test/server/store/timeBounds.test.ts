// Lists with bounds in seconds and in logical time at once: read from the bound on, wherever it is, and the same rows as by the
// bounds alone.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import {
  actionsRead,
  blocksRead,
  messagesRead,
  type PagedRead,
  type PageRequest,
  readPage,
  type SortDirection,
  type Sql,
  type SqlRow,
  type SqlText,
  sql,
  tracesRead,
  transactionsRead,
  withTimesOfLts,
} from '../../../server/store/index.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

interface Bounds {
  readonly startUtime?: number
  readonly endUtime?: number
  readonly startLt?: bigint
  readonly endLt?: bigint
}

type Read = (bounds: Bounds, ask: PageRequest, sort: SortDirection) => PagedRead<unknown>

const PAGE: PageRequest = { limit: 10, offset: 0, after: null }
const EVER = { startUtime: 1, endUtime: 2 ** 32 - 1 }
const hiddenWithin = [...supportedTypes([])]

let store: MemoryStore
let reads: Readonly<Record<string, Read>> = {}

beforeAll(async () => {
  store = await openMemoryStore()
  await fillActions(store, { transactions: 4000, accounts: 1200 })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const [busy] = await store.read.query<{ account: Uint8Array }>(
    sql`select account from transactions where workchain = 0 group by account order by count(*) desc limit 1`,
  )
  if (busy === undefined) throw new Error('there are no transactions')
  const { account } = busy
  reads = {
    transactions: transactionsRead,
    'transactions of an account': (bounds, ...page) => transactionsRead({ accounts: [account], ...bounds }, ...page),
    'transactions of users': (bounds, ...page) => transactionsRead({ excludeSystem: true, ...bounds }, ...page),
    messages: messagesRead,
    'messages of a source': (bounds, ...page) => messagesRead({ source: account, ...bounds }, ...page),
    'messages with an opcode': (bounds, ...page) => messagesRead({ opcode: 0, ...bounds }, ...page),
    traces: tracesRead,
    'traces of an account': (bounds, ...page) => tracesRead({ account, ...bounds }, ...page),
    actions: (bounds, ...page) => actionsRead({ hiddenWithin, ...bounds }, ...page),
    'actions of an account': (bounds, ...page) => actionsRead({ account, hiddenWithin, ...bounds }, ...page),
    'actions of a type': (bounds, ...page) =>
      actionsRead({ types: ['call_contract'], hiddenWithin, ...bounds }, ...page),
    blocks: blocksRead,
  }
})
afterAll(() => store.close())

/** Logical times near the beginning, in the middle and near the end. */
async function windows(): Promise<bigint[]> {
  const found = await store.read.query<{ lt: bigint }>(sql`select lt from (
      select lt, row_number() over (order by lt) as place, count(*) over () as count from transactions where workchain = 0
    ) t where place in (count / 20, count / 2, count - count / 20) order by lt`)
  expect(found).toHaveLength(3)
  return found.map(({ lt }) => lt)
}

async function* cases(): AsyncGenerator<[bounds: Bounds, sort: SortDirection]> {
  for (const lt of await windows())
    for (const sort of ['asc', 'desc'] as const)
      for (const times of [{ startUtime: EVER.startUtime }, { endUtime: EVER.endUtime }])
        for (const lts of [{ startLt: lt }, { endLt: lt }]) yield [{ ...times, ...lts }, sort]
}

/** Keeps what is asked, so that its plan can be looked at. */
function recording(from: Sql): Sql & { readonly statements: SqlText[] } {
  const statements: SqlText[] = []
  return {
    statements,
    query<R extends SqlRow>(statement: SqlText) {
      statements.push(statement)
      return from.query<R>(statement)
    },
  }
}

const LISTS = [
  'transactions',
  'transactions of an account',
  'transactions of users',
  'messages',
  'messages of a source',
  'messages with an opcode',
  'traces',
  'traces of an account',
  'actions',
  'actions of an account',
  'actions of a type',
  'blocks',
]

describe('bounds in logical time for a list that is ordered by seconds', () => {
  test.each(LISTS)('%s: are begun at, and the rows are the same', async (name) => {
    const read = reads[name]
    if (read === undefined) throw new Error('no such list')
    const walked: string[] = []
    let count = 0
    for await (const [bounds, sort] of cases()) {
      const from = recording(store.read)
      const bounded = await withTimesOfLts(from, bounds)
      let looked = 0
      for (const one of [...from.statements, read(bounded, PAGE, sort).statement])
        looked += rowsRead(await planOf(store.read, one))
      if (looked > 400) walked.push(`${JSON.stringify(bounds, (_, value) => String(value))} ${sort}: ${looked} rows`)
      const rowsOf = async (given: Bounds) =>
        (await store.read.query(read(given, { ...PAGE, limit: 20 }, sort).statement)).map((row) =>
          JSON.stringify(row, (_, value) => String(value)),
        )
      const rows = await rowsOf(bounded)
      expect(rows).toEqual(await rowsOf(bounds))
      count += rows.length
    }
    expect(walked).toEqual([])
    expect(count).toBeGreaterThan(200)
  })

  test('a bound where a block begins or ends has the rows of that block', async () => {
    const [block] = await store.read.query<{ start: bigint; end: bigint }>(
      sql`select start_lt as start, end_lt as end from blocks where workchain = 0 order by start_lt offset 40 limit 1`,
    )
    const lts = [block?.start ?? 0n, block?.end ?? 0n]
    for (const name of ['transactions', 'messages', 'blocks'])
      for (const lt of lts)
        for (const given of [
          { startUtime: 1, startLt: lt },
          { startUtime: 1, endLt: lt },
        ]) {
          const sort = given.endLt === undefined ? 'asc' : 'desc'
          const rowsOf = async (bounds: Bounds) =>
            (await readPage(store.read, reads[name]?.(bounds, PAGE, sort) ?? blocksRead({}, PAGE, sort))).rows
          const rows = await rowsOf(given)
          expect(rows).toHaveLength(10)
          expect([name, given, await rowsOf(await withTimesOfLts(store.read, given))]).toEqual([name, given, rows])
        }
  })

  test('a list that is ordered by logical time stays as it is, and asks nothing', async () => {
    const from = recording(store.read)
    const bounds = { startLt: 5n, accounts: [] }
    expect(await withTimesOfLts(from, bounds)).toBe(bounds)
    expect(await withTimesOfLts(from, EVER)).toBe(EVER)
    expect(from.statements).toEqual([])
  })

  test('a message from before the index is found, though no block says when it was made', async () => {
    const [message] = await store.read.query<{ hash: Uint8Array }>(
      sql`select hash from messages where created_lt is not null order by created_lt desc limit 1`,
    )
    await store.transaction((to) =>
      to.query(sql`update messages set created_lt = 7, created_at = 100 where hash = ${message?.hash ?? null}`),
    )
    for (const lts of [{ startLt: 5n }, { startLt: 5n, endLt: 9n }, { endLt: 9n }]) {
      const bounds = await withTimesOfLts(store.read, { startUtime: 50, endUtime: 150, ...lts })
      const { rows } = await readPage(store.read, messagesRead(bounds, PAGE, 'asc'))
      expect(rows.map(({ hash }) => Buffer.from(hash))).toEqual([Buffer.from(message?.hash ?? [])])
    }
  })

  test.each(LISTS)('%s: none is looked at behind a time that is later than the last logical time', async (name) => {
    const [middle] = await store.read.query<{ now: bigint }>(
      sql`select gen_utime as now from blocks where workchain = -1 order by seqno offset 40 limit 1`,
    )
    const given = { startUtime: Number(middle?.now), endLt: 1000n }
    for (const sort of ['asc', 'desc'] as const) {
      const from = recording(store.read)
      const bounded = await withTimesOfLts(from, given)
      const { statement } = reads[name]?.(bounded, PAGE, sort) ?? blocksRead({}, PAGE, sort)
      expect(await store.read.query(statement)).toEqual([])
      let looked = 0
      for (const one of [...from.statements, statement]) looked += rowsRead(await planOf(store.read, one))
      expect(looked).toBeLessThan(50)
    }
  })

  test.each(LISTS)(
    '%s: what a shard has in front of the first masterchain block is found, also where it is newer',
    async (name) => {
      const [early] = await store.read.query<{ lt: bigint }>(
        sql`select max(lt) as lt from (select lt from transactions order by lt limit 40) t`,
      )
      const endLt = early?.lt ?? 0n
      await store
        .transaction(async (to) => {
          await to.query(sql`delete from blocks where workchain = -1 and start_lt <= ${endLt}`)
          // A block without transactions.
          await to.query(sql`update blocks set gen_utime = gen_utime + 5000
          where start_lt = (select max(start_lt) from blocks where start_lt <= ${endLt})`)
          const read = reads[name]
          if (read === undefined) throw new Error('no such list')
          let count = 0
          for (const startUtime of [1, 1000])
            for (const sort of ['asc', 'desc'] as const) {
              const given = { startUtime, endLt }
              const rowsOf = async (bounds: Bounds) =>
                (await to.query(read(bounds, PAGE, sort).statement)).map((row) =>
                  JSON.stringify(row, (_, value) => String(value)),
                )
              const bounded: Bounds = await withTimesOfLts(to, given)
              expect(bounded.endUtime).toBeLessThan(EVER.endUtime)
              const rows = await rowsOf(bounded)
              expect(rows).toEqual(await rowsOf(given))
              count += rows.length
            }
          expect(name === 'messages with an opcode' || count > 0).toBe(true)
          throw new Error('nothing of it stays')
        })
        .catch((error: unknown) => expect(error).toMatchObject({ message: 'nothing of it stays' }))
    },
  )

  test('times that no block reaches have no rows', async () => {
    for (const bounds of [
      { startUtime: 1, startLt: 2n ** 62n },
      { endUtime: 2 ** 32 - 1, startLt: 2n ** 62n, endLt: 2n ** 63n - 1n },
    ])
      expect(
        (await readPage(store.read, transactionsRead(await withTimesOfLts(store.read, bounds), PAGE, 'asc'))).rows,
      ).toEqual([])
  })
})
