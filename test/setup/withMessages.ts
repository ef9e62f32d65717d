import type { MasterBlockRows } from '../../server/store/index.ts'
import { JoinedMessages } from '../../server/store/read/transactionParts.ts'

/** Transactions with their messages, which are in the list once each, in the order of both lists. */
export function withMessages(
  transactions: MasterBlockRows['transactions'],
  messages: MasterBlockRows['messages'],
): ReturnType<typeof JoinedMessages.prototype.of<MasterBlockRows['transactions'][number]>>[] {
  const ends = new JoinedMessages()
  for (const message of messages) ends.add(message)
  return transactions.map((row) => ends.of(row))
}
