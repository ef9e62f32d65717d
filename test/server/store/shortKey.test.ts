// Indexes hold keys of accounts and hashes: what has the same key is another account all the same.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MessageFilter,
  messagesRead,
  type PagedRead,
  readPage,
  type SqlText,
  sql,
  tracesRead,
  transactionsByMessageRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { fill } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'

const PAGE = { limit: 1000, offset: 0, after: null }

let store: MemoryStore

beforeAll(async () => {
  store = await openMemoryStore()
  await store.transaction((to) =>
    to.query(sql`create or replace function short_key(bytea) returns int8
    language sql immutable parallel safe return case when $1 is not null then 7::int8 end`),
  )
  await fill(store, { transactions: 300, accounts: 30 })
})
afterAll(() => store.close())

/** The values of a column with the most rows. */
async function valuesOf(
  table: string,
  column: string,
): Promise<{ readonly value: Uint8Array; readonly rows: number }[]> {
  const name = sql.identifier(column)
  const rows = await store.read.query<{ value: Uint8Array; rows: bigint }>(
    sql`select ${name} as value, count(*) as rows from ${sql.identifier(table)} where ${name} is not null
      group by 1 order by 2 desc, 1 limit 8`,
  )
  return rows.map(({ value, rows: count }) => ({ value, rows: Number(count) }))
}

const count = async <T>(read: PagedRead<T>): Promise<number> => (await readPage(store.read, read)).rows.length

test.each(['asc', 'desc'] as const)('lists have the rows of one account only: %s', async (sort) => {
  const lists: readonly [string, string, (value: Uint8Array) => PagedRead<unknown>][] = [
    ['transactions', 'account', (one) => transactionsRead({ accounts: [one] }, PAGE, sort)],
    ['transactions', 'account', (one) => transactionsRead({ accounts: [one], startUtime: 1 }, PAGE, sort)],
    [
      'transactions',
      'in_body_hash',
      (bodyHash) => transactionsByMessageRead({ bodyHash, direction: 'in' }, PAGE, sort),
    ],
    ...(['source', 'destination'] as const).map((end): [string, string, (value: Uint8Array) => PagedRead<unknown>] => [
      'messages',
      end,
      (one) => messagesRead({ [end]: one } satisfies MessageFilter, PAGE, sort),
    ]),
    ['messages', 'body_hash', (bodyHash) => messagesRead({ bodyHash }, PAGE, sort)],
    ['trace_accounts', 'account', (account) => tracesRead({ account }, PAGE, sort)],
  ]
  for (const [table, column, read] of lists) {
    const values = await valuesOf(table, column)
    expect(values.length, column).toBeGreaterThan(1)
    for (const { value, rows } of values) expect(await count(read(value)), `${table} by ${column}`).toBe(rows)
  }
})

test('so have lists of several, and those of messages that leave the chain', async () => {
  const [first, second] = await valuesOf('transactions', 'account')
  if (!first || !second) throw new Error('there are two accounts')
  const both = transactionsRead({ accounts: [first.value, second.value] }, PAGE, 'desc')
  expect(await count(both)).toBe(first.rows + second.rows)
  const counted: SqlText = sql`select count(*) as rows from messages where destination is null`
  const [left] = await store.read.query<{ rows: bigint }>(counted)
  expect(await count(messagesRead({ destination: null }, PAGE, 'desc'))).toBe(Number(left?.rows))
})
