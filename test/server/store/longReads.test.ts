// A page of thousands of transactions without stored texts: each of its statements is short.

import { expect, test } from 'vitest'
import {
  readAll,
  readTransactionMessages,
  readTransactionParts,
  readTransactionsByHash,
  type Sql,
  transactionsByHashRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'

const TRANSACTIONS = 2000

test.each(drivers)('what belongs to many transactions is read in parts: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  await fill(database, { transactions: TRANSACTIONS, accounts: 100 })
  const rows = await readAll(
    database.read,
    transactionsRead({}, { limit: TRANSACTIONS, offset: 0, after: null }, 'desc'),
  )
  expect(rows.length).toBeGreaterThanOrEqual(TRANSACTIONS)
  const lengths: number[] = []
  const counting: Sql = {
    async query(statement, options) {
      const found = await database.read.query(statement, options)
      lengths.push(found.length)
      return found as never
    },
  }
  const hashes = rows.map(({ hash }) => hash)
  const whole = await readTransactionParts(counting, rows)
  const named = await readTransactionsByHash(counting, hashes)
  const withMessages = await readTransactionMessages(counting, rows)
  expect(Math.max(...lengths)).toBeLessThan(2500)
  expect(whole.map(({ row }) => row)).toEqual(rows)
  expect(withMessages.map(({ row }) => row)).toEqual(rows)
  const byHash = (all: readonly { hash: Uint8Array }[]) =>
    all.map(({ hash }) => Buffer.from(hash).toString('hex')).sort()
  expect(byHash(named)).toEqual(byHash(await readAll(database.read, transactionsByHashRead(hashes))))
  const few = rows.slice(700, 710)
  expect(whole.slice(700, 710)).toEqual(await readTransactionParts(database.read, few))
  expect(await readTransactionParts(counting, [])).toEqual([])
})
