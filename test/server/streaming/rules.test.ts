// What a subscription has to be, row by row, on both transports; and what the paths refuse.

import { beforeAll, expect, test } from 'vitest'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, knownKey, openEvents, openSocket, openWallet } from '../../setup/streams.ts'

/** Both ends are in this process: one that is busy for longer than two of them ends the connections of its tests. */
const PING_MS = 2_000
const limits = { streamKeepaliveMs: 300, streamPingMs: PING_MS, pingMs: PING_MS }
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' }, limits }))
const A = `0:${'AB'.repeat(32)}`
const HASH = Buffer.alloc(32, 7).toString('base64')
const base = { types: ['transactions'], addresses: [A] }

// A cursor is looked up in an index that has begun.
beforeAll(async () => void (await openWallet(service())))

const newKey = () => knownKey(service())

/** The request, its text over server-sent events, and over a WebSocket where that is another one. */
type Expected = string | RegExp
const RULES: [request: Frame, sse: Expected, socket?: Expected][] = [
  [{ types: 'transactions' }, /^invalid subscription request: types: /, /^invalid subscribe request: types: /],
  [
    { ...base, addresses: [1] },
    /^invalid subscription request: addresses\.0: /,
    /^invalid subscribe request: addresses/,
  ],
  [{ ...base, include_metadata: 'yes' }, /^invalid subscription request: /, /^invalid subscribe request: /],
  [{}, 'types are required for subscription', 'types are required'],
  [{ types: [], addresses: [A] }, 'types are required for subscription', 'types are required'],
  [{ types: null, addresses: [A] }, 'types are required for subscription', 'types are required'],
  [{ types: ['blockz'] }, 'invalid event type: blockz'],
  [{ types: ['transactions', ''], addresses: [A] }, 'invalid event type: '],
  [{ types: ['transactions'], addresses: ['nowhere'] }, 'invalid address: nowhere'],
  [{ types: ['transactions'], addresses: ['addr_none'] }, 'invalid address: addr_none'],
  [{ types: ['transactions'], addresses: [''] }, 'invalid address: '],
  [{ types: ['trace'], trace_external_hash_norms: ['beef'] }, 'invalid hash: beef'],
  [{ types: ['trace'], trace_external_hash_norms: [''] }, 'invalid hash: '],
  [{ ...base, trace_external_hash_norms: [HASH] }, 'trace_external_hash_norms requires type "trace"'],
  [{ types: ['trace'] }, 'trace_external_hash_norms are required for trace subscription'],
  [{ types: ['trace'], addresses: [A] }, 'trace_external_hash_norms are required for trace subscription'],
  [{ types: ['actions'] }, 'addresses are required for subscription', 'addresses are required'],
  [{ types: ['trace_invalidated'] }, 'addresses are required for subscription', 'addresses are required'],
  [
    { types: ['trace', 'jettons_change'], trace_external_hash_norms: [HASH] },
    'addresses are required for subscription',
    'addresses are required',
  ],
  [{ ...base, min_finality: 'soon' }, 'invalid min_finality: soon'],
  [{ ...base, after: 'MTA6MA' }, 'cursor is not known: read v3 and subscribe without it'],
  [{ ...base, after: Buffer.from('1:0:00000000').toString('base64url') }, /^cursor is not known/],
]

const text = (expected: string | RegExp) => (typeof expected === 'string' ? expected : expect.stringMatching(expected))

test.each(RULES)('server-sent events: %j', async (request, expected) => {
  const body = { id: 'mine', ...request }
  const { reply } = await openEvents(service(), body)
  expect([reply.status, await reply.json()]).toEqual([400, { id: 'mine', error: text(expected) }])
})

test('a WebSocket: every rule, and the subscription before it stays in force', async () => {
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['blocks'] })
  for (const [request, sse, socket = sse] of RULES) {
    const reply = await stream.say('subscribe', request)
    expect(reply).toEqual({ id: reply.id, error: text(socket) })
  }
  await fetch(`${service().url}/jsonRPC`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev.mine', params: {} }),
  })
  await stream.frames.first(({ type }) => type === 'blocks')
})

test('a JSON-RPC socket: every rule, and what is no object', async () => {
  const stream = await openSocket(service(), '/jsonRPC')
  const reply = async (id: number, params: unknown) => {
    stream.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'stream.subscribe', params }))
    const { result, error } = await stream.frames.first((frame) => frame.id === id)
    const { code, message } = (error ?? {}) as Frame
    return error === undefined ? result : [code, String(message).replace('Invalid params: ', '')]
  }
  for (const [id, [request, sse, socket = sse]] of RULES.entries())
    expect(await reply(id, request)).toEqual([-32602, text(socket)])
  for (const [i, params] of [null, 'x', 1, [], [1], [[]], undefined].entries())
    expect(await reply(1000 + i, params)).toEqual([-32602, expect.stringMatching(/^invalid subscribe request: /)])
  for (const [i, params] of [null, 'x', 1, [], {}, { subscription: 1 }, { subscription: '0x1' }].entries()) {
    stream.send(JSON.stringify({ jsonrpc: '2.0', id: 2000 + i, method: 'stream.unsubscribe', params }))
    expect(await stream.frames.first(({ id }) => id === 2000 + i)).toMatchObject({ result: false })
  }
  expect(await reply(3000, { types: ['blocks'] })).toEqual({ subscription: '0x1' })
})

test('bodies that are no object', async () => {
  for (const body of ['', '[]', '1', 'null', '{"types":', '"x"']) {
    const { reply } = await openEvents(service(), body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toEqual({ error: expect.stringMatching(/^invalid subscription request: /) })
  }
})

test('frames that are no operation', async () => {
  const stream = await openSocket(service())
  const reply = async (frame: string | Buffer) => {
    const before = stream.frames.all.length
    stream.send(frame)
    return (await stream.frames.count(before + 1))[before]
  }
  for (const frame of ['', '[]', '1', 'null', 'hello', '{"operation":'])
    expect(await reply(frame)).toEqual({ error: expect.stringMatching(/^invalid request envelope: /) })
  expect(await reply('{"operation":"dance","id":"7"}')).toEqual({ id: '7', error: 'unknown operation: dance' })
  expect(await reply('{"id":7}')).toEqual({ id: 7, error: 'unknown operation: ' })
  expect(await reply('{"operation":"toString"}')).toEqual({ error: 'unknown operation: toString' })
  expect(await reply('{"operation":"unsubscribe"}')).toEqual({
    error: 'addresses or trace_external_hash_norms are required',
  })
  expect(await reply('{"operation":"unsubscribe","addresses":["x"]}')).toEqual({ error: 'invalid address: x' })
  expect(await reply('{"operation":"unsubscribe","addresses":7}')).toMatchObject({
    error: expect.stringContaining('addresses'),
  })
  expect(await reply(Buffer.from('{"operation":"ping","id":"p"}'))).toEqual({ id: 'p', status: 'pong' })
})

test('accepted: every spelling, and words that change nothing', async () => {
  const stream = await openSocket(service())
  const hash = Buffer.from(HASH, 'base64')
  const spellings = [
    hash.toString('hex'),
    `0x${hash.toString('hex')}`,
    HASH,
    hash.toString('base64url'),
    HASH.slice(0, 43),
  ]
  const wishes = [
    { types: ['transactions', 'transactions', 'trace_invalidated'], addresses: [A, A.toLowerCase()], more: 1 },
    { types: ['trace'], trace_external_hash_norms: spellings, min_finality: null, addresses: null },
    { ...base, supported_action_types: ['v1', 'nft'], action_types: ['ton_transfer'], after: 'now' },
    { types: ['blocks'] },
  ]
  for (const wish of wishes) expect(await stream.say('subscribe', wish)).toMatchObject({ status: 'subscribed' })
})

test('paths, verbs and keys', async () => {
  const { url } = service()
  const at = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(url + path, init)
    return [reply.status, await reply.json().catch(() => null)]
  }
  expect((await at('/api/streaming/v2/sse'))[0]).toBe(405)
  expect((await at('/api/streaming/v2/ws'))[0]).toBe(426)
  expect(await at('/api/streaming/v1/sse', { method: 'POST', body: '{}' })).toEqual([
    404,
    { error: expect.any(String) },
  ])
  expect((await at('/streaming/v2/sse', { method: 'POST', body: '{}' }))[0]).toBe(400)
  const key = 'tonrpc_devnet_'.padEnd(57, 'x')
  for (const path of [`/streaming/v2/sse?token=${key}`, `/api/streaming/v2/sse?api_key=${key}`])
    expect(await at(path, { method: 'POST', body: '{}' })).toEqual([401, { error: 'API key does not exist' }])
  const headers = { Authorization: `Bearer ${key}` }
  expect((await at('/streaming/v2/sse', { method: 'POST', body: '{}', headers }))[0]).toBe(401)
  await expect(openSocket(service(), `/streaming/v2/ws?token=${key}`)).rejects.toThrow('401')
  await expect(openSocket(service(), '/api/streaming/v2/nothing')).rejects.toThrow('404')
  const [status, health] = await at('/api/streaming/healthz')
  expect([status, health]).toEqual([
    200,
    {
      ok: true,
      now: expect.any(Number),
      components: { index: expect.objectContaining({ ok: true }), chain: { ok: true } },
    },
  ])
  const preflight = await fetch(`${url}/api/streaming/v2/sse`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
})

test('a key that is revoked subscribes to nothing any more, also before its next ping', async () => {
  await using calm = await serve({ withIndex: true, config: { mining: 'manual' }, limits: { streamPingMs: 3_600_000 } })
  const { key, id } = await knownKey(calm)
  const { say, frames, closed } = await openSocket(calm, `/api/streaming/v2/ws?api_key=${key}`)
  expect(await say('subscribe', base)).toMatchObject({ status: 'subscribed' })
  await calm.revoke(id)
  await eventually(async () =>
    (await fetch(`${calm.url}/api/v2/getMasterchainInfo`, { headers: { 'X-API-Key': key } })).status === 401
      ? true
      : undefined,
  )
  void say('subscribe', base).catch(() => undefined)
  await frames.end()
  expect(closed).toEqual({ code: 1008, reason: 'API key does not exist' })
})

test('a plan bounds connections and addresses; a key that is revoked ends its streams', async () => {
  const { key, id } = await newKey()
  const path = `/api/streaming/v2/ws?api_key=${key}`
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => openSocket(service(), path)))
  const many = Array.from({ length: 201 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  expect(await first?.say('subscribe', { types: ['actions'], addresses: many })).toMatchObject({
    error: 'address limit exceeded: current 0 + new 201 > max 200',
  })
  const headers = { 'X-API-Key': key }
  const tooMany = await openEvents(service(), { types: ['actions'], addresses: many }, headers)
  expect([tooMany.reply.status, await tooMany.reply.json()]).toEqual([
    400,
    { error: 'too many addresses: 201 > max 200' },
  ])
  const events = await openEvents(service(), base, headers)
  expect(events.reply.status).toBe(200)
  const sixth = await openEvents(service(), base, headers)
  expect([sixth.reply.status, await sixth.reply.json()]).toEqual([
    429,
    { error: 'connection limit reached: 5 active connections' },
  ])
  await expect(openSocket(service(), path)).rejects.toThrow('429')
  await service().revoke(id)
  await events.frames.end()
  expect(events.raw.text).toMatch(/event: error\ndata: {"error":"API key does not exist"}\n\n$/)
  for (const { frames, closed } of [first, ...others].flatMap((one) => one ?? [])) {
    await frames.end()
    expect(closed).toEqual({ code: 1008, reason: 'API key does not exist' })
  }
})

test('a peer that does not answer pings is closed, and gives its seat to a new connection before', async () => {
  const { key } = await newKey()
  const path = `/api/streaming/v2/ws?api_key=${key}`
  const deaf = await openSocket(service(), path, { autoPong: false })
  const well = await Promise.all(Array.from({ length: 4 }, () => openSocket(service(), path)))
  // Refused as long as all of them answer.
  const another = await eventually(() => openSocket(service(), path).catch(() => undefined))
  await deaf.frames.end()
  expect(await another.say('ping')).toMatchObject({ status: 'pong' })
  for (const { say } of well) expect(await say('ping')).toMatchObject({ status: 'pong' })
  const keyless = await openSocket(service(), '/api/streaming/v2/ws', { autoPong: false })
  await keyless.frames.end()
  expect(keyless.closed).toEqual({ code: 1001, reason: 'pings were not answered' })
})

test('so is a JSON-RPC socket with subscriptions', async () => {
  const { key } = await newKey()
  const path = `/jsonRPC?api_key=${key}`
  const subscribed = async (options: object) => {
    const stream = await openSocket(service(), path, options)
    stream.send('{"jsonrpc":"2.0","id":1,"method":"stream.subscribe","params":{"types":["blocks"]}}')
    const { result } = await stream.frames.first(({ id }) => id === 1)
    if (result === undefined) stream.socket.terminate()
    return result === undefined ? undefined : stream
  }
  const deaf = await subscribed({ autoPong: false })
  const well = await Promise.all(Array.from({ length: 4 }, () => subscribed({})))
  await eventually(() => subscribed({}))
  await deaf?.frames.end()
  // Its seat was wanted before its last ping.
  expect(deaf?.closed.code).toBe(1006)
  for (const one of well) expect(one?.frames.ended).toBe(false)
  const keyless = await openSocket(service(), '/jsonRPC', { autoPong: false })
  await keyless.frames.end()
  expect(keyless.closed).toEqual({ code: 1001, reason: 'pings were not answered' })
})

test('events for a page of another origin, kept alive', async () => {
  const url = `${service().url}/api/streaming/v2/sse`
  const origin = { Origin: 'http://page.example' }
  const requested = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type, last-event-id',
  }
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { ...origin, ...requested } })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    'content-type, last-event-id',
  ])
  const { reply, raw } = await openEvents(service(), { id: 'ü', types: ['blocks'] }, origin)
  const named = [
    'access-control-allow-origin',
    'content-type',
    'cache-control',
    'x-accel-buffering',
    'content-encoding',
  ]
  expect(named.map((name) => reply.headers.get(name))).toEqual(['*', 'text/event-stream', 'no-cache', 'no', null])
  await eventually(() => raw.text.includes(': keepalive\n\n') || undefined)
  expect(raw.text).toMatch(/^event: connected\ndata: {"id":"ü","status":"subscribed"}\n\n: keepalive\n\n/)
})
