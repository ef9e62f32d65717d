// Lists of several accounts, by separate selects up to 64 accounts and by one select beyond, hold the same rows.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountKey, readPage, sql, type TransactionRow, transactionsRead } from '../../../server/store/index.ts'
import { transactions } from '../../../server/store/tables/chain.ts'
import { decoderOf } from '../../../server/store/tables/decoder.ts'
import { drivers, type TestDatabase } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { fill } from '../../setup/filler.ts'

const decodeAccount = decoderOf({ account: transactions.fields.account })

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  let all: readonly AccountKey[] = []
  beforeAll(async () => {
    database = await emptyStore(driver)
    await fill(database, { transactions: 800, accounts: 150 })
    const rows = await database.read.query(
      sql`select account from transactions group by account order by count(*) desc, account limit 80`,
    )
    all = rows.map((row) => decodeAccount(row).account)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  const hashesOf = (rows: readonly TransactionRow[]) => rows.map(({ hash }) => Buffer.from(hash).toString('hex'))

  test.each([2, 64, 65, 80])('%i accounts: pages are those of a plain statement, in both directions', async (count) => {
    const accounts = all.slice(0, count)
    expect(accounts).toHaveLength(count)
    for (const sort of ['asc', 'desc'] as const) {
      const expected = await database.read.query<{
        hash: string
      }>(sql`select encode(hash, 'hex') as hash from transactions
        where account = any(${accounts}::bytea[]) order by lt ${sql.identifier(sort)}, account limit 60`)
      const first = await readPage(
        database.read,
        transactionsRead({ accounts: [...accounts, ...accounts] }, { limit: 30, offset: 0, after: null }, sort),
      )
      const second = await readPage(
        database.read,
        transactionsRead({ accounts }, { limit: 30, offset: 0, after: first.next }, sort),
      )
      expect(hashesOf([...first.rows, ...second.rows])).toEqual(expected.map(({ hash }) => hash))
    }
  })
})
