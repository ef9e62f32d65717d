// Reads by keys have one plan for all values: a server that plans them for each call spends more on that than on reading.

import { expect, test } from 'vitest'
import {
  accountsRead,
  describedTokensRead,
  heldJettonsRead,
  indexedRead,
  jettonWalletsRead,
  nftSalesRead,
  transactionsByHashRead,
  transactionsRead,
} from '../../../server/store/index.ts'

const KEY = Buffer.alloc(33, 0x80)
const HASH = Buffer.alloc(32, 1)
const PAGE = { limit: 10, offset: 0, after: null }

test.each([
  ['accounts', accountsRead({ accounts: [KEY], bags: true })],
  ['jetton wallets among accounts', heldJettonsRead([KEY])],
  ['descriptions of tokens', describedTokensRead([KEY])],
  ['sales', nftSalesRead([KEY])],
  ['the first and the last block', indexedRead()],
  ['transactions', transactionsByHashRead([HASH])],
  ['a page of transactions with some hashes', transactionsRead({ hashes: [HASH] }, PAGE, 'desc')],
])('%s, by keys, are planned once', (_, { statement }) => {
  expect(statement.isSteady).toBe(true)
})

test.each([
  ['accounts with some code', accountsRead({ accounts: [KEY], codeHashes: [HASH], bags: false })],
  ['transactions with some hashes and another condition', transactionsRead({ hashes: [HASH], lt: 1n }, PAGE, 'desc')],
  ['jetton wallets by balance', jettonWalletsRead({ owners: [KEY] }, PAGE, 'desc')],
])('%s are planned for the values of each call', (_, { statement }) => {
  expect(statement.isSteady ?? false).toBe(false)
})
