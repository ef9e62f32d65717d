// The caller of a request, by its key and by where it comes from; cached per connection for a moment: the next request
// mostly carries the same key, and hashing it again costs as much as answering.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Access, type AddressRanges, type Caller, clientAddress, type Tier } from '../../access/index.ts'
import { namedQuery } from '../requests/callParams.ts'

export interface CallerFound {
  readonly caller: Caller | Promise<Caller>
  /** Header name and value for a caller whose key was not seen; empty otherwise. */
  readonly hint: readonly string[]
}

/** Throws ApiError for a key that does not hold. `now` is in milliseconds since the process began. */
export type CallerOf = (req: IncomingMessage, query: string, now: number) => CallerFound

/** Who is behind an open connection now. Throws ApiError once the key it came with no longer holds. */
export type Identify = () => Caller | Promise<Caller>

interface GivenKey extends Pick<CallerFound, 'hint'> {
  readonly key: string | undefined
}

// An error for callers who put the key in a similar field: a key that is silently ignored looks like a rate limit that does
// not fit the plan.
const NEAR_QUERY = ['apiKey', 'apikey', 'api-key', 'key', 'token']
const NEAR_HEADERS = ['api-key', 'apikey', 'api_key', 'x-apikey', 'authorization']
const HINT = ['X-API-Key-Hint', 'no key was read: send it as header X-API-Key or query parameter api_key']
const NONE: readonly string[] = []

/** On the paths of another service's streams and webhooks keys are given as it takes them. */
const TOKEN_PATH = /^\/streaming\/v2\/|^(?:\/api\/webhooks\/v1)?\/(?:webhooks|usage-stats)(?:[/?]|$)/
const BEARER = /^bearer +(\S+)$/i

function tokenOf({ url = '', headers }: IncomingMessage, params: URLSearchParams | null): string | null {
  if (!TOKEN_PATH.test(url)) return null
  return params?.get('token') ?? BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}

const KEY_NAMES: ReadonlySet<string> = new Set(['api_key', ...NEAR_QUERY])
const isKeyName = (name: string): boolean => KEY_NAMES.has(name)

/** Of a query that may have a name of a key, plain or with escapes: the others are most, and are not taken apart. */
const MAYBE_KEY = /(?:^|&)[^=&]*(?:key|token|%|\+)/i

/** Where a request may carry its key. */
function keyOf(req: IncomingMessage, query: string): GivenKey {
  const header = req.headers['x-api-key']
  if (typeof header === 'string' && header !== '') return { key: header, hint: NONE }
  const params = MAYBE_KEY.test(query) ? namedQuery(query, isKeyName) : null
  const inQuery = params?.get('api_key') ?? tokenOf(req, params)
  if (inQuery) return { key: inQuery, hint: NONE }
  const near = NEAR_HEADERS.some((name) => name in req.headers) || NEAR_QUERY.some((name) => params?.has(name))
  return { key: undefined, hint: near ? HINT : NONE }
}

// What a proxy leaves in the requests it passes on. A request with any of it does not come from where its connection
// does, whether or not the proxy was declared.
const OTHERS = new Set(['via', 'forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'])

/** In the place of X-Forwarded-For, of a proxy that names no address. */
const NO_ADDRESS = '-'

/** The addresses a proxy names, `-` of one that names none; undefined for a request that no proxy has passed on. */
export function forwardedFor(headers: IncomingHttpHeaders): string | undefined {
  const named = headers['x-forwarded-for']
  if (named !== undefined) return named.toString() || NO_ADDRESS
  for (const name in headers) if (name.startsWith('x-forwarded-') || OTHERS.has(name)) return NO_ADDRESS
  return undefined
}

/** Short compared with the two seconds within which a revoked key must stop working. */
const CACHED_MS = 200

interface Remembered {
  readonly key: string | undefined
  readonly forwarded: string | undefined
  readonly ofPage: boolean
  readonly found: CallerFound
  readonly until: number
}

interface KnownSocket extends Socket {
  lastCaller?: Remembered
}

/**
 * What pages of the explorer may cost an address, apart from its other calls: a view is up to ten calls, and a person stays
 * on it for a while. A program that says it is a page gains little.
 */
const PAGE_TIER: Tier = { name: 'page', perSecond: 3, burst: 40 }

/** An address's own small budget for pages. */
const pageCaller = ({ subject, tier }: Caller): Caller => ({
  subject: `page ${subject}`,
  keyId: null,
  tier: tier === null ? null : PAGE_TIER,
})

/** Whether a browser says that a page of this very service calls. */
function isOwnPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && host !== undefined && /^https?:\/\/(.*)$/.exec(origin)?.[1] === host
}

/** With `pages`, calls without a key that a page of this service makes have a budget of their own. */
export function createCallerOf(access: Access, proxies: AddressRanges, pages = false): CallerOf {
  return (req, query, now) => {
    const socket: KnownSocket = req.socket
    const { key, hint } = keyOf(req, query)
    const forwarded = forwardedFor(req.headers)
    // A hint is about this very request.
    const last = hint.length > 0 ? undefined : socket.lastCaller
    const ofPage = pages && key === undefined && isOwnPage(req.headers)
    if (last && last.key === key && last.forwarded === forwarded && last.ofPage === ofPage && now < last.until)
      return last.found
    const known = access.identify(key, clientAddress(socket.remoteAddress, forwarded, proxies))
    const caller = ofPage && !(known instanceof Promise) ? pageCaller(known) : known
    const found = { caller, hint }
    // A promise may yet fail.
    if (hint.length > 0 || caller instanceof Promise) return found
    socket.lastCaller = { key, forwarded, ofPage, found, until: now + CACHED_MS }
    return found
  }
}

type CallerOfAddress = (req: IncomingMessage) => Caller

/** The caller that an address is without a key. */
export const createAddressCallerOf =
  (access: Access, proxies: AddressRanges): CallerOfAddress =>
  ({ socket, headers }) => {
    const caller = access.identify(undefined, clientAddress(socket.remoteAddress, forwardedFor(headers), proxies))
    // Without a key it is known at once.
    return caller instanceof Promise ? { subject: '', keyId: null, tier: PAGE_TIER } : caller
  }

/** Who pays for the calls a page of the explorer is written with. */
export const createPageCallerOf = (access: Access, proxies: AddressRanges): CallerOfAddress => {
  const callerOf = createAddressCallerOf(access, proxies)
  return (req) => pageCaller(callerOf(req))
}
