// Transactions as they go over the wire, in the three forms of v2.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { toRawUpper } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { BlockTransaction, ExtTransaction, TransactionStd } from '../../../shared/v2/transaction.ts'
import { base64Pieces, type Cell, isLargeTree, openCell, writeBocText, writingBoc } from '../../cell/index.ts'
import type { VerifiedTransaction } from '../../node/index.ts'
import { loadMessage, loadTransaction, type Message, type Transaction } from '../../tlb/index.ts'
import { Written, write } from '../written.ts'
import { toTransactionId } from './ids.ts'
import { type BagText, toAddress, toMessage, toMessageStd } from './message.ts'
import { bounceableText } from './texts.ts'

function storageFeeOf({ description }: Transaction): bigint {
  return 'storage' in description ? (description.storage?.feesCollected ?? 0n) : 0n
}

type ReadMessage = readonly [cell: Cell, message: Message]

/** The messages a transaction sent, each parsed once. */
const sentBy = ({ outMessages }: Transaction): readonly ReadMessage[] =>
  [...outMessages].map(([, cell]) => [cell, loadMessage(openCell(cell))])

/** Fees the account paid, and forwarding fees of its messages. */
function feeOf({ totalFees }: Transaction, sent: readonly ReadMessage[]): bigint {
  let fee = totalFees.grams
  for (const [, { info }] of sent) if (info.kind === 'internal') fee += info.fwdFee
  return fee
}

const friendly = (workchain: number, { account }: Transaction) => toAddress(bounceableText(workchain, account))

const raw = (workchain: number, { account }: Transaction) => toRawUpper({ workchain, hash: account })

function factsOf({ cell, bag }: VerifiedTransaction, transaction: Transaction, sent: readonly ReadMessage[]) {
  const fee = feeOf(transaction, sent)
  const storageFee = storageFeeOf(transaction)
  return {
    utime: transaction.now,
    data: bag ?? writeBocText(cell),
    transaction_id: toTransactionId(transaction.lt, cell.hashBytes()),
    fee: toDigits(fee),
    storage_fee: toDigits(storageFee),
    other_fee: toDigits(fee - storageFee),
  }
}

/** A transaction around the messages it sent. */
interface Parts<Head extends object, Shown, Tail extends object> {
  readonly head: Head
  readonly sent: readonly ReadMessage[]
  readonly show: (cell: Cell, message?: Message, bagText?: BagText) => Shown
  readonly tail: Tail
}

/** `head` is copied before anything is added, which V8 does at once: properties that are copied behind others go one by one. */
const whole = <Head extends object, Shown, In>({ head, sent, show, tail }: Parts<Head, Shown, { in_msg: In }>) => ({
  ...head,
  out_msgs: sent.map(([cell, message]) => show(cell, message)),
  in_msg: tail.in_msg,
})

/** A body that several messages have is written once. */
function sharedBags(): BagText {
  const known = new Map<Cell, string>()
  return (cell) => {
    const text = known.get(cell) ?? writeBocText(cell)
    known.set(cell, text)
    return text
  }
}

/** Where the bag is in a text: quotes inside of strings are escaped. */
const DATA = '"data":"'

/** The parts of a text before and after the bag. */
function aroundBag(text: string): readonly [before: string, after: string] {
  const end = text.indexOf(DATA) + DATA.length
  return [text.slice(0, end), text.slice(end)]
}

interface TextAround {
  readonly before: readonly Buffer[]
  readonly after: readonly Buffer[]
}

/** The text of `whole`, message by message; the bag, of which it has none, comes between its two parts. */
function* writingParts({ head, sent, show, tail }: Parts<object, unknown, object>): Generator<void, TextAround> {
  const bagText = sharedBags()
  const messages: Buffer[] = []
  for (const [cell, message] of sent) {
    messages.push(Buffer.from(`${messages.length === 0 ? '' : ','}${JSON.stringify(show(cell, message, bagText))}`))
    yield
  }
  const rest = JSON.stringify(tail).slice(1)
  const open = `${JSON.stringify(head).slice(0, -1)},"out_msgs":[`
  const close = `]${rest === '}' ? '' : ','}${rest}`
  if ('data' in head) {
    const [before, after] = aroundBag(open)
    return { before: [Buffer.from(before)], after: [Buffer.from(after), ...messages, Buffer.from(close)] }
  }
  const [before, after] = aroundBag(close)
  return { before: [Buffer.from(open), ...messages, Buffer.from(before)], after: [Buffer.from(after)] }
}

function transactionParts(workchain: number, known: VerifiedTransaction) {
  const { transaction } = known
  const { inMessage } = transaction
  const sent = sentBy(transaction)
  return {
    head: {
      '@type': 'ext.transaction',
      address: friendly(workchain, transaction),
      account: raw(workchain, transaction),
    },
    sent,
    show: toMessage,
    tail: {
      ...factsOf(known, transaction, sent),
      in_msg: inMessage === null ? undefined : toMessage(inMessage),
    },
  } as const
}

/** Of `getTransactions` and its like. Each property by its name: copied from two objects they took a third longer, and three kilobytes. */
export function toTransaction(workchain: number, known: VerifiedTransaction): z.output<typeof ExtTransaction> {
  const { head, sent, show, tail } = transactionParts(workchain, known)
  return {
    '@type': head['@type'],
    address: head.address,
    account: head.account,
    out_msgs: sent.map(([cell, message]) => show(cell, message)),
    utime: tail.utime,
    data: tail.data,
    transaction_id: tail.transaction_id,
    fee: tail.fee,
    storage_fee: tail.storage_fee,
    other_fee: tail.other_fee,
    in_msg: tail.in_msg,
  }
}

/**
 * The same as finished text, which chains keep with their transactions; without the bag between its two parts.
 * The version is raised when the texts change.
 */
export const transactionTextFormat = {
  version: 1,
  write(workchain: number, cell: Cell): readonly [before: string, after: string] {
    const transaction = loadTransaction(openCell(cell))
    return aroundBag(JSON.stringify(toTransaction(workchain, { cell, transaction, bag: '' })))
  },
  /** The same in pieces. */
  writing(workchain: number, cell: Cell): Generator<void, TextAround> {
    const transaction = loadTransaction(openCell(cell))
    return writingParts(transactionParts(workchain, { cell, transaction, bag: '' }))
  },
}

/** Some thousand of the usual size. */
const MOST_BYTES = 4 << 20
/** A longer text is not kept: it would take the place of many. */
const LONGEST = 64 << 10
/** Of an entry beside its text. */
const ENTRY_BYTES = 256

/**
 * Texts of transactions whose chain keeps none: a history that is polled is the same but for its newest. By workchain and hash,
 * which name all that a text is made of.
 */
const recent = new LRUCache<string, string>({
  maxSize: MOST_BYTES,
  maxEntrySize: LONGEST,
  // Two bytes a character is what text with anything beyond Latin-1 takes.
  sizeCalculation: (text) => 2 * text.length + ENTRY_BYTES,
})

function recentText(workchain: number, known: VerifiedTransaction): string {
  const key = `${workchain}:${known.cell.hash()}`
  const kept = recent.get(key)
  if (kept !== undefined) return kept
  const text = JSON.stringify(toTransaction(workchain, known))
  recent.set(key, text)
  return text
}

/** The text of what `toTransaction` shows. */
export function writeTransaction(
  workchain: number,
  known: VerifiedTransaction,
): Written<z.output<typeof ExtTransaction>> {
  const { text, bag } = known
  if (text != null) return new Written(text)
  // A bag that the source has may be written in another order.
  return bag === undefined ? new Written(recentText(workchain, known)) : write(toTransaction(workchain, known))
}

function stdParts(workchain: number, known: VerifiedTransaction, transaction = known.transaction) {
  const { inMessage } = transaction
  const sent = sentBy(transaction)
  const { utime, data, transaction_id, fee, storage_fee, other_fee } = factsOf(known, transaction, sent)
  const address = friendly(workchain, transaction)
  return {
    head: { '@type': 'raw.transaction', address, utime, data, transaction_id, fee, storage_fee, other_fee },
    sent,
    show: toMessageStd,
    tail: { in_msg: inMessage === null ? undefined : toMessageStd(inMessage) },
  } as const
}

/** Of `getTransactionsStd`. */
export const toTransactionStd = (workchain: number, known: VerifiedTransaction): z.output<typeof TransactionStd> =>
  whole(stdParts(workchain, known))

function blockParts(workchain: number, known: VerifiedTransaction) {
  const { transaction } = known
  const parts = stdParts(workchain, known, transaction)
  const { address, utime, data, transaction_id, fee, storage_fee, other_fee } = parts.head
  const account = raw(workchain, transaction)
  return {
    ...parts,
    head: { '@type': 'raw.transactionExt', address, account, utime, data, transaction_id, fee, storage_fee, other_fee },
  } as const
}

/** Of `getBlockTransactionsExt`. */
export const toBlockTransaction = (workchain: number, known: VerifiedTransaction): z.output<typeof BlockTransaction> =>
  whole(blockParts(workchain, known))

type Known = readonly [workchain: number, known: VerifiedTransaction]

function* bagPieces({ cell, bag }: VerifiedTransaction): Generator<void, readonly Buffer[]> {
  if (bag !== undefined) return [Buffer.from(bag, 'latin1')]
  const pieces: Buffer[] = []
  for (const piece of base64Pieces(yield* writingBoc(cell))) {
    pieces.push(piece)
    yield
  }
  return pieces
}

function* writingLong(
  partsOf: (...of: Known) => Parts<object, unknown, object>,
  ...[workchain, known]: Known
): Generator<void, readonly Buffer[]> {
  const { cell, transaction } = known
  const bag = yield* bagPieces(known)
  const { before, after } = yield* writingParts(partsOf(workchain, { cell, transaction, bag: '' }))
  return [...before, ...bag, ...after]
}

/** Their texts in pieces: each of the messages of one may have thousands of cells. */
export const longTransaction = {
  /** False for a transaction whose text the chain has: its cells are not read. */
  isIn: (known: VerifiedTransaction): boolean => known.text == null && isLargeTree(known.cell),
  writing: (...of: Known) => writingLong(transactionParts, ...of),
  writingStd: (...of: Known) => writingLong(stdParts, ...of),
  writingOfBlock: (...of: Known) => writingLong(blockParts, ...of),
}
