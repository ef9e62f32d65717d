// Accounts that an earlier process indexed without their data: they are found in the index whatever interrupts the search.

import { expect, test } from 'vitest'
import { AccountBook, type AccountBookParts } from '../../../../server/indexer/accounts/accountBook.ts'
import { CarriedLacks } from '../../../../server/indexer/accounts/lackSearch.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { type AccountRow, type Database, StoreError } from '../../../../server/store/index.ts'
import { accounts } from '../../../../server/store/tables/accounts.ts'
import { insertRows } from '../../../../server/store/write/bulk.ts'
import { openEmptiedStore } from '../../../setup/emptiedStore.ts'

const LAST = 9

/** In both workchains, in the first and the last piece of each. */
const KEYS = [127, 128].flatMap((workchain) =>
  [0, 255].map((fill) => Uint8Array.of(workchain, ...Array(32).fill(fill))),
)

const rowOf = (account: Uint8Array): AccountRow => ({
  account,
  hash: account.subarray(1),
  balance: 1n,
  extra: {},
  status: 'active',
  frozenHash: null,
  dataHash: account.subarray(1),
  codeHash: null,
  data: null,
  lastTxHash: account.subarray(1),
  lastTxLt: 1n,
  mcSeqno: LAST,
})

async function filled() {
  const database = await openEmptiedStore()
  await database.transaction((to) => insertRows(to, accounts, KEYS.map(rowOf)))
  return database
}

/** A book of a remote chain after a restart, and what each leaves for the next. */
function booksOf() {
  const carried = new CarriedLacks()
  const progress = { lacking: 0 }
  const log = { warn: () => undefined }
  const open = (read: Database['read'], signal = new AbortController().signal): AccountBook => {
    // The casts: nothing of the chain is called.
    const chain = { traits: { firstSeqno: null } } as unknown as AccountBookParts['chain']
    const parts = { chain, database: { read }, lanes: new Slots(4), timeoutMs: 300_000, signal, log, carried, progress }
    return new AccountBook(parts, { codes: [], isEmpty: false, firstSeqno: LAST + 1 })
  }
  return { open, progress }
}

const found = (book: AccountBook): Promise<void> => expect.poll(() => book.lacking).toBe(KEYS.length)

/** Reads that wait until they are let go. */
function heldReads({ read }: Pick<Database, 'read'>) {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const query: Database['read']['query'] = async (...given) => {
    await held
    return await read.query(...given)
  }
  return { read: { query }, letGo }
}

test('behavior: the book after an interruption has what the search of the one before it finds', async () => {
  await using database = await filled()
  const { open, progress } = booksOf()
  const { read, letGo } = heldReads(database)
  open(read)
  const next = open(read)
  letGo()
  await found(next)
  await expect.poll(() => progress.lacking).toBe(KEYS.length)
})

test('behavior: a process that leads again goes on with the search', async () => {
  await using database = await filled()
  const { open } = booksOf()
  const { read, letGo } = heldReads(database)
  const lost = new AbortController()
  open(read, lost.signal)
  lost.abort()
  const next = open(database.read)
  letGo()
  await found(next)
})

test('behavior: a database that was away loses no account', async () => {
  await using database = await filled()
  const { open } = booksOf()
  open({ query: () => Promise.reject(new StoreError('unavailable', 'away')) })
  await found(open(database.read))
})
