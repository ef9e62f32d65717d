// API keys at every door: the three texts and statuses the specification fixes, each in the form of its door.

import { beforeAll, describe, expect, test } from 'vitest'
import { makeKey } from '../../../../server/access/index.ts'
import { ask, call, connectTo, post, refusalOf, rpc, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serveMethods, type TestService } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp(), { config: { limits: 'on' }, now: () => Date.now() + ahead }))
/** The clock of the service, moved on once a key has to have ended. */
let ahead = 0

type Form = 'toncenter' | 'plain' | 'strict'
const doors: [string, Form, (key: Record<string, string>, query: string) => ReturnType<typeof ask>][] = [
  ['REST GET', 'toncenter', (headers, query) => ask(service(), `/api/v2/fixed${query}`, { headers })],
  ['REST POST', 'toncenter', (headers, query) => post(service(), `/api/v2/fixed${query}`, {}, headers)],
  [
    'v3',
    'plain',
    (headers, query) => ask(service(), `/api/v3/word${query}&word=a`.replace('word&', 'word?'), { headers }),
  ],
  ['toncenter JSON-RPC', 'toncenter', (headers, query) => post(service(), TONCENTER + query, call('fixed'), headers)],
  ['strict JSON-RPC', 'strict', (headers, query) => post(service(), STRICT + query, call('fixed'), headers)],
]

const refused: [string, number, string, number, () => string][] = [
  ['a key that was never issued', 401, 'API key does not exist', -32001, () => makeKey('devnet')],
  ['no key at all in shape', 401, 'API key does not exist', -32001, () => 'guess'],
  ['ten thousand signs', 401, 'API key does not exist', -32001, () => 'x'.repeat(7000)],
  ['a revoked key', 401, 'API key does not exist', -32001, () => made.revoked],
  ['an expired key', 401, 'API key does not exist', -32001, () => made.expired],
  ['a key of another network', 403, 'Network not allowed', -32002, () => makeKey('mainnet')],
]

// Made before the first request: a running service notices new keys within half a second, not at once.
const made = { good: '', revoked: '', expired: '' }
beforeAll(async () => {
  const expiresAt = Date.now() + 3_600_000
  const { key, id } = await service().newKey()
  await service().revoke(id)
  made.revoked = key
  made.expired = (await service().newKey({ expiresAt })).key
  made.good = (await service().newKey({ plan: 'custom', perSecond: 1000 })).key
  ahead = 3_600_001
})

const bodyOf = (form: Form, status: number, text: string, code: number): object => {
  if (form === 'plain') return { error: text }
  if (form === 'toncenter') return { ok: false, error: text, code: status }
  return { jsonrpc: '2.0', ok: false, error: { code, message: text }, id: null }
}

describe.each(doors)('%s', (_, form, send) => {
  test.each(refused)('%s is refused, in header and query', async (_how, status, text, code, key) => {
    const secret = key()
    for (const [headers, query] of [
      [{ 'X-API-Key': secret }, ''],
      [{}, `?api_key=${secret}`],
    ] as const) {
      const answer = await send(headers, query)
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject(bodyOf(form, status, text, code))
      expect(answer.text).not.toContain(secret)
    }
  })

  test('a good key works in header and query, and shows its plan', async () => {
    const key = made.good
    for (const [headers, query] of [
      [{ 'x-api-key': key }, ''],
      [{}, `?api_key=${key}`],
    ] as const) {
      const answer = await send(headers, query)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit-policy')).toBe('"custom";q=1000;w=1')
    }
  })
})

test('WebSocket: a refused key is answered in JSON with its status', async () => {
  for (const [_how, status, text, code, key] of refused.slice(0, 2)) {
    const secret = key()
    const refusal = await refusalOf(connectTo(service(), STRICT, { headers: { 'X-API-Key': secret } }))
    expect(refusal.status).toBe(status)
    expect(refusal.body).toMatchObject(bodyOf('strict', status, text, code))
    const viaQuery = await refusalOf(connectTo(service(), `${TONCENTER}?api_key=${secret}`))
    expect([viaQuery.status, viaQuery.body.error, viaQuery.body.code]).toEqual([status, text, status])
  }
})

test('WebSocket: a key behind a second question mark is read, as of a request', async () => {
  const query = '?from=which?&api_key=guess'
  expect((await ask(service(), `/api/v2/fixed${query}`)).status).toBe(401)
  expect(await refusalOf(connectTo(service(), STRICT + query))).toMatchObject({ status: 401 })
})

test('WebSocket: a key that is revoked later ends the connection', async () => {
  await using own = await serveMethods(madeUp(), { config: { limits: 'on' } })
  const { key, id } = await own.newKey({ plan: 'custom', perSecond: 1000 })
  await using socket = await connectTo(own, `${STRICT}?api_key=${key}`)
  socket.send(call('fixed'))
  expect(await socket.next()).toMatchObject({ ok: true })
  await own.revoke(id)
  let over = false
  void socket.closed.then(() => {
    over = true
  })
  while (!over) {
    socket.ws.send(JSON.stringify(call('fixed')))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(await socket.closed).toEqual({ code: 1008, reason: 'API key does not exist' })
})

test('a key that does not hold costs its address a call', async () => {
  // A clock that stands still: budgets do not fill again.
  const own = { config: { limits: 'on' }, now: () => 0 } as const
  const guesses: ((where: TestService) => Promise<unknown>)[] = [
    (where) => ask(where, '/api/v2/fixed?api_key=guess'),
    (where) => ask(where, '/api/v2/fixed', { headers: { 'X-API-Key': makeKey('devnet') } }),
    (where) => refusalOf(connectTo(where, `${STRICT}?api_key=guess`)),
  ]
  for (const guess of guesses) {
    await using where = await serveMethods(madeUp(), own)
    await guess(where)
    expect((await ask(where, '/api/v2/fixed')).status).toBe(429)
  }
})

test('an empty key is none', async () => {
  await using own = await serveMethods(madeUp(), { config: { limits: 'on' } })
  expect((await ask(own, '/api/v2/fixed?api_key=', { headers: { 'X-API-Key': '' } })).status).toBe(200)
})

test('a key that stands nearly in the right place is pointed out', async () => {
  const key = made.good
  const hint = (answer: { headers: Headers }) => answer.headers.get('x-api-key-hint')
  for (const name of ['Api-Key', 'apikey', 'X-ApiKey'])
    expect(hint(await ask(service(), '/api/v2/fixed', { headers: { [name]: key } }))).toMatch(/X-API-Key or query/)
  expect(hint(await ask(service(), '/api/v2/fixed', { headers: { Authorization: `Bearer ${key}` } }))).toMatch(
    /no key was read/,
  )
  for (const name of ['apiKey', 'apikey', 'api-key', 'key', 'token'])
    expect(hint(await ask(service(), `/api/v2/fixed?${name}=${key}`))).not.toBeNull()
  expect(hint(await ask(service(), '/api/v2/fixed'))).toBeNull()
  expect(hint(await ask(service(), `/api/v2/fixed?api_key=${key}`))).toBeNull()
})

test('pages, health and preflight ask for no key', async () => {
  const headers = { 'X-API-Key': 'guess' }
  for (const path of ['/', '/api/v2/', '/openapi/v2.json', '/metrics', '/readyz'])
    expect((await ask(service(), path, { headers })).status).toBe(200)
  expect((await ask(service(), STRICT, { method: 'OPTIONS', headers })).status).toBe(204)
})

test('a batch under a bad key is refused as a whole', async () => {
  const answer = await post(service(), STRICT, [call('fixed'), call('fixed')], { 'X-API-Key': 'guess' })
  expect([answer.status, Array.isArray(answer.body)]).toEqual([401, false])
  expect((await rpc(service(), `${STRICT}?api_key=guess`, 'fixed')).status).toBe(401)
})
