// Transactions that are written once: what comes out the second time, and what is looked at again.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WrittenTransactions } from '../../../server/methods/v3/written/writtenTransactions.ts'
import { accountsOfTransaction, toIndexedTransaction } from '../../../server/methods/view/v3/transaction.ts'
import {
  bookRead,
  readAll,
  readTransactionParts,
  rollbackTo,
  type Sql,
  type TransactionRow,
  transactionsByHashRead,
  transactionsRead,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { NOTHING } from '../../setup/emptyBlock.ts'
import { filledRows } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { jsonOf } from '../../setup/writtenList.ts'

let store: MemoryStore
let hashes: readonly Uint8Array[] = []
const [filled] = filledRows({ transactions: 60, accounts: 12, atOnce: 2 })
if (filled === undefined) throw new Error('nothing was filled')

beforeEach(async () => {
  store = await openMemoryStore()
  await store.transaction((to) => writeMasterBlocks(to, filled))
  hashes = filled.transactions.map(({ hash }) => hash)
})
afterEach(() => store.close())

/** The same store, and how often it was queried. */
function counted(): Sql & { readonly requested: () => number } {
  let count = 0
  return {
    requested: () => count,
    query(statement, options) {
      count++
      return store.read.query(statement, options)
    },
  }
}

const rowsOf = async (): Promise<TransactionRow[]> => readAll(store.read, transactionsByHashRead(hashes))

const textsOf = async (written: WrittenTransactions, rows: readonly TransactionRow[]): Promise<unknown[]> =>
  (await written.of(rows)).map(({ text }) => JSON.parse(jsonOf(text)))

test('default: the text is that of the object, in the order of the rows, with those it names', async () => {
  const rows = await rowsOf()
  const found = await readTransactionParts(store.read, rows)
  const written = await new WrittenTransactions(store.read).of(rows)
  expect(written.map(({ text }) => jsonOf(text))).toEqual(found.map((one) => JSON.stringify(toIndexedTransaction(one))))
  expect(written.map(({ accounts }) => accounts)).toEqual(found.map(accountsOfTransaction))
})

test('behavior: nothing is read for those that were written before, and all of the others', async () => {
  const rows = await rowsOf()
  const from = counted()
  const written = new WrittenTransactions(from)
  const some = rows.filter((_, i) => i % 3 !== 0)
  await textsOf(written, some)
  const before = from.requested()
  const again = await textsOf(written, some)
  expect(from.requested()).toBe(before)
  const all = await textsOf(written, rows)
  expect(all).toEqual(await textsOf(new WrittenTransactions(store.read), rows))
  expect(all.filter((_, i) => i % 3 !== 0)).toEqual(again)
  expect(await textsOf(written, [])).toEqual([])
})

test('behavior: a page of ten short ones is read in two statements: their size is known without one', async () => {
  const rows = (await rowsOf()).slice(0, 10)
  const from = counted()
  expect(await textsOf(new WrittenTransactions(from), rows)).toHaveLength(10)
  expect(from.requested()).toBe(2)
})

test('behavior: one that comes back in another block after the chain went back is reported with its new place', async () => {
  const written = new WrittenTransactions(store.read)
  const old = (await textsOf(written, await rowsOf())) as { mc_block_seqno: number }[]
  const last = filled.cursor.lastMcSeqno
  const moved = filled.transactions
    .filter(({ mcSeqno }) => mcSeqno === last)
    .map((row) => ({ ...row, mcSeqno: last + 5, block: { ...row.block, seqno: row.block.seqno + 5 } }))
  expect(moved.length).toBeGreaterThan(0)
  const lost = new Set(moved.map(({ hash }) => Buffer.from(hash).toString('hex')))
  const messages = filled.messages.filter(
    ({ hash, outTxHash }) =>
      (outTxHash !== null && lost.has(Buffer.from(outTxHash).toString('hex'))) ||
      moved.some(({ inMsgHash }) => inMsgHash !== null && Buffer.compare(inMsgHash, hash) === 0),
  )
  await store.transaction((to) => rollbackTo(to, { mcSeqno: last - 1, accounts: [], gone: [] }))
  expect(await rowsOf()).toHaveLength(old.length - moved.length)
  await store.transaction((to) =>
    writeMasterBlocks(to, {
      ...NOTHING,
      transactions: moved,
      messages,
      cursor: { ...filled.cursor, lastMcSeqno: last + 5 },
      previous: last - 1,
    }),
  )
  const shown = (await textsOf(written, await rowsOf())) as { mc_block_seqno: number }[]
  expect(shown.filter(({ mc_block_seqno }) => mc_block_seqno === last + 5)).toHaveLength(moved.length)
  expect(shown.some(({ mc_block_seqno }) => mc_block_seqno === last)).toBe(false)
  expect(shown).toEqual(await textsOf(new WrittenTransactions(store.read), await rowsOf()))
})

test('behavior: a state that was not known is reported soon after it is', async () => {
  let now = 1
  const from = counted()
  const written = new WrittenTransactions(from, { clock: { now: () => now } })
  const partial = (await readTransactionParts(store.read, await rowsOf())).find(({ after }) => after === null)
  if (partial === undefined) throw new Error('all states are known')
  const shown = async () => (await textsOf(written, [partial.row]))[0]
  const unknown = await shown()
  expect(unknown).toMatchObject({ account_state_after: { balance: null } })
  const state = { hash: partial.row.stateAfter, balance: 77n, extra: {}, status: 'active' } as const
  await store.transaction((to) =>
    writeMasterBlocks(to, {
      ...NOTHING,
      accountStates: [{ ...state, frozenHash: null, dataHash: null, codeHash: null }],
      cursor: { ...filled.cursor, lastMcSeqno: filled.cursor.lastMcSeqno + 1 },
      previous: filled.cursor.lastMcSeqno,
    }),
  )
  now = 1000
  expect(await shown()).toEqual(unknown)
  now = 20_000
  // A clock is looked at once in a millisecond.
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await shown()).toMatchObject({ account_state_after: { balance: '77' } })
})

test('error: names that cannot be read fail the call, also while its texts are still written', async () => {
  // Every piece of the work waits for its next turn, in which the failure comes.
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const gone = new Error('the caller has gone')
  const failing: Sql = {
    query: (statement, options) =>
      statement.text === bookRead([]).statement.text ? Promise.reject(gone) : store.read.query(statement, options),
  }
  const list = transactionsRead({}, { limit: 1000, offset: 0, after: null }, 'desc')
  // A rejection without a handler would end the process, and does end a run of tests.
  await expect(new WrittenTransactions(failing).list(list, {}, true)).rejects.toBe(gone)
})
