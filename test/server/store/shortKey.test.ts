// Indexes hold the ends of accounts and hashes: what has the same end is another account all the same.

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
  await fill(store, { transactions: 300, accounts: 30 })
  const columns = {
    transactions: { account: 26, in_body_hash: 25 },
    messages: { source: 26, destination: 26, body_hash: 25 },
    trace_accounts: { account: 26 },
  }
  await store.transaction(async (to) => {
    for (const [table, kept] of Object.entries(columns))
      for (const [column, length] of Object.entries(kept)) {
        const name = sql.identifier(column)
        await to.query(sql`update ${sql.identifier(table)}
          set ${name} = substring(${name} for ${length}::int4) || '\\x01020304050607'::bytea`)
      }
  })
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
