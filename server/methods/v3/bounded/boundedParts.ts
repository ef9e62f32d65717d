// Messages, and transactions with their messages, as many as one answer can hold: a message has up to a quarter of a megabyte, and
// a transaction sends up to 255.

import {
  listBytesOf,
  messageBytesOf,
  messageSizes,
  type messagesRead,
  readTransactionParts,
  type Sql,
  type StatementOptions,
  type TransactionFound,
  type TransactionRow,
} from '../../../store/index.ts'
import { bytesOfMessages } from '../../view/v3/transaction.ts'
import { NO_NAMES } from './boundedLists.ts'
import { tooLarge } from './tooLarge.ts'

/** Of bags of cells. In base64 they are a third longer, and decoded bodies come on top. */
const MOST_BYTES = 128 << 20

/** Up to so many are read without a query for their size: they have not much more than the chain lets each have. */
export const FEW_MESSAGES = 256

/** At most: one received, one that goes back to where that came from, and those of its actions. */
function messagesOf({ description }: TransactionRow): number {
  const [, sent = 0] = /"msgs_created":(\d+)/.exec(description) ?? []
  return 2 + Number(sent)
}

/**
 * Reads the parts of `others`. `kept` are the page's transactions in memory, which count for its size. Throws ApiError
 * `replyTooLarge`, before anything is read.
 */
export async function readBoundedParts(
  store: Sql,
  { kept = [], others }: { readonly kept?: readonly TransactionFound[]; readonly others: readonly TransactionRow[] },
  options?: StatementOptions,
): Promise<TransactionFound[]> {
  const inMemory = kept.reduce((sum, one) => sum + bytesOfMessages(one), 0)
  const many = others.reduce((sum, row) => sum + messagesOf(row), 0)
  const room = Math.max(0, MOST_BYTES - inMemory)
  const isShort = (many * MOST_BYTES) / FEW_MESSAGES <= room
  const bytes = inMemory + (isShort ? 0 : await messageBytesOf(store, others, options))
  if (bytes <= MOST_BYTES) return await readTransactionParts(store, others, options)
  throw tooMany(`the messages of these ${kept.length + others.length} transactions`, bytes)
}

/** Of a page of messages. Throws ApiError `replyTooLarge`, before any of it is read. */
export async function demandShortPage(
  store: Sql,
  page: ReturnType<typeof messagesRead>,
  options?: StatementOptions,
): Promise<void> {
  const sized = { ...NO_NAMES, most: MOST_BYTES }
  const bytes = await listBytesOf(store, messageSizes(page), sized, options)
  if (bytes > MOST_BYTES) throw tooMany(`the first ${page.limit} of these messages`, bytes)
}

const tooMany = (what: string, bytes: number) => tooLarge(what, { bytes, most: MOST_BYTES, param: 'limit' })
