// Accounts with their code and data, as many as one answer can hold: one has up to megabytes. Read all the same they would keep the
// embedded database, which makes one answer at a time and is started again after one that takes too long, from all other callers.

import { accountBytesOf, type Sql, type StatementOptions } from '../../../store/index.ts'
import { demandShortTokens } from './boundedLists.ts'
import { tooLarge } from './tooLarge.ts'

/** Of bags of cells; in base64 they are a third longer. */
const MOST_BYTES = 32 << 20

/** Up to so many accounts are read without a query for their size. */
const FEW = 16

/** Throws ApiError `replyTooLarge`, before any of it is read. */
export async function demandRoom(
  store: Sql,
  filter: Parameters<typeof accountBytesOf>[1] & { readonly tokens: boolean },
  options?: StatementOptions,
): Promise<void> {
  const { accounts, bags, tokens } = filter
  if (tokens) await demandShortTokens(store, accounts, options)
  const bytes = bags && accounts.length > FEW ? await accountBytesOf(store, filter, options) : 0
  if (bytes <= MOST_BYTES) return
  const what = `code and data of these ${accounts.length} accounts`
  throw tooLarge(what, { bytes, most: MOST_BYTES, param: 'address' })
}
