// Without statistics a planner expects anything. The index has them soon after a bulk load, and pages are bounded without them.

import { describe, expect, test } from 'vitest'
import {
  adjacentRead,
  type Database,
  type Sql,
  type SqlText,
  sentRead,
  sql,
  type TransactionFilter,
  transactionsByHashRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { analyzeOne } from '../../../server/store/postgres/keepStatistics.ts'
import { readTexts, type TextSource } from '../../../server/store/read/texts.ts'
import { transactions } from '../../../server/store/tables/chain.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const TRANSACTIONS = 12_000

const withoutStatistics = async (database: Database): Promise<void> => {
  for (const table of [
    'transactions',
    'transaction_texts',
    'messages',
    'accounts',
    'account_states',
    'codes',
    'traces',
  ])
    await database.transaction((to) =>
      to.query(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`),
    )
}

const notAnalyzed = async ({ read }: Database): Promise<string[]> => {
  const rows = await read.query(sql`select s.relname::text as name from pg_stat_user_tables s
    where s.relname in ('transactions', 'messages', 'account_states')
      and not exists (select from pg_stats p where p.tablename = s.relname) order by 1`)
  return rows.map(({ name }) => String(name))
}

/** Each transaction some times more, with other hashes. */
async function multiply(database: Database, times: number): Promise<void> {
  const names = transactions.columns.map(({ name }) => name)
  const values = names.map((name) =>
    name === 'hash' ? sql`sha256(t.hash || int4send(i))` : sql`t.${sql.identifier(name)}`,
  )
  await database.transaction((to) =>
    to.query(sql`insert into transactions (${sql.join(names.map(sql.identifier))})
      select ${sql.join(values)} from transactions t cross join generate_series(1, ${times}::int4) i`),
  )
}

/** The statement that reads such a list with its texts. */
async function statementOf(source: TextSource): Promise<SqlText> {
  const asked: SqlText[] = []
  const recording: Sql = {
    async query(statement) {
      asked.push(statement)
      return []
    },
  }
  await readTexts(recording, source, { version: 1, book: true })
  const [statement] = asked
  if (statement === undefined) throw new Error('nothing was asked')
  return statement
}

describe.runIf(drivers.includes('postgres'))('a server with a bulk load', () => {
  test('reads little for pages with texts, and has statistics once it is led', async () => {
    await using database = await freshDatabase('postgres', { readConnections: 1 })
    await withoutStatistics(database)
    await database.transaction((to) =>
      to.query(sql`delete from pg_statistic where starelid = 'transactions'::regclass`),
    )
    await fill(database, { transactions: TRANSACTIONS, accounts: 400 })
    await database.transaction((to) =>
      to.query(
        sql`insert into transaction_texts select hash, 1, 0, account, repeat('x', 300), '', '' from transactions`,
      ),
    )
    expect(await notAnalyzed(database)).toContain('transactions')
    const [{ account: busy } = {}] = await database.read.query<{ account: Uint8Array }>(
      sql`select account from transactions group by account order by count(*) desc limit 1`,
    )
    const [{ account: quiet } = {}] = await database.read.query<{ account: Uint8Array }>(
      sql`select account from transactions group by account order by count(*), account limit 1`,
    )
    const [{ hash, mcSeqno } = {}] = await database.read.query<{ hash: Uint8Array; mcSeqno: number }>(
      sql`select hash, mc_seqno as "mcSeqno" from transactions order by lt limit 1 offset ${TRANSACTIONS / 2}`,
    )
    if (busy === undefined || quiet === undefined || hash === undefined) throw new Error('there are no accounts')
    const filters: TransactionFilter[] = [
      {},
      { accounts: [busy] },
      { accounts: [quiet] },
      { accounts: [busy, quiet] },
      { workchain: 0 },
      { mcSeqno, excludeSystem: true },
      { hashes: [hash], excludeSystem: true },
    ]
    for (const filter of filters)
      for (const limit of [10, 300]) {
        const source = transactionsRead(filter, { limit, offset: 0, after: null }, 'desc')
        const read = rowsRead(await planOf(database.read, await statementOf(source), 'postgres'))
        expect(read, JSON.stringify({ ...filter, limit })).toBeLessThan(16 * limit + 200)
      }
    const messages = await database.read.query<{ hash: Uint8Array }>(sql`select hash from messages limit 40`)
    const hashes = messages.map((message) => message.hash)
    const plan = await planOf(database.read, sentRead(hashes).statement, 'postgres')
    expect(rowsRead(plan), plan.text).toBeLessThan(10 * hashes.length)
    const leading = await database.lead(new AbortController().signal)
    await expect.poll(() => notAnalyzed(database)).toEqual([])
    await leading.release()
  })

  test('reads transactions by their hashes without parallel workers', async () => {
    await using database = await freshDatabase('postgres', { readConnections: 1 })
    await withoutStatistics(database)
    await fill(database, { transactions: 4_000, accounts: 400 })
    await multiply(database, 14)
    expect(await notAnalyzed(database)).toContain('transactions')
    const [{ hash } = {}] = await database.read.query<{ hash: Uint8Array }>(sql`select hash from transactions limit 1`)
    if (hash === undefined) throw new Error('there are no transactions')
    for (const source of [transactionsByHashRead([hash]), adjacentRead(hash, null)]) {
      const plan = await planOf(database.read, await statementOf(source), 'postgres')
      expect(plan.text).not.toContain('Gather')
    }
  })

  test('is analyzed again when it has grown by half, and no table for ever', async () => {
    const made = { number: 1, name: '0001_notes', sql: 'create table notes (id int4) with (autovacuum_enabled = off)' }
    await using database = await freshDatabase('postgres', { migrations: [made] })
    const insert = (from: number, to: number) =>
      database.transaction((on) =>
        on.query(sql`insert into notes select * from generate_series(${from}::int4, ${to}::int4)`),
      )
    const look = async () => await expect.poll(() => analyzeOne(database, new Map()), { timeout: 300_000 }).toBe(true)
    expect(await analyzeOne(database, new Map())).toBe(false)
    await insert(1, 2_000)
    await look()
    await expect.poll(() => analyzeOne(database, new Map()), { timeout: 300_000 }).toBe(false)
    await insert(2_001, 3_000)
    expect(await analyzeOne(database, new Map())).toBe(false)
    await insert(3_001, 20_000)
    await look()
    const seen = new Map([['notes', performance.now()]])
    await insert(20_001, 90_000)
    expect(await analyzeOne(database, seen)).toBe(false)
  })
})
