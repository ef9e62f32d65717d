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
} from '../../../store/index.ts'
import { tooLarge } from './tooLarge.ts'

/** Of what is stored: of the embedded database, half a second to a second. */
const MOST_BYTES = 32 << 20

/** So many rows are read without a query for their size: each has some hundred kilobytes at most. */
export const FEW = 128

/** Nothing is read next to a list. */
export const NO_NAMES: SideWishes = { book: false, tokens: false }

/** Throws ApiError `replyTooLarge`, before any of it is read. */
export async function demandShortList(
  store: Sql,
  list: SizedList,
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<void> {
  const bytes = await listBytesOf(store, list, { ...wishes, most: MOST_BYTES }, options)
  if (bytes > MOST_BYTES)
    throw tooLarge('these rows, with what is next to them,', { bytes, most: MOST_BYTES, param: 'limit' })
}

interface BoundedRead<A, R, P> {
  readonly readOf: (ask: A) => R
  /** Rejects for a list that is too large. */
  readonly demand: (list: R) => Promise<void>
  readonly read: (list: R) => Promise<P>
}

/** A page: at first `few` rows of it, which are all that most have. Only a longer one is looked at before it is read. */
export async function readBounded<A extends { readonly limit: number }, R, P extends { readonly next: unknown }>(
  ask: A,
  few: number,
  { readOf, demand, read }: BoundedRead<A, R, P>,
): Promise<P> {
  if (ask.limit <= few) return await read(readOf(ask))
  const first = await read(readOf({ ...ask, limit: few }))
  if (first.next === null) return first
  const list = readOf(ask)
  await demand(list)
  return await read(list)
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
