// Reads a list to its end: by `cursor` where the replies carry one, else by `offset`. One page is fetched at a time,
// and only when the last one is used up.

import { abortReason } from './abortReason.ts'
import { isObject } from './protocol.ts'
import { TransportError } from './rpcErrors.ts'
import type { CallOptions, PageOptions } from './tree.ts'

/** Ten times the service's default: few calls, replies still small. */
const PAGE_SIZE = 100

type Params = Readonly<Record<string, unknown>>

/** Fetches one page. */
export type FetchPage = (method: string, params: Params, options: CallOptions) => Promise<unknown>

/** The rows of a page: the page itself, or the one array in it. */
export function rowsOfPage(method: string, page: unknown): readonly unknown[] {
  if (Array.isArray(page)) return page
  const arrays = isObject(page) ? Object.values(page).filter(Array.isArray) : []
  const [rows] = arrays
  if (rows && arrays.length === 1) return rows
  throw new TransportError({ reason: 'reply', text: `a page has one array of rows, not ${arrays.length}`, method })
}

/**
 * Params of the page after this one, or null when it was the last. A cursor says by itself whether there is more: a page before
 * the last is short when rows were removed while it was read. Throws when the cursor does not move.
 */
export function nextParams(method: string, params: Params, page: unknown): Params | null {
  const count = rowsOfPage(method, page).length
  const { cursor: before, offset, ...rest } = params
  const cursor = isObject(page) ? page.cursor : undefined
  if (cursor === null) return null
  if (cursor === undefined) {
    const ended = before !== undefined || count === 0 || count < Number(params.limit)
    return ended ? null : { ...params, offset: Number(offset ?? 0) + count }
  }
  if (cursor !== before) return { ...rest, cursor }
  throw new TransportError({ reason: 'reply', text: 'the cursor of the next page is that of this one', method })
}

/** Pages that have rows, until `max` rows were read; the last one may hold more. */
export async function* readPages(
  ask: FetchPage,
  method: string,
  params: Params = {},
  { max = Number.POSITIVE_INFINITY, ...options }: PageOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  if (max <= 0) return
  const limit = params.limit ?? PAGE_SIZE
  let next: Params | null = { ...params, limit: typeof limit === 'number' ? Math.min(limit, max) : limit }
  let left = max
  while (next && left > 0) {
    const page = await ask(method, next, options)
    const count = rowsOfPage(method, page).length
    // Before the page is handed out: what its reader does to it must not lead astray.
    next = nextParams(method, next, page)
    left -= count
    if (count > 0) yield page
  }
}

/** Rows one by one, at most `max`. */
export async function* readRows(
  ask: FetchPage,
  method: string,
  params: Params = {},
  options: PageOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  let left = options.max ?? Number.POSITIVE_INFINITY
  for await (const page of readPages(ask, method, params, options)) {
    for (const row of rowsOfPage(method, page)) {
      if (options.signal?.aborted) throw abortReason(options.signal)
      yield row
      left--
      if (left <= 0) return
    }
  }
}
