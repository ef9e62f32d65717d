// Transactions as they go over the wire, in the three forms of v2.

import type { z } from 'zod'
import { toRawUpper } from '../../../shared/address.ts'
import type {
  BlockTransaction,
  Transaction as TransactionOnWire,
  TransactionStd,
} from '../../../shared/v2/transaction.ts'
import { openCell } from '../../cell/index.ts'
import type { VerifiedTransaction } from '../../node/index.ts'
import { loadMessage, type Transaction } from '../../tlb/index.ts'
import { toDigits } from './digits.ts'
import { bocText, toAddress, toMessage, toMessageStd } from './message.ts'
import { bounceableText, bytesText } from './texts.ts'
import { toTransactionId } from './transactionId.ts'

function storageFeeOf({ description }: Transaction): bigint {
  return 'storage' in description ? (description.storage?.feesCollected ?? 0n) : 0n
}

/** Fees the account paid, and forwarding fees of its messages. */
function feeOf({ totalFees, outMessages }: Transaction): bigint {
  let fee = totalFees.grams
  for (const [, cell] of outMessages) {
    const { info } = loadMessage(openCell(cell))
    if (info.kind === 'internal') fee += info.fwdFee
  }
  return fee
}

const friendly = (workchain: number, { account }: Transaction) => toAddress(bounceableText(workchain, account))

const raw = (workchain: number, { account }: Transaction) => toRawUpper({ workchain, hash: account })

function factsOf({ cell, transaction, boc }: VerifiedTransaction) {
  const [fee, storageFee] = [feeOf(transaction), storageFeeOf(transaction)]
  return {
    utime: transaction.now,
    data: boc === undefined ? bocText(cell) : bytesText(boc),
    transaction_id: toTransactionId(transaction.lt, cell.hashBytes()),
    fee: toDigits(fee),
    storage_fee: toDigits(storageFee),
    other_fee: toDigits(fee - storageFee),
  }
}

const messagesStd = ({ inMessage, outMessages }: Transaction) => ({
  out_msgs: [...outMessages].map(([, cell]) => toMessageStd(cell)),
  ...(inMessage === null ? {} : { in_msg: toMessageStd(inMessage) }),
})

/** Of `getTransactions` and its like. */
export function toTransaction(workchain: number, known: VerifiedTransaction): z.output<typeof TransactionOnWire> {
  const { transaction } = known
  const { inMessage, outMessages } = transaction
  return {
    '@type': 'ext.transaction',
    address: friendly(workchain, transaction),
    account: raw(workchain, transaction),
    out_msgs: [...outMessages].map(([, cell]) => toMessage(cell)),
    ...factsOf(known),
    ...(inMessage === null ? {} : { in_msg: toMessage(inMessage) }),
  }
}

/** Of `getTransactionsStd`. */
export const toTransactionStd = (workchain: number, known: VerifiedTransaction): z.output<typeof TransactionStd> => ({
  '@type': 'raw.transaction',
  address: friendly(workchain, known.transaction),
  ...factsOf(known),
  ...messagesStd(known.transaction),
})

/** Of `getBlockTransactionsExt`. */
export const toBlockTransaction = (
  workchain: number,
  known: VerifiedTransaction,
): z.output<typeof BlockTransaction> => ({
  '@type': 'raw.transactionExt',
  address: friendly(workchain, known.transaction),
  account: raw(workchain, known.transaction),
  ...factsOf(known),
  ...messagesStd(known.transaction),
})
