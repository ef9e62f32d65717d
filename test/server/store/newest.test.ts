// What is kept of the newest transactions: the same as what is read of them, or nothing.

import { expect, test } from 'vitest'
import { toIndexedTransaction } from '../../../server/methods/view/v3/transaction.ts'
import {
  type MasterBlockRows,
  NewestTransactions,
  readAll,
  readTransactionParts,
  sql,
  transactionsByHashRead,
} from '../../../server/store/index.ts'
import { filledRows } from '../../setup/filler.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { prepare } from '../devchain/traffic.ts'
import { index, openNode, openStore, playOut, upToDate } from '../indexer/indexScene.ts'

test('real traffic: whatever it shows is what the store shows, and of the newest it shows most', {
  timeout: 600_000,
}, async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const newest = new NewestTransactions()
  const indexer = index({ node, database, onWritten: (rows) => newest.wrote(rows) })
  const scene = await prepare(chain, 6)
  for (let seed = 1; seed <= 4; seed++) await playOut(chain, scene, seed)
  await upToDate(indexer, chain)
  const hashes = (await database.read.query(sql`select hash from transactions order by lt desc limit 300`)).map(
    ({ hash }) => hash as Uint8Array,
  )
  const rows = await readAll(database.read, transactionsByHashRead(hashes))
  const found = await readTransactionParts(database.read, rows)
  let checked = 0
  for (const one of found) {
    const kept = newest.get(one.row)
    if (kept === undefined) continue
    checked++
    expect(JSON.stringify(toIndexedTransaction(kept))).toBe(JSON.stringify(toIndexedTransaction(one)))
  }
  expect(checked).toBeGreaterThan(found.length / 2)
})

const [first, second] = [...filledRows({ transactions: 60, accounts: 12, atOnce: 1 })]
if (first === undefined || second === undefined) throw new Error('nothing was filled')

test('one that stands elsewhere, or is of another chain, is not reported', () => {
  const newest = new NewestTransactions()
  const [row] = first.transactions
  if (row === undefined) throw new Error('there is no transaction')
  expect(newest.get(row)).toBeUndefined()
  newest.wrote({ ...first, accountStates: statesOf(first) })
  expect(newest.get(row)).toMatchObject({ row: { hash: row.hash } })
  expect(newest.rowOf(row)).toBe(row)
  const { mcSeqno, block } = row
  const elsewhere = [
    { ...row, mcSeqno: mcSeqno + 1 },
    { ...row, block: { ...block, seqno: block.seqno + 1 } },
    { ...row, block: { ...block, workchain: block.workchain + 5 } },
    { ...row, hash: new Uint8Array(32) },
  ]
  for (const place of elsewhere) expect([newest.get(place), newest.rowOf(place)]).toEqual([undefined, undefined])
})

test('a message or a state that is not available is looked for elsewhere', () => {
  const newest = new NewestTransactions()
  newest.wrote({ ...first, messages: [], accountStates: statesOf(first) })
  newest.wrote({ ...second, accountStates: [] })
  for (const row of first.transactions) if (row.inMsgHash !== null) expect(newest.get(row)).toBeUndefined()
  const ends = second.transactions.map(({ stateBefore }) => Buffer.from(stateBefore).toString('hex'))
  for (const row of second.transactions)
    if (!ends.includes(Buffer.from(row.stateAfter).toString('hex'))) expect(newest.get(row)).toBeUndefined()
})

test('a state the store has is not listed as one that is unknown, however many there are', () => {
  const newest = new NewestTransactions()
  const [account] = statesOf(first)
  const { transactions } = first
  const [earlier] = transactions
  if (account === undefined || earlier === undefined) throw new Error('there is no transaction')
  // The state between two blocks of one batch, and more states than are kept behind it.
  const later = { ...earlier, hash: new Uint8Array(32).fill(7), stateBefore: earlier.stateAfter }
  const between = { ...account, hash: earlier.stateAfter }
  const many = Array.from({ length: 6_000 }, (_, i) => ({ ...account, hash: Buffer.alloc(32, `state ${i}`) }))
  newest.wrote({ ...first, transactions: [earlier, later], accountStates: [between, ...many] })
  expect(newest.get(earlier)).toBeUndefined()
  expect(newest.get(later)).toBeUndefined()
})

test('no more is kept than the last some hundred', () => {
  const newest = new NewestTransactions()
  const states = statesOf(first)
  newest.wrote({ ...first, accountStates: states })
  const many = { ...second, accountStates: [] }
  const count = Math.ceil(500 / many.transactions.length)
  for (let i = 0; i <= count; i++) newest.wrote(many)
  for (const row of first.transactions) expect(newest.get(row)).toBeUndefined()
})

/** All states before and after are known. */
const statesOf = ({ transactions }: MasterBlockRows): MasterBlockRows['accountStates'] =>
  transactions.flatMap(({ stateBefore, stateAfter }) =>
    [stateBefore, stateAfter].map((hash) => ({
      hash,
      balance: 1n,
      extra: {},
      status: 'active' as const,
      frozenHash: null,
      dataHash: null,
      codeHash: null,
    })),
  )

test('a large batch is indexed in pieces, and nothing of it is found before', async () => {
  const [large] = filledRows({ transactions: 5_000, accounts: 500, atOnce: 1000 })
  const row = large?.transactions.at(-1)
  if (large === undefined || row === undefined) throw new Error('nothing was filled')
  const newest = new NewestTransactions()
  newest.wrote(large)
  const { turns } = await turnsOf(async () => {
    while (newest.rowOf(row) === undefined) await new Promise(setImmediate)
  })
  expect(newest.rowOf(row)).toBe(row)
  expect(turns).toBeGreaterThan(50)
})
