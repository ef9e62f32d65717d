// Reads the transactions of traces that are reported: of more bytes than may be in memory, without what would not be sent.

import {
  groupBy,
  messageBytesOf,
  readTransactionParts,
  type Sql,
  type TransactionFound,
  type TransactionRow,
} from '../../store/index.ts'
import { traceKey } from './blockParts.ts'
import { FEW_BYTES, withoutLongBags } from './liveViews.ts'

/** Bytes of messages that are read whole. One transaction may have 70 MB. */
const MOST_BYTES = 64 << 20
/** Where there are more, those of a trace: more than any of its notifications is sent with. */
const MOST_BYTES_OF_TRACE = 1 << 20
/** Transactions that are looked at in one statement. */
const AT_ONCE = 500

/** Above `most` it may be less than there are. */
async function bytesOf(store: Sql, rows: readonly TransactionRow[], most: number): Promise<number> {
  let bytes = 0
  for (let at = 0; at < rows.length && bytes <= most; at += AT_ONCE)
    bytes += await messageBytesOf(store, rows.slice(at, at + AT_ONCE))
  return bytes
}

/** In the same order, but for that of different traces. */
export async function readFound(store: Sql, rows: readonly TransactionRow[]): Promise<TransactionFound[]> {
  let left = MOST_BYTES
  if ((await bytesOf(store, rows, left)) <= left) return await readTransactionParts(store, rows)
  const found: TransactionFound[] = []
  for (const own of groupBy(rows, ({ traceId }) => traceKey(traceId)).values()) {
    const most = Math.min(MOST_BYTES_OF_TRACE, left)
    const bytes = await bytesOf(store, own, most)
    const isLong = bytes > most
    if (!isLong) left -= bytes
    const parts = await readTransactionParts(store, own, isLong ? { mostOfBag: FEW_BYTES } : {})
    for (const one of parts) found.push(isLong ? withoutLongBags(one) : one)
  }
  return found
}
