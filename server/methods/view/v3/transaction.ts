// Transactions as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../shared/primitives.ts'
import type { TransactionDescr } from '../../../../shared/v3/description.ts'
import type { StateAtTransaction, Transaction } from '../../../../shared/v3/transaction.ts'
import { base64Of } from '../../../cell/index.ts'
import type { AccountKey, AccountStateRow, TextBytes, TransactionFound } from '../../../store/index.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { Written, write, writeMerged } from '../../written.ts'
import { base64OrNull, present } from './assets/fields.ts'
import { toCurrencies } from './currencies.ts'
import { bytesOfMessage, toIndexedMessage } from './message.ts'
import { toIndexedBlockId } from './place.ts'

export function toStateInTransaction(
  hash: Uint8Array,
  state: AccountStateRow | null,
): z.output<typeof StateAtTransaction> {
  return {
    hash: base64Of(hash),
    balance: state === null ? null : toDigits(state.balance),
    extra_currencies: state === null ? null : toCurrencies(state.extra),
    account_status: state?.status ?? null,
    frozen_hash: base64OrNull(state?.frozenHash ?? null),
    data_hash: base64OrNull(state?.dataHash ?? null),
    code_hash: base64OrNull(state?.codeHash ?? null),
  }
}

type OnWire = z.output<typeof Transaction>

// The cast: it was written as it goes over the wire.
const descriptionOf = (json: string) => JSON.parse(json) as z.output<typeof TransactionDescr>

/** The fields before its description, and after it. */
const headOf = ({ row }: TransactionFound) => ({
  account: rawOfKey(row.account),
  hash: base64Of(row.hash),
  lt: toDigits(row.lt),
  now: row.now,
  mc_block_seqno: row.mcSeqno,
  trace_id: base64Of(row.traceId),
  prev_trans_hash: base64Of(row.prevHash),
  prev_trans_lt: toDigits(row.prevLt),
  orig_status: row.origStatus,
  end_status: row.endStatus,
  total_fees: toDigits(row.totalFees),
  total_fees_extra_currencies: toCurrencies(row.totalFeesExtra),
  ...(row.traceExternalHash === null ? {} : { trace_external_hash: base64Of(row.traceExternalHash) }),
})

/** Those up to what it sent, and behind that. */
const receivedOf = ({ row, inMessage }: TransactionFound, toMessage = toIndexedMessage) => ({
  block_ref: toIndexedBlockId(row.block),
  in_msg: inMessage === null ? null : toMessage(inMessage),
})

const endOf = ({ row, before, after }: TransactionFound) => ({
  account_state_before: toStateInTransaction(row.stateBefore, before),
  account_state_after: toStateInTransaction(row.stateAfter, after),
  emulated: false,
  finality: 'finalized' as const,
})

const tailOf = (found: TransactionFound, toMessage = toIndexedMessage) => ({
  ...receivedOf(found, toMessage),
  out_msgs: found.outMessages.map((row) => toMessage(row)),
  ...endOf(found),
})

export const toIndexedTransaction = (found: TransactionFound, toMessage = toIndexedMessage): OnWire => ({
  ...headOf(found),
  description: descriptionOf(found.row.description),
  ...tailOf(found, toMessage),
})

/** The text of the same, for which its description is not read. */
export const writeIndexedTransaction = (found: TransactionFound): Written<OnWire> =>
  writeMerged(
    write(headOf(found)),
    new Written<Pick<OnWire, 'description'>>(`{"description":${found.row.description}}`),
    write(tailOf(found)),
  )

/** Bytes of the bags in its messages: of so many a text is made in some milliseconds. */
const MOST_AT_ONCE = 128 * 1024

/** Bytes of the bodies and initial states of its messages. */
export function bytesOfMessages({ inMessage, outMessages }: TransactionFound): number {
  let bytes = inMessage === null ? 0 : bytesOfMessage(inMessage)
  for (const one of outMessages) bytes += bytesOfMessage(one)
  return bytes
}

/** Whether it is written message by message: each may have thousands of cells. */
export const isLargeTransaction = (found: TransactionFound): boolean => bytesOfMessages(found) > MOST_AT_ONCE

/** The text of a large transaction, which is made each time and is never one string: it can have tens of megabytes. */
export class LargeText {
  readonly #found: TransactionFound

  constructor(found: TransactionFound) {
    this.#found = found
  }

  /** Comes back after each message. */
  *pieces(): Generator<string> {
    const found = this.#found
    const head = JSON.stringify(headOf(found)).slice(0, -1)
    yield `${head},"description":${found.row.description},${JSON.stringify(receivedOf(found)).slice(1, -1)},"out_msgs":[`
    for (const [i, message] of found.outMessages.entries())
      yield `${i === 0 ? '' : ','}${JSON.stringify(toIndexedMessage(message))}`
    yield `],${JSON.stringify(endOf(found)).slice(1)}`
  }

  *add(to: TextBytes): Generator<boolean> {
    for (const piece of this.pieces()) {
      to.string(piece)
      yield true
    }
  }
}

/** Accounts for its address book: its own, senders and recipients. */
export const accountsOfTransaction = ({ row, inMessage, outMessages }: TransactionFound): AccountKey[] =>
  present(row.account, inMessage?.source, ...outMessages.map(({ destination }) => destination))
