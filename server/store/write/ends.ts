// What transactions and messages are told of each other as they are written, so that an index has the one in its own order
// by what the other says.

import type { Sql } from '../database.ts'
import type { MessageRow, TransactionRow } from '../rows.ts'
import { sql } from '../sql.ts'

/** A transaction with what the message says that it took in. */
export interface TakingTransaction extends TransactionRow {
  readonly inOpcode: number | null
  readonly inBodyHash: Uint8Array | null
}

/** A message with the logical time of the transaction that sent it. */
export interface SentMessage extends MessageRow {
  readonly outLt: bigint | null
}

type Content = Pick<MessageRow, 'hash' | 'opcode' | 'bodyHash'>

const nameOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

/** Whoever sent one of the messages is among the transactions. */
export function sentMessages(
  messages: readonly MessageRow[],
  transactions: readonly TransactionRow[],
): readonly SentMessage[] {
  const times = new Map(transactions.map(({ hash, lt }) => [nameOf(hash), lt]))
  return messages.map((message) => {
    const { outTxHash } = message
    return { ...message, outLt: outTxHash === null ? null : (times.get(nameOf(outTxHash)) ?? null) }
  })
}

/** What was taken in is among the messages, or was written before. */
export async function takingTransactions(
  to: Sql,
  transactions: readonly TransactionRow[],
  messages: readonly MessageRow[],
): Promise<readonly TakingTransaction[]> {
  const known = new Map(messages.map((message): [string, Content] => [nameOf(message.hash), message]))
  const unknown = transactions.flatMap(({ inMsgHash }) =>
    inMsgHash === null || known.has(nameOf(inMsgHash)) ? [] : [inMsgHash],
  )
  for (const message of await contentsOf(to, unknown)) known.set(nameOf(message.hash), message)
  return transactions.map((transaction) => {
    const { inMsgHash } = transaction
    const message = inMsgHash === null ? undefined : known.get(nameOf(inMsgHash))
    return { ...transaction, inOpcode: message?.opcode ?? null, inBodyHash: message?.bodyHash ?? null }
  })
}

async function contentsOf(from: Sql, hashes: readonly Uint8Array[]): Promise<readonly Content[]> {
  if (hashes.length === 0) return []
  const rows = await from.query<{ hash: Uint8Array; opcode: number | null; body_hash: Uint8Array }>(
    sql`select hash, opcode, body_hash from messages where hash = any(${hashes}::bytea[])`,
  )
  return rows.map(({ hash, opcode, body_hash }) => ({ hash, opcode, bodyHash: body_hash }))
}
