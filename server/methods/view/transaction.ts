// Transactions as they go over the wire, in the three forms of v2.

import type { z } from 'zod'
import { toRawUpper } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { BlockTransaction, ExtTransaction, TransactionStd } from '../../../shared/v2/transaction.ts'
import { type Cell, openCell, writeBocText } from '../../cell/index.ts'
import type { VerifiedTransaction } from '../../node/index.ts'
import { loadMessage, loadTransaction, type Message, type Transaction } from '../../tlb/index.ts'
import { Written, write } from '../written.ts'
import { toAddress, toMessage, toMessageStd } from './message.ts'
import { bounceableText } from './texts.ts'
import { toTransactionId } from './transactionId.ts'

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

function factsOf({ cell, transaction, bag }: VerifiedTransaction, sent: readonly ReadMessage[]) {
  const [fee, storageFee] = [feeOf(transaction, sent), storageFeeOf(transaction)]
  return {
    utime: transaction.now,
    data: bag ?? writeBocText(cell),
    transaction_id: toTransactionId(transaction.lt, cell.hashBytes()),
    fee: toDigits(fee),
    storage_fee: toDigits(storageFee),
    other_fee: toDigits(fee - storageFee),
  }
}

const messagesStd = ({ inMessage }: Transaction, sent: readonly ReadMessage[]) => ({
  out_msgs: sent.map(([cell, message]) => toMessageStd(cell, message)),
  ...(inMessage === null ? {} : { in_msg: toMessageStd(inMessage) }),
})

/** Of `getTransactions` and its like. */
export function toTransaction(workchain: number, known: VerifiedTransaction): z.output<typeof ExtTransaction> {
  const { transaction } = known
  const { inMessage } = transaction
  const sent = sentBy(transaction)
  return {
    '@type': 'ext.transaction',
    address: friendly(workchain, transaction),
    account: raw(workchain, transaction),
    out_msgs: sent.map(([cell, message]) => toMessage(cell, message)),
    ...factsOf(known, sent),
    ...(inMessage === null ? {} : { in_msg: toMessage(inMessage) }),
  }
}

/** Where the bag is in a text: quotes inside of strings are escaped. */
const DATA = '"data":"'

/**
 * The same as finished text, which chains keep with their transactions; without the bag between its two parts.
 * The version is raised when the texts change.
 */
export const transactionTextFormat = {
  version: 1,
  write(workchain: number, cell: Cell): readonly [before: string, after: string] {
    const transaction = loadTransaction(openCell(cell))
    const text = JSON.stringify(toTransaction(workchain, { cell, transaction, bag: '' }))
    const end = text.indexOf(DATA) + DATA.length
    return [text.slice(0, end), text.slice(end)]
  },
}

/** The text of what `toTransaction` shows. */
export function writeTransaction(
  workchain: number,
  known: VerifiedTransaction,
): Written<z.output<typeof ExtTransaction>> {
  const { text } = known
  return text == null ? write(toTransaction(workchain, known)) : new Written(text)
}

/** Of `getTransactionsStd`. */
export function toTransactionStd(workchain: number, known: VerifiedTransaction): z.output<typeof TransactionStd> {
  const sent = sentBy(known.transaction)
  return {
    '@type': 'raw.transaction',
    address: friendly(workchain, known.transaction),
    ...factsOf(known, sent),
    ...messagesStd(known.transaction, sent),
  }
}

/** Of `getBlockTransactionsExt`. */
export function toBlockTransaction(workchain: number, known: VerifiedTransaction): z.output<typeof BlockTransaction> {
  const sent = sentBy(known.transaction)
  return {
    '@type': 'raw.transactionExt',
    address: friendly(workchain, known.transaction),
    account: raw(workchain, known.transaction),
    ...factsOf(known, sent),
    ...messagesStd(known.transaction, sent),
  }
}
