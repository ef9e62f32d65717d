// What the service says of itself, as it goes over the wire.

import { describe, expect, test } from 'vitest'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { V2_VERSION, V3_VERSION } from '../../../../shared/version.ts'
import { ask, call, connectTo, post, rpc, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { sayRaw } from '../../../setup/rawSocket.ts'
import { forAllTests, serve, serveMethods } from '../../../setup/service.ts'

const service = forAllTests(() => serve())
const made = forAllTests(() => serveMethods(madeUp(), { config: { callMs: 1_000 } }))
const get = (path: string, headers: Record<string, string> = {}) => ask(service(), path, { headers })

test.each(['/', '/api/v2', '/api/v2/', '/api/v2/index.html', '/api/v3', '/api/v3/', '/api/v3/index.html'])(
  '%s is a page that may load nothing foreign',
  async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).toMatch(/^<!doctype html>/i)
    for (const [, asset = ''] of text.matchAll(/(?:src|href)="([^"]*\.(?:js|css))"/g))
      expect((await get(new URL(asset, `http://host${path}`).pathname)).status).toBe(200)
  },
)

test('assets carry their type and a tag, and are not sent twice', async () => {
  const { text } = await get('/api/v2/')
  const links = [...text.matchAll(/(?:src|href)="([^"#]*)"/g)].map(([, link = '']) => link)
  // Behind a proxy the root of the host is that of others.
  expect(links.filter((link) => link.startsWith('/'))).toEqual([])
  const paths = links.map((link) => new URL(link, 'http://host/api/v2/').pathname)
  const assets = paths.filter((path) => /\.(?:js|css)$/.test(path))
  expect(assets.length).toBeGreaterThan(0)
  for (const path of assets) {
    const first = await get(path)
    expect(first.headers.get('content-type')).toMatch(path.endsWith('.js') ? /javascript/ : /css/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const etag = first.headers.get('etag') ?? ''
    // A strong tag would promise the same bytes to callers that take other encodings.
    expect(etag).toMatch(/^W\/"[^"]+"$/)
    const again = await get(path, { 'If-None-Match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    for (const held of [etag.slice('W/'.length), `"other", ${etag}`, '*'])
      expect([held, (await get(path, { 'If-None-Match': held })).status]).toEqual([held, 304])
    for (const name of ['etag', 'cache-control', 'vary']) expect(again.headers.get(name)).toBe(first.headers.get(name))
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
  }
})

const DOCUMENTS = [
  '/openapi/v2.json',
  '/openapi/v3.json',
  '/api/v2/openapi.json',
  '/api/v3/openapi.json',
  '/api/v3/doc.json',
]

test.each(DOCUMENTS)('%s is OpenAPI 3.1', async (path) => {
  const { status, headers, body } = await get(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(body).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    info: { version: path.includes('v3') ? V3_VERSION : V2_VERSION },
  })
})

test('/healthcheck says OK, and /favicon.ico is a picture', async () => {
  expect(await get('/healthcheck')).toMatchObject({ status: 200, body: 'OK' })
  const icon = await get('/favicon.ico')
  expect([icon.status, icon.headers.get('content-type'), icon.text.slice(0, 4)]).toEqual([200, 'image/svg+xml', '<svg'])
})

test('a browser that follows a link to nowhere gets a page, a program gets JSON', async () => {
  const page = await get('/nowhere', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('There is no page at this address')
  expect(await get('/nowhere')).toMatchObject({ status: 404, body: { error: 'Not Found' } })
})

// Without `Vary: Accept` a shared cache would give a browser the JSON that a program was answered at the same path.
test.each(['/', '/console', '/tx/abc', '/nowhere'])('%s is said to depend on what its caller accepts', async (path) => {
  for (const Accept of ['text/html', '*/*'])
    expect((await get(path, { Accept })).headers.get('vary')).toMatch(/\bAccept(?:,|$)/)
})

test('the advice on an unknown method leads to the list of all', async () => {
  const { text } = await rpc(service(), STRICT, 'eth_blockNumber', {})
  const [path = ''] = /\/openrpc\S+\.json/.exec(text) ?? []
  expect((await get(path)).body.methods).toContainEqual(expect.objectContaining({ name: 'getMasterchainInfo' }))
})

test('an unknown method or path is answered with the nearest one', async () => {
  const strict = await rpc(service(), STRICT, 'getMastrchainInfo', {})
  expect(strict.body.error).toEqual({
    code: -32601,
    message: 'Method not found',
    data: { kind: 'methodNotFound', nearest: 'getMasterchainInfo', ...helpOn('methodNotFound', {}) },
  })
  expect((await rpc(service(), STRICT, 'masterchaininfo', {})).body.error).toMatchObject({
    data: { nearest: 'v3.masterchainInfo' },
  })
  expect((await rpc(service(), TONCENTER, 'getaddressinformation', {})).body).toMatchObject({
    code: 422,
    error: 'Unknown method: did you mean getAddressInformation?',
  })
  expect((await get('/api/v3/acountStates')).body).toEqual({
    error: 'Not Found: did you mean /api/v3/accountStates?',
  })
  expect((await get('/api/v2/getBlok')).body).toMatchObject({ error: 'Not Found' })
  for (const [path, meant] of [
    ['/jsonrpc', '/jsonRPC'],
    ['/api/v2/jsonrpc', '/api/v2/jsonRPC'],
    ['/health', '/healthz'],
    ['/ready', '/readyz'],
    ['/api/v4', '/api/v4/block/latest'],
    ['/api/v4/block/lates', '/api/v4/block/latest'],
    ['/v4/block/latest', '/api/v4/block/latest'],
    ['/block/latest', '/api/v4/block/latest'],
  ] as const)
    expect((await get(path)).body).toMatchObject({ error: `Not Found: did you mean ${meant}?` })
  expect((await get('/nothing')).body).toEqual({ error: 'Not Found' })
})

describe('rpc.discover', () => {
  test('is the same document at both JSON-RPC doors and by WebSocket', async () => {
    const strict = (await rpc(service(), STRICT, 'rpc.discover')).body.result
    expect(strict).toMatchObject({ openrpc: '1.3.2', methods: expect.any(Array) })
    expect((await rpc(service(), TONCENTER, 'rpc.discover', {})).body.result).toEqual(strict)
    await using socket = await connectTo(service())
    socket.send(call('rpc.discover', []))
    expect((await socket.next()).result).toEqual(strict)
  })

  test('names the limits in force', async () => {
    await using own = await serve({ limits: { batchItems: 7 } })
    expect((await rpc(own, STRICT, 'rpc.discover')).body.result).toMatchObject({ 'x-limits': { batchItems: 7 } })
  })

  test('every method it names can be called', async () => {
    const { methods } = (await rpc(service(), STRICT, 'rpc.discover')).body.result as { methods: { name: string }[] }
    for (const { name } of methods) {
      const { error } = (await rpc(service(), STRICT, name, {})).body as { error?: { code: number } }
      expect(error?.code).not.toBe(-32601)
    }
  })
})

test('the list of methods and the description of one are documents of their own', async () => {
  const whole = (await rpc(service(), STRICT, 'rpc.discover')).body.result as { methods: { name: string }[] }
  const { methods } = (await get('/openrpc/methods.json')).body as unknown as typeof whole
  expect(methods.map(({ name }) => name)).toEqual(whole.methods.map(({ name }) => name))
  const last = methods.at(-1)?.name ?? ''
  const one = await get(`/openrpc/method/${last}.json`)
  expect(one.body).toMatchObject({ openrpc: '1.3.2', methods: [{ name: last }] })
  expect((await get('/openrpc/method/nonsense.json')).status).toBe(404)
})

test('healthz says that the loop runs, readyz that requests are welcome', async () => {
  const health = await get('/healthz')
  expect(health.body).toMatchObject({ alive: true, loopLateMs: expect.any(Number) })
  expect(health.headers.get('cache-control')).toBe('no-store')
  const ready = await get('/readyz')
  expect([ready.status, ready.body]).toEqual([
    200,
    {
      ready: true,
      checks: { chain: expect.stringMatching(/^block \d+, \d+ s ago$/), index: 'none' },
      versions: { v2: V2_VERSION, v3: V3_VERSION },
    },
  ])
  for (const path of ['/api/v2/healthcheck', '/api/v3/healthcheck'])
    expect((await get(path)).body).toMatchObject({ alive: true })
})

test('guides are pages under the content policy, and Markdown by their file name', async () => {
  for (const path of ['/docs', '/docs/', '/docs/contracts', '/docs/contracts/']) {
    const { status, headers, text } = await ask(service(), path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'/)
    expect(text).toMatch(/<h1/)
  }
  const source = await ask(service(), '/docs/contracts.md')
  expect([source.headers.get('content-type'), source.text.slice(0, 2)]).toEqual(['text/markdown; charset=utf-8', '# '])
  for (const path of ['/docs/nothing', '/docs/../package.json', '/docs/..%2f..%2fpackage.json', '/docs/Contracts'])
    expect((await ask(service(), path)).status).toBe(404)
})

test('metrics count calls by method and outcome, unknown methods under one label', async () => {
  for (const name of ['get_data', 'get_data', 'boom', 'wait', 'no_such_method', 'evil{label="1"}\n', 'x'.repeat(1000)])
    await rpc(made(), STRICT, name)
  await rpc(made(), STRICT, 'subtract', { minuend: 'x' })
  await rpc(made(), STRICT, 'subtract', { other: 1 })
  await post(made(), STRICT, 'no json')
  const { status, headers, text } = await ask(made(), '/metrics')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4'])
  const count = (method: string, outcome: string) =>
    Number(new RegExp(`^tonrpc_calls_total\\{method="${method}",outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1])
  expect(count('get_data', 'ok')).toBe(2)
  expect(count('boom', 'internal')).toBe(1)
  expect(count('wait', 'timeout')).toBe(1)
  expect(count('subtract', 'invalidParams')).toBe(2)
  expect(count('unknown', 'methodNotFound')).toBe(3)
  expect(count('unknown', 'parse')).toBe(1)
  expect(text).not.toMatch(/evil|no_such_method/)
  expect(text).toMatch(/^tonrpc_http_connections [1-9]/m)
  expect(text).toMatch(/^tonrpc_sockets 0$/m)
  expect(text).toMatch(/^tonrpc_call_seconds_count\{method="get_data"\} 2$/m)
})

test.each(['/healthz', '/metrics', '/api/v3/', '/openapi/v2.json', '/api/v2/healthcheck'])(
  'POST %s is a 405 that names GET',
  async (path) => {
    const { status, headers, body } = await ask(service(), path, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(body.error).toBe('method POST is not supported: use GET')
  },
)

test.each(['/', '/api/v2', '/api/v2/'])(
  'of a client that posts to %s the 405 names the path of JSON-RPC',
  async (path) => {
    const { status, headers, body } = await rpc(service(), path, 'getMasterchainInfo')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(body.error).toBe('method POST is not supported: use GET, or POST to /api/v2/jsonRPC for JSON-RPC')
    expect((await ask(service(), path, { method: 'PUT' })).body.error).toBe('method PUT is not supported: use GET')
  },
)

test.each(['/healthz/', '/HEALTHZ', '/Metrics', '/openapi/V2.json', '/readyz%20', '/%68ealthz'])(
  '%s is none of them',
  async (path) => {
    expect((await get(path)).status).toBe(404)
  },
)

test('HEAD has their headers', async () => {
  const { status, text, headers } = await ask(service(), '/openapi/v2.json', { method: 'HEAD' })
  expect([status, text]).toEqual([200, ''])
  expect(Number(headers.get('content-length'))).toBeGreaterThan(1000)
})

test('a proxy may write the whole address', async () => {
  const tail = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const statuses = async (target: string) =>
    (await sayRaw(service().port, `GET ${target} ${tail}`)).map(({ status }) => status)
  for (const target of [
    'http://any.example/healthz',
    'http://any.example',
    'HTTP://any.example:80/openapi/v2.json',
    `http://any.example/api/v2/detectHash?hash=${'0'.repeat(64)}`,
  ])
    expect(await statuses(target)).toEqual([200])
  expect(await statuses('http://any.example/nothing')).toEqual([404])
})
