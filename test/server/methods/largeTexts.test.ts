// A transaction that sent 254 messages of thousands of cells, as anybody can make one for a TON or two: its text has tens of megabytes.

import { expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import { type ActionExtras, writeActionList } from '../../../server/methods/v3/actions/writtenActions.ts'
import { demandShortPage } from '../../../server/methods/v3/bounded/boundedParts.ts'
import { makeText } from '../../../server/methods/v3/texts/storedText.ts'
import { addTransactionList } from '../../../server/methods/v3/written/writtenList.ts'
import { WrittenTransactions } from '../../../server/methods/v3/written/writtenTransactions.ts'
import {
  addPendingTrace,
  addPendingTransaction,
  toPendingTransaction,
} from '../../../server/methods/view/v3/pending.ts'
import { LargeText, toIndexedTransaction } from '../../../server/methods/view/v3/transaction.ts'
import {
  ByteSpan,
  type ListedAction,
  messagesRead,
  type Sql,
  UnpackedText,
  writeMasterBlocks,
} from '../../../server/store/index.ts'
import { ACTION_TIMES } from '../../setup/actionTimes.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { filledRows } from '../../setup/filler.ts'
import { openMemoryStore } from '../../setup/memoryStore.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { withMessages } from '../../setup/withMessages.ts'
import { jsonOf } from '../../setup/writtenList.ts'

const SENT = 254

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const hashOf = (transaction: number, message: number): Uint8Array => {
  const hash = new Uint8Array(32).fill(message)
  hash[0] = transaction
  return hash
}

const all = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
const usual = all.find(({ inMessage, outMessages }) => inMessage !== null && outMessages.length > 1)
const [sent] = usual?.outMessages ?? []
if (usual === undefined || sent === undefined) throw new Error('no transaction sent anything')

const tree = treeOf(5400)
const body = { bodyHash: tree.hashBytes(), body: writeBoc(tree) }
const outMessages = Array.from({ length: SENT }, (_, i) => ({ ...sent, ...body, hash: new Uint8Array(32).fill(i) }))
const large = { ...usual, outMessages }
const text = JSON.stringify(toIndexedTransaction(large))

// The cast: nothing is read.
const newest = { get: () => large, rowOf: () => undefined }
const written = new WrittenTransactions({} as Sql, { newest })

test('each of its messages is a piece of a page, whose text is that of the whole', async () => {
  const [made] = await written.of([large.row])
  if (made === undefined) throw new Error('it was not written')
  const page = new UnpackedText()
  page.begin()
  const list = {
    found: [{ hash: large.row.hash, mcSeqno: large.row.mcSeqno, block: large.row.block }],
    others: new Map([[made.hash, made]]),
  }
  const pieces = [...addTransactionList({ ...list, book: [], next: null }, page, new Set())]
  expect(pieces.filter((isLong) => isLong).length).toBeGreaterThanOrEqual(SENT)
  expect(page.take() === `[${text}]`).toBe(true)
  expect(jsonOf(made.text) === text).toBe(true)
})

test('others have their turns while an action is written with it', async () => {
  const hash = new ByteSpan(new Uint8Array(32), 0, 32)
  const spanOf = (words: string) => new ByteSpan(Buffer.from(words), 0, words.length)
  // The cast: nothing else of it is written.
  const row = {
    traceId: hash,
    actionId: hash,
    type: spanOf('call_contract'),
    details: spanOf('{}'),
    ...ACTION_TIMES,
    transactions: [large.row.hash],
    parties: [],
    success: true,
    traceExternalHash: null,
    traceExternalHashNorm: null,
    parentGaslessAction: null,
  } as unknown as ListedAction
  const transactionsOf: NonNullable<ActionExtras['transactionsOf']> = () => [new LargeText(large)]
  const extras = { accounts: false, changesOf: null, transactionsOf }
  const { found, turns } = await turnsOf(() => writeActionList([row], extras, { sliceMs: 0 }))
  expect(turns).toBeGreaterThanOrEqual(SENT)
  expect(found.text.json.includes(`"transactions_full":[${text}]`)).toBe(true)
})

test.each([true, false])('so it is among the pending ones and in emulations (emulated: %s)', (emulated) => {
  const pending = { hash: large.row.hash, hashNorm: large.row.hash, traceId: large.row.traceId, nodes: [] }
  for (const [found, least] of [
    [large, SENT],
    [usual, 0],
  ] as const) {
    const page = new UnpackedText()
    page.begin()
    const pieces = [...addPendingTransaction(pending, { found, emulated }, page)]
    expect(pieces.length).toBeGreaterThanOrEqual(least)
    expect(page.take() === JSON.stringify(toPendingTransaction(pending, { found, emulated }))).toBe(true)
  }
})

test('a pending trace that has it is written message by message', () => {
  const nodes = [
    { found: usual, emulated: false },
    { found: large, emulated: true },
  ]
  const pending = { hash: large.row.hash, hashNorm: large.row.hash, traceId: large.row.traceId, nodes }
  const page = new UnpackedText()
  page.begin()
  const pieces = [...addPendingTrace(pending, [], page)]
  expect(pieces.filter((isLong) => isLong).length).toBeGreaterThanOrEqual(SENT)
  const { transactions, actions } = JSON.parse(page.take())
  expect(actions).toEqual([])
  const name = Buffer.from(large.row.hash).toString('base64')
  expect(JSON.stringify(transactions[name]) === JSON.stringify(toPendingTransaction(pending, nodes[1] as never))).toBe(
    true,
  )
})

test('it is not stored, where it would be short and have to be unpacked in one piece; the usual ones are', () => {
  expect(makeText(large).text).toBe('')
  expect(makeText(usual).text).not.toBe('')
})

test('more of them than an answer can hold are refused before they are read', async () => {
  const rows = filled.transactions
    .slice(0, 12)
    .map((row) => ({ ...row, description: row.description.replace(/}$/, `,"action":{"msgs_created":${SENT}}}`) }))
  const [usualMessage] = filled.messages
  if (usualMessage === undefined) throw new Error('no message was filled')
  const messages = rows.flatMap(({ hash }, k) =>
    Array.from({ length: SENT }, (_, i) => ({ ...usualMessage, ...body, hash: hashOf(k, i), outTxHash: hash })),
  )
  const store = await openMemoryStore()
  try {
    await store.transaction((to) => writeMasterBlocks(to, { ...filled, messages: [...filled.messages, ...messages] }))
    const texts = new WrittenTransactions(store.read)
    await expect(texts.of(rows)).rejects.toThrow(/12 transactions have 2\d\d MB, 128 MB at most/)
    expect(await texts.of(rows.slice(0, 3))).toHaveLength(3)
    const page = (limit: number) => messagesRead({}, { limit, offset: 0, after: null }, 'desc')
    await expect(demandShortPage(store.read, page(3000))).rejects.toThrow(
      /3000 of these messages have 1[3-9]\d MB, 128 MB/,
    )
    await demandShortPage(store.read, page(1000))
    expect(await texts.of(filled.transactions.slice(12))).toHaveLength(filled.transactions.length - 12)
  } finally {
    await store.close()
  }
})

test('those of the newest blocks, which are in memory, count as well', async () => {
  await expect(written.of(new Array(12).fill(large.row))).rejects.toThrow(
    /12 transactions have 2\d\d MB, 128 MB at most/,
  )
  expect(await written.of([large.row, large.row])).toHaveLength(2)
})
