// Transactions as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../shared/primitives.ts'
import type { TransactionDescr } from '../../../../shared/v3/description.ts'
import type { StateAtTransaction, Transaction } from '../../../../shared/v3/transaction.ts'
import type { AccountKey, AccountStateRow, TransactionFound } from '../../../store/index.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { Written, write, writeMerged } from '../../written.ts'
import { quickBase64 } from '../base64.ts'
import { toCurrencies } from './currencies.ts'
import { toIndexedMessage } from './message.ts'
import { toIndexedBlockId } from './place.ts'

const hashOrNull = (hash: Uint8Array | null): string | null => (hash === null ? null : quickBase64(hash))

export function toStateInTransaction(
  hash: Uint8Array,
  state: AccountStateRow | null,
): z.output<typeof StateAtTransaction> {
  return {
    hash: quickBase64(hash),
    balance: state === null ? null : toDigits(state.balance),
    extra_currencies: state === null ? null : toCurrencies(state.extra),
    account_status: state?.status ?? null,
    frozen_hash: hashOrNull(state?.frozenHash ?? null),
    data_hash: hashOrNull(state?.dataHash ?? null),
    code_hash: hashOrNull(state?.codeHash ?? null),
  }
}

type OnWire = z.output<typeof Transaction>

// The cast: it was written as it goes over the wire.
const descriptionOf = (json: string) => JSON.parse(json) as z.output<typeof TransactionDescr>

/** The fields before its description, and after it. */
const headOf = ({ row }: TransactionFound) => ({
  account: rawOfKey(row.account),
  hash: quickBase64(row.hash),
  lt: toDigits(row.lt),
  now: row.now,
  mc_block_seqno: row.mcSeqno,
  trace_id: quickBase64(row.traceId),
  prev_trans_hash: quickBase64(row.prevHash),
  prev_trans_lt: toDigits(row.prevLt),
  orig_status: row.origStatus,
  end_status: row.endStatus,
  total_fees: toDigits(row.totalFees),
  total_fees_extra_currencies: toCurrencies(row.totalFeesExtra),
  ...(row.traceExternalHash === null ? {} : { trace_external_hash: quickBase64(row.traceExternalHash) }),
})

const tailOf = ({ row, inMessage, outMessages, before, after }: TransactionFound) => ({
  block_ref: toIndexedBlockId(row.block),
  in_msg: inMessage === null ? null : toIndexedMessage(inMessage),
  out_msgs: outMessages.map(toIndexedMessage),
  account_state_before: toStateInTransaction(row.stateBefore, before),
  account_state_after: toStateInTransaction(row.stateAfter, after),
  emulated: false,
  finality: 'finalized' as const,
})

export const toIndexedTransaction = (found: TransactionFound): OnWire => ({
  ...headOf(found),
  description: descriptionOf(found.row.description),
  ...tailOf(found),
})

/** The text of the same, for which its description is not read. */
export const writeIndexedTransaction = (found: TransactionFound): Written<OnWire> =>
  writeMerged(
    write(headOf(found)),
    new Written<Pick<OnWire, 'description'>>(`{"description":${found.row.description}}`),
    write(tailOf(found)),
  )

/** Accounts for its address book: its own, senders and recipients. */
export const accountsOfTransaction = ({ row, inMessage, outMessages }: TransactionFound): AccountKey[] =>
  [row.account, inMessage?.source, ...outMessages.map(({ destination }) => destination)].filter(
    (account): account is AccountKey => account instanceof Uint8Array,
  )
