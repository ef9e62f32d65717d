// What stands around a body: CORS, compression, ids, timings.

import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ask, call, connectTo, post, refusalOf, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods, type TestService } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))
const listed = forAllTests(() =>
  serveMethods(madeUp(), { config: { limits: 'on', corsOrigins: ['https://good.example'] } }),
)

describe('CORS', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://any.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,x-api-key,x-ton-client-version',
    },
  }

  test.each([STRICT, TONCENTER, '/api/v2/subtract', '/api/v3/word', '/healthz', '/nothing'])(
    '%s answers a preflight',
    async (path) => {
      const { status, headers, text } = await ask(service(), path, preflight)
      expect([status, text]).toEqual([204, ''])
      expect(Object.fromEntries(headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
        'access-control-allow-headers': 'content-type,x-api-key,x-ton-client-version',
        'access-control-max-age': '7200',
      })
    },
  )

  test('a page may delete where that is served', async () => {
    const { headers } = await fetch(`${service().url}/webhooks/1`, preflight)
    expect(headers.get('access-control-allow-methods')).toContain('DELETE')
  })

  test('asked headers may have spaces between them, and a cache that keeps preflights is told that they count', async () => {
    const names = 'content-type, x-trace ,x-api-key'
    const headers = { 'Access-Control-Request-Headers': names }
    const answer = await ask(service(), STRICT, { method: 'OPTIONS', headers })
    expect(answer.headers.get('access-control-allow-headers')).toBe(names)
    expect(answer.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
  })

  test('asked headers that are no list of names are not echoed', async () => {
    for (const names of ['a b', 'x;y', 'a,,b', `${'a,'.repeat(600)}a`]) {
      const { headers } = await ask(service(), STRICT, {
        method: 'OPTIONS',
        headers: { 'Access-Control-Request-Headers': names },
      })
      expect(headers.get('access-control-allow-headers')).toBe(
        'Content-Type, X-API-Key, X-Min-Seqno, X-Ton-Client-Version',
      )
    }
  })

  test('a preflight is charged nothing and asks for no key', async () => {
    for (let i = 0; i < 5; i++) expect((await ask(listed(), `${STRICT}?api_key=guess`, preflight)).status).toBe(204)
  })

  test('by default any page may read any answer and its headers', async () => {
    const { headers } = await ask(service(), '/api/v2/nothing', { headers: { Origin: 'null' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toMatch(/RateLimit.*Retry-After.*X-API-Version.*X-Request-Id/)
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('a page may read all that a service says of a call', async () => {
    const headers = { Origin: 'https://good.example' }
    const answer = await ask(listed(), '/api/v3/word?wrong=1', { headers })
    const said = [...answer.headers.keys()].filter((name) => /^(x-|ratelimit|retry-|server-)/.test(name))
    expect(said).toEqual(expect.arrayContaining(['ratelimit-limit', 'x-ignored-parameters', 'x-request-id']))
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
    expect(['x-content-type-options', ...(exposed ?? [])]).toEqual(expect.arrayContaining(said))
  })

  test('with listed origins only those may, and caches are informed', async () => {
    const allowed = async (origin: string | null) => {
      const { headers } = await ask(listed(), '/healthz', origin === null ? {} : { headers: { Origin: origin } })
      expect(headers.get('vary')).toContain('Origin')
      return headers.get('access-control-allow-origin')
    }
    expect(await allowed('https://good.example')).toBe('https://good.example')
    for (const origin of ['https://bad.example', 'https://good.example.bad', 'http://good.example', 'null', null])
      expect(await allowed(origin)).toBeNull()
  })

  test('a WebSocket of a page that is not listed is refused, one without a page is not', async () => {
    const refusal = await refusalOf(connectTo(listed(), STRICT, { origin: 'https://bad.example' }))
    expect([refusal.status, refusal.body.error]).toEqual([
      403,
      expect.objectContaining({ message: 'Pages of this origin may not call' }),
    ])
    await using _page = await connectTo(listed(), STRICT, { origin: 'https://good.example' })
    await using _program = await connectTo(listed())
  })
})

/** fetch would unpack the body and say nothing of it. */
function raw({ port }: TestService, path: string, acceptEncoding: string | undefined) {
  return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer; length: number }>(
    (resolve, reject) => {
      const headers = acceptEncoding === undefined ? {} : { 'Accept-Encoding': acceptEncoding }
      const req = request({ port, path, headers }, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () =>
          resolve({
            encoding: res.headers['content-encoding'],
            vary: res.headers.vary,
            bytes: Buffer.concat(chunks),
            length: Number(res.headers['content-length']),
          }),
        )
      })
      req.on('error', reject)
      req.end()
    },
  )
}

describe('compression', () => {
  const long = '/api/v2/repeat?times=5000'
  test.each([
    ['gzip, deflate, br', 'br'],
    ['BR', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['br;q=0.000, gzip;q=0', undefined],
    ['*', 'gzip'],
    ['gzip;q=0, *', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
    [`gzip, ${'x'.repeat(300)}`, undefined],
  ])('Accept-Encoding %s gives %s', async (accepted, encoding) => {
    const reply = await raw(service(), long, accepted)
    expect([reply.encoding, reply.vary, reply.length]).toEqual([encoding, 'Accept-Encoding', reply.bytes.length])
    const text =
      encoding === 'br'
        ? brotliDecompressSync(reply.bytes)
        : encoding === 'gzip'
          ? gunzipSync(reply.bytes)
          : reply.bytes
    expect(JSON.parse(text.toString())).toMatchObject({ ok: true, result: 'x'.repeat(5000) })
  })

  test('a short answer is not worth it', async () => {
    expect(await raw(service(), '/api/v2/repeat?times=5', 'br')).toMatchObject({ encoding: undefined, vary: undefined })
  })

  test('text beyond ASCII keeps its length', async () => {
    const reply = await raw(service(), `/api/v2/repeat?times=2000&letter=${encodeURIComponent('\u00e9')}`, undefined)
    expect(reply.length).toBe(reply.bytes.length)
    expect(JSON.parse(reply.bytes.toString())).toMatchObject({ result: '\u00e9'.repeat(2000) })
  })
})

describe('ids and timings', () => {
  test('every reply has a request id of its own, a version and a time', async () => {
    const replies = await Promise.all([
      ask(service(), '/api/v2/subtract?minuend=1&subtrahend=1'),
      ask(service(), '/nothing'),
      ask(service(), '/metrics'),
      post(service(), STRICT, call('get_data')),
      post(service(), STRICT, { jsonrpc: '2.0', method: 'get_data' }),
      post(service(), TONCENTER, 'no json'),
    ])
    for (const { headers } of replies) {
      expect(headers.get('x-api-version')).toMatch(/^2\.2\.\d+$/)
      expect(headers.get('server-timing')).toMatch(/^app;dur=\d+\.\d\d$/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(replies.length)
  })

  test.each(['a', 'trace-1.2:3_4', 'x'.repeat(64)])('the id %s is taken over', async (id) => {
    const { headers } = await ask(service(), '/healthz', { headers: { 'X-Request-Id': id } })
    expect(headers.get('x-request-id')).toBe(id)
  })

  test.each(['', 'a b', 'x'.repeat(65), '<b>', 'caf\u00e9', 'a,b'])('the id %j is replaced', async (id) => {
    const { headers } = await ask(service(), '/healthz', { headers: { 'X-Request-Id': id } })
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8}-\w+$/)
  })
})
