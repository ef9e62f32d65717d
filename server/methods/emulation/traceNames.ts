// Emulated transactions in the form rows of the index have.

import { parseTransaction } from '../../facts/index.ts'
import type { TransactionFound } from '../../store/index.ts'
import { keyOfAccount } from '../keyOfAccount.ts'
import type { EmulatedTransaction } from './emulation.ts'

export interface TraceNames {
  /** Null as long as no block has the first transaction. */
  readonly traceId: Uint8Array | null
  /** Hash of the message that began the trace, as it was sent. */
  readonly hash: Uint8Array
}

/** Without states. */
export function foundOf(
  { account, cell, block, mcSeqno }: EmulatedTransaction,
  { traceId, hash }: TraceNames,
  globalVersion: number,
): TransactionFound {
  const place = { block: { ...block, shard: BigInt.asIntN(64, block.shard) }, mcSeqno, globalVersion }
  const { inMessage, outMessages, ...row } = parseTransaction(keyOfAccount(account), cell, place)
  const names = { traceId: traceId ?? row.hash, traceExternalHash: hash }
  return { row: { ...row, ...names }, inMessage, outMessages, before: null, after: null }
}
