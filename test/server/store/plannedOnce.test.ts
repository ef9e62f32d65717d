// Reads by keys and lists along one index have one plan for all values: a server that plans them for each call spends more on that than on reading.

import { expect, test } from 'vitest'
import {
  accountsRead,
  actionsRead,
  adjacentRead,
  blocksRead,
  heldJettonsRead,
  indexedRead,
  jettonBurnsRead,
  jettonTransfersRead,
  jettonWalletsRead,
  nftItemsRead,
  nftSalesRead,
  nftTransfersRead,
  shardStateRead,
  topAccountsRead,
  transactionsByHashRead,
  transactionsRead,
} from '../../../server/store/index.ts'
import { sidesStatement } from '../../../server/store/read/sides.ts'

const KEY = Buffer.alloc(33, 0x80)
const OTHER = Buffer.alloc(33, 0x81)
const HASH = Buffer.alloc(32, 1)
const PAGE = { limit: 10, offset: 0, after: null }

test.each([
  ['accounts', accountsRead({ accounts: [KEY], bags: true })],
  ['jetton wallets among accounts', heldJettonsRead([KEY])],
  ['names and tokens', { statement: sidesStatement([KEY], { book: true, tokens: true }) }],
  ['sales', nftSalesRead([KEY])],
  ['the first and the last block', indexedRead()],
  ['transactions', transactionsByHashRead([HASH])],
  ['a page of transactions with some hashes', transactionsRead({ hashes: [HASH] }, PAGE, 'desc')],
  ['transactions of a trace', transactionsRead({ traceId: HASH }, PAGE, 'asc')],
  ['transactions of a masterchain block', transactionsRead({ mcSeqno: 1 }, PAGE, 'desc')],
  ['transactions next to one', adjacentRead(HASH, null)],
  ['all blocks', blocksRead({}, PAGE, 'desc')],
  ['blocks of a shard', blocksRead({ workchain: 0, shard: 1n }, PAGE, 'asc')],
  ['a block', blocksRead({ workchain: 0, shard: 1n, seqno: 1 }, PAGE, null)],
  ['blocks of a masterchain block', blocksRead({ mcSeqno: 1 }, PAGE, null)],
  ['the newest blocks of shards', shardStateRead(1)],
  ['the richest accounts', topAccountsRead({ limit: 10, offset: 0 })],
  ['jetton wallets of an owner by balance', jettonWalletsRead({ owners: [KEY] }, PAGE, 'desc')],
  ['jetton wallets of an owner and a jetton', jettonWalletsRead({ owners: [KEY], jettons: [KEY] }, PAGE, 'desc')],
  ['items of an owner', nftItemsRead({ owners: [KEY], withSales: false }, PAGE)],
  ['items of a collection', nftItemsRead({ collections: [KEY], withSales: false }, PAGE)],
  ['actions of an account', actionsRead({ account: KEY, hiddenWithin: [] }, PAGE, 'desc')],
  ['actions of some traces', actionsRead({ traceIds: [HASH], hiddenWithin: [] }, PAGE, 'desc')],
  [
    'actions of a type before a time',
    actionsRead({ types: ['ton_transfer'], endLt: 1n, hiddenWithin: [] }, PAGE, 'desc'),
  ],
  ['transfers of an owner', jettonTransfersRead({ owners: [KEY], direction: null }, PAGE, 'desc')],
  ['burns of an owner and a jetton', jettonBurnsRead({ owners: [KEY], jetton: KEY }, PAGE, 'desc')],
  ['transfers of items', nftTransfersRead({ direction: null }, PAGE, 'desc')],
])('%s, by keys or along one index, are planned once', (_, { statement }) => {
  expect(statement.isSteady).toBe(true)
})

test.each([
  ['accounts with some code', accountsRead({ accounts: [KEY], codeHashes: [HASH], bags: false })],
  ['transactions with some hashes and another condition', transactionsRead({ hashes: [HASH], lt: 1n }, PAGE, 'desc')],
  ['jetton wallets of some owners', jettonWalletsRead({ owners: [KEY, OTHER] }, PAGE, 'desc')],
  [
    'items of an owner after a key',
    nftItemsRead({ owners: [KEY], withSales: false }, { ...PAGE, after: [OTHER, 1n, KEY] }),
  ],
  ['blocks between two times', blocksRead({ startUtime: 1, endUtime: 2 }, PAGE, 'desc')],
  ['actions of a trace before a time', actionsRead({ traceIds: [HASH], endLt: 1n, hiddenWithin: [] }, PAGE, 'desc')],
  ['transfers of some owners', jettonTransfersRead({ owners: [KEY, OTHER], direction: null }, PAGE, 'desc')],
  [
    'transfers of a wallet and an owner',
    jettonTransfersRead({ owners: [KEY], wallets: [KEY], direction: null }, PAGE, 'desc'),
  ],
])('%s are planned for the values of each call', (_, { statement }) => {
  expect(statement.isSteady ?? false).toBe(false)
})
