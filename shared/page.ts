// Paging and sorting: the bounds of a method are defined once, in its spec.

import { z } from 'zod'
import { listedWords } from './listedWords.ts'

export interface PageBounds {
  /** Rows when `limit` is not given. */
  readonly byDefault: number
  /** Largest `limit`. */
  readonly most: number
}

/** `limit` and `offset` of a list. Out of bounds is refused with the bounds in the text, never changed silently. */
export const page = ({ byDefault = 10, most = 1000 }: Partial<PageBounds> = {}) => ({
  limit: z
    .int()
    .min(1, `limit is not allowed: at least 1`)
    .max(most, { error: (issue) => `limit is not allowed: ${String(issue.input)} > ${most}` })
    .default(byDefault)
    .meta({ description: `Maximum rows, 1 to ${most}.` }),
  offset: z
    .int()
    .min(0, 'offset is not allowed: at least 0')
    .max(2 ** 31 - 1)
    .default(0)
    .meta({ description: 'Rows to skip.' }),
})

/** Above the maximum of cursors this service returns, which is one with a domain name. */
const CURSOR_LENGTH = 2048

/** The same and `cursor`: continues after the last row of its page, also when rows were added meanwhile. */
export const cursorPage = (bounds: Partial<PageBounds> = {}) => ({
  ...page(bounds),
  cursor: z
    .string()
    .max(CURSOR_LENGTH)
    .optional()
    .meta({ description: '`cursor` of the previous page; keep every other parameter but `limit` as it was there.' }),
})

/** Returned next to the rows of such a page. */
export const NextCursor = z
  .string()
  .nullable()
  .meta({ id: 'NextCursor', description: 'Pass it as `cursor` for the next page; null on the last one.' })

const SORTS: Readonly<Record<string, 'asc' | 'desc'>> = { asc: 'asc', a: 'asc', desc: 'desc', d: 'desc' }

/** Marks an issue whose text is returned unchanged: the value was parsed, and is not allowed. */
export const RULE = { rule: true }

const sortText = listedWords(
  z.string().transform((text, context): 'asc' | 'desc' => {
    const lower = text.toLowerCase()
    const sort = Object.hasOwn(SORTS, lower) ? SORTS[lower] : undefined
    if (sort) return sort
    context.addIssue({ code: 'custom', message: 'wrong value for sort parameter', params: RULE })
    return z.NEVER
  }),
  ['asc', 'desc'],
)

/** Order of a list: default `desc`; `d`, `a` and any letter case are accepted. */
export const Sort = sortText
  .default('desc')
  .meta({ id: 'Sort', description: 'Order of a list.' })
  .describe('`desc` (newest or largest first) or `asc`.')

/** Of a list with a default order of its own. */
export const MaybeSort = sortText
  .optional()
  .meta({ id: 'MaybeSort', description: 'Order of a list.' })
  .describe('`desc` (newest or largest first) or `asc`.')
