// How long a head may be, at each bound and one beyond it.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { brokenHead, checkHead } from '../../../../server/http/requests/head.ts'

const LIMITS = { urlBytes: 5_000, headerBytes: 6_000, v3HeadBytes: 12_000 }

/** The kind of refusal of a head, null for none. */
function refusalOf(path: string, url: string, rawHeaders: readonly string[] = []): unknown {
  try {
    // The cast: nothing else of a request is looked at.
    checkHead({ url, rawHeaders } as unknown as IncomingMessage, path, LIMITS)
    return null
  } catch (error) {
    return (error as { kind?: unknown }).kind
  }
}

const urlOf = (length: number) => '/'.padEnd(length, 'x')

test.each([
  ['/api/v2/x', LIMITS.urlBytes],
  ['/api/v3/x', LIMITS.v3HeadBytes],
])('the URL of %s', (path, most) => {
  expect([refusalOf(path, urlOf(most)), refusalOf(path, urlOf(most + 1))]).toEqual([null, 'urlTooLong'])
})

test('URL and headers together', () => {
  const headers = (length: number) => ['a', 'x'.repeat(length - 1)]
  const left = LIMITS.headerBytes - 1_000
  expect(refusalOf('/api/v2/x', urlOf(1_000), headers(left))).toBeNull()
  expect(refusalOf('/api/v2/x', urlOf(1_000), headers(left + 1))).toBe('headersTooLarge')
})

test('parameters', () => {
  const url = (count: number) => `/?${Array(count).fill('a').join('&')}`
  expect(refusalOf('/api/v3/x', url(4_096))).toBeNull()
  expect(refusalOf('/api/v3/x', url(4_097))).toBe('urlTooLong')
})

test('headers, of which Node drops those after the thousandth', () => {
  const headers = (count: number) => Array.from({ length: count }, () => ['a', 'b']).flat()
  expect(refusalOf('/api/v2/x', '/', headers(999))).toBeNull()
  expect(refusalOf('/api/v2/x', '/', headers(1_000))).toBe('headersTooLarge')
})

test.each([
  [null, '1.1', ['Host', 'a'], {}],
  [null, '1.0', [], {}],
  [400, '1.1', [], {}],
  [400, '1.1', ['host', 'a', 'HOST', 'a'], {}],
  [null, '1.1', ['Host', 'a'], { 'transfer-encoding': 'Chunked' }],
  [501, '1.1', ['Host', 'a'], { 'transfer-encoding': 'gzip, chunked' }],
])('%s for HTTP %s with %j and %j', (status, httpVersion, rawHeaders, headers) => {
  const broken = brokenHead({ httpVersion, rawHeaders, headers } as unknown as IncomingMessage)
  expect(broken?.status ?? null).toBe(status)
})
