import { describe, expect, test } from 'vitest'
import { backoff, NO_RETRY, nextWait, parseRetryAfter, RETRY, shouldRetry } from '../../client/retry.ts'
import { RpcError, TransportError } from '../../client/rpcErrors.ts'
import { type ErrorKind, errorTable } from '../../shared/errors.ts'

const rpc = (kind: ErrorKind, data = {}) =>
  new RpcError({ method: 'm', code: errorTable[kind].rpc, text: 't', kind, data })
const status = (code: number, retryAfter?: number) =>
  new TransportError({ reason: 'status', text: 't', status: code, retryAfter })
const network = new TransportError({ reason: 'network', text: 't' })

describe('shouldRetry', () => {
  test('default: as the error table says', () => {
    for (const kind of Object.keys(errorTable) as ErrorKind[]) {
      expect([kind, shouldRetry(rpc(kind))]).toEqual([kind, errorTable[kind].retry])
    }
  })

  test('args: status', () => {
    for (const code of [408, 429, 502, 503, 504]) expect(shouldRetry(status(code))).toBe(true)
    for (const code of [400, 401, 403, 404, 413, 422, 500, 501]) expect(shouldRetry(status(code))).toBe(false)
    expect(shouldRetry(new RpcError({ method: 'm', code: -1, text: 't', kind: 'new', status: 503 }))).toBe(true)
  })

  test('args: a rate limit by code alone', () => {
    expect(shouldRetry(new RpcError({ method: 'm', code: -32005, text: 't', kind: 'new' }))).toBe(true)
  })

  test('args: reason', () => {
    expect(shouldRetry(network)).toBe(true)
    expect(shouldRetry(new TransportError({ reason: 'reply', text: 't' }))).toBe(false)
    expect(shouldRetry(new TransportError({ reason: 'closed', text: 't' }))).toBe(false)
  })

  test('args: anything else is not retried', () => {
    for (const error of [new Error('x'), new DOMException('x', 'AbortError'), null]) {
      expect(shouldRetry(error)).toBe(false)
    }
  })

  test('behavior: a call that must run once is sent again only when it has not begun', () => {
    expect(shouldRetry(rpc('rateLimited'), true)).toBe(true)
    expect(shouldRetry(rpc('busy'), true)).toBe(true)
    expect(shouldRetry(status(429), true)).toBe(true)
    for (const error of [network, status(502), status(503), status(504), rpc('timeout')]) {
      expect(shouldRetry(error, true)).toBe(false)
    }
  })
})

describe('backoff', () => {
  test('default: doubles up to the cap', () => {
    const most = [1, 2, 3, 4, 5, 60].map((tried) => backoff(tried, { baseMs: 100, capMs: 1000 }, 1))
    expect(most).toEqual([100, 200, 400, 800, 1000, 1000])
  })

  test('args: random is full jitter', () => {
    expect(backoff(3, { baseMs: 100, capMs: 1000 }, 0)).toBe(0)
    expect(backoff(3, { baseMs: 100, capMs: 1000 }, 0.5)).toBe(200)
  })
})

describe('nextWait', () => {
  const past = { tried: 1, waited: 0, random: 1 }

  test('default', () => {
    expect(nextWait(network, past, RETRY)).toBe(RETRY.baseMs)
    expect(nextWait(network, { ...past, tried: 2 }, RETRY)).toBe(2 * RETRY.baseMs)
  })

  test('behavior: tries are bounded', () => {
    expect(nextWait(network, { ...past, tried: RETRY.tries }, RETRY)).toBeNull()
    expect(nextWait(network, past, NO_RETRY)).toBeNull()
  })

  test('behavior: what the service asks for is the least', () => {
    expect(nextWait(rpc('rateLimited', { retryAfter: 3 }), { ...past, random: 0 }, RETRY)).toBe(3000)
    expect(nextWait(status(503, 2), past, RETRY)).toBe(2000 + RETRY.baseMs)
  })

  test('behavior: a wait beyond the total is not begun', () => {
    expect(nextWait(status(503, 31), past, RETRY)).toBeNull()
    expect(nextWait(status(503, 3), { ...past, waited: 28_000 }, RETRY)).toBeNull()
    expect(nextWait(status(503, 3), past, RETRY, 3_000)).toBeNull()
    expect(nextWait(status(503, 3), past, RETRY, 4_000)).toBe(3000 + RETRY.baseMs)
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const read = (text: string | null, date?: string) =>
    parseRetryAfter(new Headers({ ...(text !== null && { 'retry-after': text }), ...(date && { date }) }), now)

  test('default: seconds, an HTTP date, or nothing', () => {
    expect(read('7')).toBe(7)
    expect(read(' 0 ')).toBe(0)
    expect(read('Thu, 01 Jan 2026 00:00:09 GMT')).toBe(9)
    expect(read('Wed, 31 Dec 2025 00:00:00 GMT')).toBe(0)
    expect(read('1.5')).toBe(2)
    for (const text of [null, '', 'soon', '-5', '1,5', '5 6']) expect(read(text)).toBeUndefined()
  })

  test('behavior: a date counts from that of the answer, not from a clock here that is wrong', () => {
    expect(read('Fri, 02 Jan 2026 00:00:09 GMT', 'Fri, 02 Jan 2026 00:00:02 GMT')).toBe(7)
    expect(read('Wed, 31 Dec 2025 00:00:09 GMT', 'Wed, 31 Dec 2025 00:00:02 GMT')).toBe(7)
    expect(read('Thu, 01 Jan 2026 00:00:09 GMT', 'no date')).toBe(9)
    expect(read('7', 'Wed, 31 Dec 2025 00:00:02 GMT')).toBe(7)
  })
})
