// The accounts and names of a trace of tens of thousands of transactions: found without going through the trace again and again.

import { expect, test } from 'vitest'
import { LargeTraces } from '../../../server/methods/live/largeTraces.ts'
import { type Sql, type SqlText, sql, type TraceRow } from '../../../server/store/index.ts'
import { type Driver, drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const ACCOUNTS = 24_000
const TRACE = Buffer.alloc(32, 9)

/** A filled database with a trace of a transaction for each of the accounts. */
async function withLargeTrace(driver: Driver) {
  const store = await freshDatabase(driver)
  await fill(store, { transactions: 100, accounts: 20 })
  await store.transaction((to) =>
    to.query(sql`insert into transactions select r.*
      from (select t from transactions t limit 1) o(t) cross join generate_series(1, ${ACCOUNTS}::int4) i cross join lateral
        jsonb_populate_record(t, jsonb_build_object('hash', sha256(('t' || i)::bytea), 'trace_id', ${TRACE}::bytea,
          'account', '\\x80'::bytea || sha256(i::text::bytea), 'lt', 1000000 + i)) r`),
  )
  await store.transaction((to) => to.query(sql`analyze`))
  const [row] = await store.read.query<{ seqno: number }>(sql`select max(mc_seqno) as seqno from blocks`)
  if (row === undefined) throw new Error('no block')
  return { store, trace: { traceId: TRACE, mcSeqnoEnd: row.seqno, nodes: ACCOUNTS } }
}

test.each(drivers)('%s: each account of a large trace once, and each transaction is looked at once', async (driver) => {
  const { store: made, trace } = await withLargeTrace(driver)
  await using store = made
  const statements: SqlText[] = []
  const watched: Sql = {
    query(statement, options) {
      if (statement.text.includes('distinct')) statements.push(statement)
      return store.read.query(statement, options)
    },
  }
  const found = new Set<string>()
  let count = 0
  for await (const accounts of new LargeTraces(watched).accounts(trace))
    for (const account of accounts) {
      found.add(Buffer.from(account).toString('hex'))
      count++
    }
  expect([found.size, count]).toEqual([ACCOUNTS, ACCOUNTS])
  let rows = 0
  for (const statement of statements) rows += rowsRead(await planOf(store.read, statement, store.kind), 'transactions')
  expect(rows).toBeLessThan(1.1 * ACCOUNTS)
})

test.each(drivers)(
  '%s: the names of a large trace, the last first, are read by looking at each once',
  async (driver) => {
    const { store: made, trace } = await withLargeTrace(driver)
    await using store = made
    const statements: SqlText[] = []
    const watched: Sql = {
      query(statement, options) {
        statements.push(statement)
        return store.read.query(statement, options)
      },
    }
    const places: string[] = []
    const isNamed = (account: Uint8Array): boolean => {
      places.push(Buffer.from(account).toString('hex'))
      return false
    }
    // The casts: nothing else of the trace is read.
    const head = { nodes: [] } as unknown as Parameters<LargeTraces['parts']>[0]
    const pace = { isDue: false, rest: () => Promise.resolve() }
    const first = 20
    const parts = new LargeTraces(watched).parts(head, trace as unknown as TraceRow, { first, isNamed, pace })
    expect((await parts.next()).done).toBe(true)
    const inOrder = await store.read.query<{ account: Uint8Array }>(
      sql`select account from transactions where trace_id = ${TRACE} order by lt desc, account offset ${100 * first}`,
    )
    expect(places).toEqual(inOrder.map(({ account }) => Buffer.from(account).toString('hex')))
    let rows = 0
    for (const statement of statements)
      rows += rowsRead(await planOf(store.read, statement, store.kind), 'transactions')
    expect(rows).toBeLessThan(1.1 * ACCOUNTS)
  },
)
