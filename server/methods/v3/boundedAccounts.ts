// Accounts with their code and data, as many as one answer can hold: one has up to megabytes. Read all the same they would keep the
// embedded database, which makes one answer at a time and is started again after one that takes too long, from all other callers.

import { ApiError } from '../../../shared/errors.ts'
import { accountBytesOf, type Sql, type StatementOptions } from '../../store/index.ts'

/** Of bags of cells; in base64 they are a third longer. */
const MOST_BYTES = 32 << 20

/** Up to so many accounts are read without a query for their size. */
const FEW = 16

/** Throws ApiError `replyTooLarge`, before any of it is read. */
export async function demandRoom(
  store: Sql,
  filter: Parameters<typeof accountBytesOf>[1],
  options?: StatementOptions,
): Promise<void> {
  const { accounts, bags } = filter
  const bytes = bags && accounts.length > FEW ? await accountBytesOf(store, filter, options) : 0
  if (bytes <= MOST_BYTES) return
  const [there, most] = [bytes, MOST_BYTES].map((count) => Math.ceil(count / 2 ** 20))
  const text = `code and data of these ${accounts.length} accounts have ${there} MB, ${most} MB at most in one answer`
  throw new ApiError('replyTooLarge', text, { param: 'address', limit: MOST_BYTES })
}
