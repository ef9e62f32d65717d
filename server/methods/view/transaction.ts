// Transactions as they go over the wire, in the three forms of v2.

import type { z } from 'zod'
import { toRawUpper } from '../../../shared/address.ts'
import type {
  BlockTransaction,
  Transaction as TransactionOnWire,
  TransactionStd,
} from '../../../shared/v2/transaction.ts'
import { type Cell, openCell } from '../../cell/index.ts'
import type { VerifiedTransaction } from '../../node/index.ts'
import { loadMessage, type Message, type Transaction } from '../../tlb/index.ts'
import { quickBase64 } from './base64.ts'
import { toDigits } from './digits.ts'
import { messageBocText, toAddress, toMessage, toMessageStd } from './message.ts'
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

function factsOf({ cell, transaction, boc }: VerifiedTransaction, sent: readonly ReadMessage[]) {
  const [fee, storageFee] = [feeOf(transaction, sent), storageFeeOf(transaction)]
  return {
    utime: transaction.now,
    data: boc === undefined ? messageBocText(cell) : quickBase64(boc),
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
export function toTransaction(workchain: number, known: VerifiedTransaction): z.output<typeof TransactionOnWire> {
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
