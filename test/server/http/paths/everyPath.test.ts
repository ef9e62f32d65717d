// Every path of the service, with what no path takes: each refuses in its own dialect, names the bound or the verbs it
// serves, and the next good request is answered.

import { afterEach, describe, expect, test } from 'vitest'
import { registry } from '../../../../shared/registry.ts'
import { type Answered, ask, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { forAllTests, serve } from '../../../setup/service.ts'

const LIMITS = { bodyBytes: 2_000, urlBytes: 1_000, headerBytes: 3_000 }
const V3_HEAD_BYTES = 16_384
const service = forAllTests(() => serve({ limits: LIMITS, config: { v3HeadBytes: V3_HEAD_BYTES } }))

const PAGES = [
  '/',
  '/docs',
  '/docs/',
  '/openapi/v2.json',
  '/openapi/v3.json',
  '/favicon.ico',
  '/api/v2',
  '/api/v2/',
  '/api/v2/index.html',
  '/api/v2/openapi.json',
  '/api/v2/healthcheck',
  '/api/v3',
  '/api/v3/',
  '/api/v3/index.html',
  '/api/v3/openapi.json',
  '/api/v3/doc.json',
  '/api/emulate/doc.json',
  '/api/v3/healthcheck',
  '/healthcheck',
  '/healthz',
  '/readyz',
  '/metrics',
]

const verbs = new Map<string, string[]>([
  ...PAGES.map((path): [string, string[]] => [path, ['GET']]),
  ...[STRICT, TONCENTER].map((path): [string, string[]] => [path, ['POST']]),
])
for (const { rest } of Object.values(registry))
  for (const { path, verb } of rest) verbs.set(path, [...(verbs.get(path) ?? []), verb])
const paths = [...verbs].map(([path, served]) => ({ path, served }))
const posted = paths.filter(({ served }) => served.includes('POST'))

const allowOf = (served: readonly string[]): string[] =>
  [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
const listOf = (header: string | null): string[] => (header ?? '').split(', ').sort()

interface Expected {
  readonly status: number
  readonly text: string | RegExp
  readonly limit?: number
}

/** The refusal in the dialect of a path. */
function expectRefusal(
  path: string,
  { status: got, headers, body }: Answered,
  { status, text, limit }: Expected,
): void {
  const message = expect.stringMatching(text)
  expect([path, got, headers.get('content-type')]).toEqual([path, status, 'application/json'])
  if (path === STRICT)
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      ok: false,
      id: null,
      error: { code: expect.any(Number), message, ...(limit === undefined ? {} : { data: { limit } }) },
    })
  else if (/^\/(?:api\/v2\/.|acton_)/.test(path))
    expect(body).toMatchObject({ ok: false, error: message, code: status })
  else expect(body).toEqual({ error: message })
}

afterEach(async () => {
  expect(await ask(service(), '/api/v2/getMasterchainInfo')).toMatchObject({ status: 200, body: { ok: true } })
})

describe('verbs', () => {
  test('OPTIONS names those a path serves', async () => {
    for (const { path, served } of paths) {
      const { status, headers } = await ask(service(), path, { method: 'OPTIONS' })
      expect([path, status, listOf(headers.get('allow'))]).toEqual([path, 204, allowOf(served)])
    }
    expect((await ask(service(), '/nothing', { method: 'OPTIONS' })).headers.get('allow')).toBeNull()
  })

  test('any other is a 405 that names them', async () => {
    for (const { path, served } of paths)
      for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !served.includes(one))) {
        const answer = await ask(service(), path, { method: verb })
        expectRefusal(path, answer, { status: 405, text: `method ${verb} is not supported: use ${served.join(', ')}` })
        expect([path, listOf(answer.headers.get('allow'))]).toEqual([path, allowOf(served)])
      }
  })
})

describe('too much', () => {
  test('a body is a 413 that names the bound', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(LIMITS.bodyBytes) })
    const headers = { 'Content-Type': 'application/json' }
    for (const { path } of posted) {
      const answer = await ask(service(), path, { method: 'POST', body, headers })
      expectRefusal(path, answer, { status: 413, text: 'Body too large: 2000 bytes at most', limit: 2_000 })
    }
  })

  const limitOf = (path: string, other: number): number => (path.startsWith('/api/v3/') ? V3_HEAD_BYTES : other)

  test('a URL is a 414 that names the bound', async () => {
    for (const { path, served } of paths) {
      const limit = limitOf(path, LIMITS.urlBytes)
      const answer = await ask(service(), `${path}?x=${'x'.repeat(limit)}`, { method: served[0] ?? 'GET' })
      expectRefusal(path, answer, { status: 414, text: `URL too long: ${limit} bytes at most`, limit })
    }
  })

  test('headers are a 431 that names the bound', async () => {
    for (const { path, served } of paths) {
      const limit = limitOf(path, LIMITS.headerBytes)
      const headers = { 'X-Long': 'x'.repeat(limit) }
      const answer = await ask(service(), path, { method: served[0] ?? 'GET', headers })
      expectRefusal(path, answer, { status: 431, text: `Headers too large: ${limit} bytes at most`, limit })
    }
  })
})
