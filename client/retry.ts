// What to retry, and when: pure functions, no clock and no network.

import type { Complete } from './protocol.ts'
import { isPassing, isRpcError, isTransportError, type RpcError, type TransportError } from './rpcErrors.ts'

export interface RetryOptions {
  /** Maximum tries of one call, the first included. Default 4. */
  readonly tries?: number | undefined
  /** Maximum wait before the second try; doubles with each further one. */
  readonly baseMs?: number | undefined
  /** Where the doubling ends. */
  readonly capMs?: number | undefined
  /** Maximum total wait of one call between its tries. */
  readonly maxWaitMs?: number | undefined
}

export const RETRY: Complete<RetryOptions> = { tries: 4, baseMs: 250, capMs: 8_000, maxWaitMs: 30_000 }
export const NO_RETRY: Complete<RetryOptions> = { ...RETRY, tries: 1 }

/** Statuses after which the same call may succeed later, where the answer says no more. */
export const PASSING_STATUS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
const RATE_LIMITED = -32005

/**
 * Whether the same call may succeed later. `once` is for calls that change something each time they run: those are
 * retried only when the service has not started them.
 */
export function shouldRetry(error: unknown, once = false): boolean {
  if (isRpcError(error)) {
    const refused = error.code === RATE_LIMITED || error.status === 429 || error.kind === 'busy'
    return refused || (!once && (isPassing(error.kind) || PASSING_STATUS.has(error.status ?? 0)))
  }
  if (!isTransportError(error)) return false
  if (once) return error.status === 429
  return error.reason === 'network' || PASSING_STATUS.has(error.status ?? 0)
}

/** Seconds to wait that the service named, if it did. */
const requestedWait = (error: RpcError | TransportError): number | undefined =>
  isRpcError(error) ? error.data.retryAfter : error.retryAfter

/** Full jitter: anything between nothing and the doubled base, so that many callers do not come back at once. */
export const backoff = (tried: number, { baseMs, capMs }: { baseMs: number; capMs: number }, random: number): number =>
  random * Math.min(capMs, baseMs * 2 ** (tried - 1))

export interface Tried {
  /** How often the call was sent so far. */
  readonly tried: number
  /** Milliseconds it waited between those. */
  readonly waited: number
  /** 0 to 1. */
  readonly random: number
}

/**
 * Milliseconds to wait before the next try, or null for no further try. A wait the service requested is kept whole, with
 * the jitter of a first try on top of it; one longer than the rest of `maxWaitMs`, or of the time limit of the call, is not started.
 */
export function nextWait(
  error: RpcError | TransportError,
  past: Tried,
  options: Complete<RetryOptions>,
  limitMs = Number.POSITIVE_INFINITY,
): number | null {
  if (past.tried >= options.tries) return null
  const requested = requestedWait(error)
  const wait = (requested ?? 0) * 1000 + backoff(requested === undefined ? past.tried : 1, options, past.random)
  return past.waited + wait > Math.min(options.maxWaitMs, limitMs) ? null : wait
}

/**
 * Seconds of a `Retry-After` header, which is a number of them or an HTTP date; undefined when it is neither. A date counts from the
 * `Date` of the same answer, where that can be read: the clock here may be wrong.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text))
  // A bare number would be read as a year or a month.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  const sent = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - (Number.isNaN(sent) ? now : sent)) / 1000))
}
