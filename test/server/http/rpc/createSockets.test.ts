// WebSocket at its best and at its worst.

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { helpOn } from '../../../../shared/errorAdvice.ts'
import { type Body, call, connectTo, post, refusalOf, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { Control, madeUp } from '../../../setup/madeUp.ts'
import { openRaw, repliesIn } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const limits = { frameBytes: 10_000, frameFragments: 8, framesInFlight: 4 }
const service = forAllTests(() => serveMethods(madeUp(), { limits }))

describe('talking', () => {
  test('one socket, many calls, batches and notifications', async () => {
    await using socket = await connectTo(service())
    socket.send(call('subtract', [3, 1], 'a'))
    expect(await socket.next()).toEqual({ jsonrpc: '2.0', ok: true, result: 2, id: 'a' })
    socket.send({ jsonrpc: '2.0', method: 'get_data' })
    socket.send([call('get_data'), { jsonrpc: '2.0', method: 'get_data' }])
    expect(await socket.next()).toMatchObject([{ result: ['hello', 5] }])
  })

  test('the path decides the dialect', async () => {
    await using socket = await connectTo(service(), TONCENTER)
    socket.send({ method: 'nothing', id: 5 })
    expect(await socket.next()).toMatchObject({ ok: false, error: 'Unknown method', code: 422, id: 5 })
  })

  test('thousands of frames at once are all answered, a few at a time', async () => {
    await using socket = await connectTo(service())
    for (let id = 0; id < 5000; id++) socket.send(call('subtract', [id, 0], id))
    const ids = new Set<unknown>()
    for (let i = 0; i < 5000; i++) ids.add((await socket.next()).id)
    expect(ids.size).toBe(5000)
  })

  test('no more calls run at once than the bound says, though their frames came as one', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control), { limits })
    await using socket = await connectTo(own)
    for (let id = 0; id < 200; id++) socket.send(call('wait', {}, id))
    for (let done = 0; done < 200; done += 4) {
      await control.reached(4)
      control.release()
      for (let i = 0; i < 4; i++) expect(await socket.next()).toMatchObject({ ok: true })
    }
    expect(control.mostAtOnce).toBe(4)
  })

  test('a peer that answers pings stays, also while its calls take long; one that does not is dropped', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control), { limits: { pingMs: 2_000, framesInFlight: 1 } })
    await using alive = await connectTo(own)
    alive.send(call('wait'))
    await control.reached(1)
    await using silent = await connectTo(own, STRICT, { autoPong: false })
    expect(await silent.closed).toMatchObject({ code: 1001 })
    for (let pings = 0; pings < 2; pings++) await once(alive.ws, 'ping')
    control.release()
    expect(await alive.next()).toMatchObject({ result: 'released' })
  })

  test('a peer stays whose answer to a ping is behind frames of its own', async () => {
    await using own = await serveMethods(madeUp(), { limits: { pingMs: 2_000 } })
    await using busy = await connectTo(own, STRICT, { autoPong: false })
    busy.ws.on('ping', () => busy.send(call('get_data')))
    for (let pings = 0; pings < 4; pings++)
      expect(await Promise.race([busy.next(), busy.closed])).toMatchObject({ ok: true })
  })
})

describe('frames that are refused', () => {
  test.each([
    [
      'a binary one',
      (ws: WebSocket) => ws.send(Buffer.from(JSON.stringify(call('get_data')))),
      1003,
      'text frames only',
    ],
    ['one too large', (ws: WebSocket) => ws.send('x'.repeat(10_001)), 1009, 'message too large: 10000 bytes at most'],
    [
      'one too large in pieces',
      (ws: WebSocket) => {
        for (let i = 0; i < 5; i++) ws.send('x'.repeat(3000), { fin: false })
      },
      1009,
      'message too large: 10000 bytes at most',
    ],
    [
      'pieces without an end',
      (ws: WebSocket) => {
        for (let i = 0; i < 20; i++) ws.send('x', { fin: false })
      },
      1008,
      'message in too many fragments: 8 at most',
    ],
    [
      'invalid UTF-8',
      (ws: WebSocket) => ws.send(Buffer.from([0xff, 0xfe]), { binary: false }),
      1007,
      'text frames must be valid UTF-8',
    ],
  ])('%s ends the connection and says why', async (_, misbehave, code, reason) => {
    await using socket = await connectTo(service())
    misbehave(socket.ws)
    expect(await socket.closed).toEqual({ code, reason })
    expect((await post(service(), STRICT, call('get_data'))).status).toBe(200)
  })

  test('one that comes byte by byte ends the connection before it is kept in thousands of pieces', async () => {
    using raw = await openRaw(service().port)
    raw.socket.setNoDelay()
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
    const key = randomBytes(16).toString('base64')
    raw.write(`GET ${STRICT} HTTP/1.1\r\nHost: x\r\n${upgrade}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`)
    await raw.until(/101 Switching Protocols/)
    const length = 9_000
    raw.write(Buffer.from([0x81, 0xfe, length >> 8, length & 0xff, 0, 0, 0, 0]))
    for (let sent = 0; sent < length && !raw.text.includes('too many'); sent++) {
      raw.write('x')
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await raw.until(/too many|"error"/)).toMatch(/message in too many fragments/)
  })

  test('text that is no JSON is answered, and the connection stays', async () => {
    await using socket = await connectTo(service())
    for (const text of ['', 'no json', '[', '\u0000']) {
      socket.send(text)
      expect(await socket.next()).toMatchObject({ error: { code: -32700 }, id: null })
    }
    socket.send(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)
    expect(await socket.next()).toMatchObject({ error: { code: -32600, data: { limit: 64 } } })
  })

  test('a frame that is not masked, or of a kind that is unknown, ends the connection', async () => {
    for (const bytes of [
      [0x81, 0x02, 0x7b, 0x7d],
      [0x8f, 0x80, 0, 0, 0, 0],
      [0xf1, 0x80, 0, 0, 0, 0],
    ]) {
      await using socket = await connectTo(service())
      const raw = (socket.ws as unknown as { _socket: { write(data: Buffer): void } })._socket
      raw.write(Buffer.from(bytes))
      expect((await socket.closed).code).toBe(1002)
    }
  })
})

describe('a reader who does not read', () => {
  test('is closed, and what waits for it stays bounded', async () => {
    await using own = await serveMethods(madeUp(), { limits: { slowBytes: 100_000, slowMs: 200, framesInFlight: 4 } })
    await using socket = await connectTo(own)
    socket.ws.pause()
    const before = process.memoryUsage().rss
    // Each asks for a megabyte: 500 MB in all, if no one stopped it.
    for (let id = 0; id < 500; id++) socket.send(call('repeat', { times: 1_000_000 }, id))
    const gauge = async () => /^tonrpc_sockets (\d+)$/m.exec(await (await fetch(`${own.url}/metrics`)).text())?.[1]
    await expect.poll(gauge).toBe('0')
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    socket.ws.resume()
    await socket.closed
  })

  test('one that reads again in time gets everything', async () => {
    await using own = await serveMethods(madeUp(), {
      limits: { slowBytes: 100_000, slowMs: 120_000, framesInFlight: 4 },
    })
    await using socket = await connectTo(own)
    socket.ws.pause()
    for (let id = 0; id < 40; id++) socket.send(call('repeat', { times: 500_000 }, id))
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.ws.resume()
    const ids = new Set<unknown>()
    for (let i = 0; i < 40; i++) ids.add(((await socket.next()) as Body).id)
    expect(ids.size).toBe(40)
  })
})

describe('upgrades that are refused', () => {
  test.each(['/', '/api/v2/packAddress', '/jsonrpc', '/healthz', '/nothing'])('at %s', async (path) => {
    const refusal = await refusalOf(connectTo(service(), path))
    expect([refusal.status, JSON.stringify(refusal.body).includes('Not Found')]).toEqual([404, true])
  })

  const ofV2 = { ok: false, error: 'Not Found', code: 404, '@extra': expect.any(String) }
  const bare = { error: 'Not Found' }
  test.each([
    ['/api/v2/packAddress?id=1', ofV2],
    ['/acton_setAddressName', ofV2],
    ['/api/v3/accountStates?address=/api/v2/', bare],
    ['/api/emulate/v1/emulateTrace', bare],
    ['/api/v4/nothing', bare],
    ['/api/streaming/v2/nothing', bare],
    ['/nothing?/api/v2/', bare],
  ])('%s speaks as to a request', async (path, expected) => {
    const { body } = await refusalOf(connectTo(service(), path))
    expect(body).toEqual(expected)
  })

  test.each([
    ['no key', ''],
    ['a bad key', 'Sec-WebSocket-Key: short\r\n'],
    ['another version', `Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n`],
  ])('with %s', async (_, headers) => {
    using raw = await openRaw(service().port)
    raw.write(`GET ${STRICT} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`)
    const [reply] = repliesIn(await raw.end())
    const told = { 'content-type': 'application/json', 'sec-websocket-version': '13' }
    expect(reply).toMatchObject({ status: 400, headers: told })
    expect(JSON.parse(reply?.body ?? '')).toMatchObject({ ok: false, error: 'Not a valid WebSocket upgrade' })
  })

  test('one socket more than allowed is a 503 that names the bound; many may be open', async () => {
    await using own = await serveMethods(madeUp(), { limits: { sockets: 500 } })
    const open = await Promise.all(Array.from({ length: 500 }, () => connectTo(own)))
    const refusal = await refusalOf(connectTo(own))
    expect([refusal.status, refusal.body.error]).toEqual([
      503,
      {
        code: -32015,
        message: 'Too many sockets: 500 at most',
        data: { kind: 'busy', limit: 500, retryAfter: 1, ...helpOn('busy', {}) },
      },
    ])
    const [first, ...others] = open
    await first?.[Symbol.asyncDispose]()
    let again: Awaited<ReturnType<typeof connectTo>> | undefined
    for (let i = 0; i < 100 && !again; i++) again = await connectTo(own).catch(() => undefined)
    again?.send(call('get_data'))
    expect(await again?.next()).toMatchObject({ ok: true })
    await Promise.all([...others, again].map((socket) => socket?.[Symbol.asyncDispose]()))
  })
})

test('the handshake is the one of RFC 6455', async () => {
  const key = randomBytes(16).toString('base64')
  using raw = await openRaw(service().port)
  raw.write(
    `GET ${STRICT} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  const text = await raw.until(/\r\n\r\n/)
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  expect(text).toMatch(/^HTTP\/1\.1 101 /)
  expect(text).toContain(`Sec-WebSocket-Accept: ${accept}`)
  raw.socket.destroy()
  await once(raw.socket, 'close')
})
