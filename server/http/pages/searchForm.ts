// What the search box posts where no script takes it: the text comes into an address only when it is no secret of a wallet.

import { isSecret, REFUSED } from '../../../shared/explorer/secretText.ts'
import { LONGEST_SEARCH } from '../../../shared/explorer/toolQueries.ts'
import type { HttpExchange, HttpReply } from '../exchange/exchange.ts'
import { readRequestBody } from '../requests/requestBody.ts'

export const SEARCH_PATH = '/search'

/** As browsers and proxies take an address. */
const LONGEST_QUERY = 6_000

/** Characters of a body that are read: a megabyte would take a tenth of a second, and an address has room for fewer. */
const MOST_READ = 64 << 10

const queryOf = (q: string): string => `${new URLSearchParams({ q })}`

/** Leads to the page of the search, whose address can be shared. Throws ApiError. */
export async function searchReply({ req }: HttpExchange, bodyBytes: number): Promise<HttpReply> {
  const body = await readRequestBody(req, bodyBytes)
  const text = (new URLSearchParams(body.slice(0, MOST_READ)).get('q') ?? '').trim()
  const whole = isSecret(text) ? `${REFUSED}=` : queryOf(text)
  // Cut to this it is still longer than a search may be, and the page says so.
  const query = whole.length <= LONGEST_QUERY ? whole : queryOf(text.slice(0, LONGEST_SEARCH + 1))
  const headers = ['Location', `search?${query}`, 'Cache-Control', 'no-store']
  return { status: 303, type: 'text/plain', body: '', headers }
}
