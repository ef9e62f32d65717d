// Lists of rows that can be large each, with the tokens next to them: contents of tokens, payloads, details of actions, orders. Read all the
// same, some tens of megabytes keep the embedded database, which makes one answer at a time and is started again after one that takes
// too long, from all other callers.

import {
  type AccountKey,
  accountsAlone,
  listBytesOf,
  type SideWishes,
  type SizedList,
  type Sql,
  type StatementOptions,
} from '../../store/index.ts'
import { tooLarge } from './tooLarge.ts'

/** Of what is stored: of the embedded database, half a second to a second. */
const MOST_BYTES = 32 << 20

/** Up to so many rows are read without a query for their size: each has some hundred kilobytes at most. */
const FEW = 128

/** Nothing is read next to a list. */
export const NO_NAMES: SideWishes = { book: false, tokens: false }

interface SizedPage extends SizedList {
  readonly limit: number
  /** So many rows are never too large together. */
  readonly few?: number
}

/** Throws ApiError `replyTooLarge`, before any of it is read. */
export async function demandShortList(
  store: Sql,
  { limit, few = FEW, ...list }: SizedPage,
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<void> {
  const bytes = limit > few ? await listBytesOf(store, list, { ...wishes, most: MOST_BYTES }, options) : 0
  if (bytes > MOST_BYTES)
    throw tooLarge('these rows, with what is next to them,', { bytes, most: MOST_BYTES, param: 'limit' })
}

/** The same of tokens among accounts. */
export async function demandShortTokens(
  store: Sql,
  accounts: readonly AccountKey[],
  options?: StatementOptions,
): Promise<void> {
  const sized = { book: false, tokens: true, most: MOST_BYTES }
  const bytes = accounts.length > FEW ? await listBytesOf(store, accountsAlone(accounts), sized, options) : 0
  const what = `descriptions of the tokens among these ${accounts.length} accounts`
  if (bytes > MOST_BYTES) throw tooLarge(what, { bytes, most: MOST_BYTES, param: 'address' })
}
