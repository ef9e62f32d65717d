// Accounts that a request lists: it has room for twelve thousand, which took thirty milliseconds in one turn.

import { z } from 'zod'
import { ApiError } from '../../shared/errors.ts'
import { isObject } from '../../shared/isObject.ts'
import { fieldRefusal, parseFields } from '../../shared/parseFields.ts'
import type { AccountKey } from '../store/index.ts'

/** Accounts that are read in one piece: a fraction of a millisecond. */
const PIECE = 100

const List = z.object({ accounts: z.array(z.unknown()).min(1) })

const listIn = (body: unknown): readonly unknown[] | null =>
  isObject(body) && Array.isArray(body.accounts) ? body.accounts : null

/** In pieces, up to the first that is wrong. Throws ApiError `invalidParams`, which names it. */
export function* readingAccounts(account: z.ZodType<AccountKey>, body: unknown): Generator<void, AccountKey[]> {
  const list = listIn(body)
  // The first of them shows whether there are any.
  parseFields(List, list === null ? body : { accounts: list.slice(0, 1) })
  const keys: AccountKey[] = []
  for (const [i, given] of (list ?? []).entries()) {
    const read = account.safeParse(given)
    if (!read.success) {
      const issues = read.error.issues.map((issue) => ({ ...issue, path: ['accounts', i, ...issue.path] }))
      throw new ApiError('invalidParams', fieldRefusal(new z.ZodError(issues), body))
    }
    keys.push(read.data)
    if (keys.length % PIECE === 0) yield
  }
  return keys
}
