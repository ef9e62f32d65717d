// Connections that are too many, come to a bad end, or carry more than one thing at a time.

import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { call, connectTo, post, STRICT } from '../../../setup/calls.ts'
import { gaugeOf } from '../../../setup/gauge.ts'
import { Control, madeUp } from '../../../setup/madeUp.ts'
import { openRaw, type RawSocket, repliesIn } from '../../../setup/rawSocket.ts'
import { forAllTests, serveMethods, type TestService } from '../../../setup/service.ts'

const service = forAllTests(() => serveMethods(madeUp()))
const fine = async (where: TestService) =>
  expect((await post(where, STRICT, call('get_data'))).body).toMatchObject({ ok: true })

const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const POST = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Open connections that have been taken: each has been answered once. */
async function openMany(where: TestService, count: number): Promise<RawSocket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openRaw(where.port)))
  for (const socket of sockets) socket.write(GET('/healthz'))
  try {
    await Promise.all(sockets.map((socket) => socket.until(/alive/)))
  } catch (error) {
    for (const { socket } of sockets) socket.destroy()
    throw error
  }
  return sockets
}

const openConnections = (where: TestService): Promise<number> => gaugeOf(where, 'tonrpc_http_connections')

/** How long data may stay unread: on a busy machine even the first bytes of a connection may wait a second. */
const UNREAD_MS = 3_000

/** The service learns a little later than we that a connection is gone. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 300_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

const closeAll = async (sockets: readonly RawSocket[]) => {
  for (const { socket } of sockets) socket.destroy()
  await Promise.all(sockets.map(({ socket }) => socket.closed || once(socket, 'close')))
}

describe('too many', () => {
  test.each([
    ['in all', { connections: 5 }, 'too many connections: 5 at most'],
    ['from one address', { connectionsPerAddress: 5 }, 'too many connections from one address: 5 at most'],
  ])('%s: one more is a 503 that names the bound, and places are given back', async (_, limits, error) => {
    await using own = await serveMethods(madeUp(), { config: { limits: 'on' }, limits })
    const sockets = await openMany(own, 5)
    using refused = await openRaw(own.port)
    refused.write(GET('/healthz'))
    const [reply] = repliesIn(await refused.end())
    const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }
    expect(reply).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1', ...readable } })
    expect(JSON.parse(reply?.body ?? '')).toEqual({ ok: false, error, code: 503 })
    await closeAll(sockets)
    await closeAll(await retried(() => openMany(own, 5)))
  })

  test('of a full address a caller with a key is let in, and one without is not', async () => {
    await using own = await serveMethods(madeUp(), { config: { limits: 'on' }, limits: { connectionsPerAddress: 2 } })
    const { key } = await own.newKey()
    const held = await openMany(own, 2)
    using keyed = await openRaw(own.port)
    keyed.write(GET('/api/v2/fixed', `X-API-Key: ${key}\r\n`))
    await keyed.until(/"ok":true/)
    using keyless = await openRaw(own.port)
    keyless.write(GET('/api/v2/fixed'))
    expect(repliesIn(await keyless.end())[0]).toMatchObject({ status: 503 })
    await closeAll(held)
  })

  test('who opens many and says nothing drives out its own, not those who show a key', async () => {
    await using own = await serveMethods(madeUp(), { config: { limits: 'on' }, limits: { connectionsPerAddress: 2 } })
    const { key } = await own.newKey()
    const held = await openMany(own, 2)
    const silent: RawSocket[] = []
    for (let i = 0; i < 3; i++) silent.push(await openRaw(own.port))
    expect(repliesIn((await silent[0]?.end()) ?? '')[0]).toMatchObject({ status: 503 })
    using keyed = await openRaw(own.port)
    keyed.write(GET('/api/v2/fixed', `X-API-Key: ${key}\r\n`))
    await keyed.until(/"ok":true/)
    await closeAll([...held, ...silent])
  })

  test('one key has as many as its plan says, whatever address they come from', async () => {
    let time = 0
    // Whose budget is always full again.
    const now = () => (time += 10_000)
    const config = { limits: 'on' } as const
    await using own = await serveMethods(madeUp(), { config, limits: { connectionsPerAddress: 5 }, now })
    const { key } = await own.newKey()
    const request = GET('/api/v2/subtract?minuend=3&subtrahend=1', `X-API-Key: ${key}\r\n`)
    const held: RawSocket[] = []
    for (let i = 0; i < 50; i++) {
      const socket = await openRaw(own.port)
      socket.write(request)
      await socket.until(/"result":2/)
      held.push(socket)
    }
    using beyond = await openRaw(own.port)
    beyond.write(request)
    const [reply] = repliesIn(await beyond.end())
    expect([reply?.status, reply?.body]).toMatchObject([503, expect.stringContaining('of one key: 50 at most')])
    await closeAll(held)
  })

  test('a caller nothing is limited for, and a trusted proxy, count for the whole alone', async () => {
    await using free = await serveMethods(madeUp(), { limits: { connectionsPerAddress: 2 } })
    await closeAll(await openMany(free, 8))
    await using behind = await serveMethods(madeUp(), {
      config: { limits: 'on', trustProxy: ['127.0.0.1'] },
      limits: { connectionsPerAddress: 2 },
    })
    await closeAll(await openMany(behind, 8))
  })
})

test('readers of pages that reset their connections leave nothing on standard error', async () => {
  const lines = vi.spyOn(console, 'error').mockReturnValue(undefined)
  onTestFinished(() => lines.mockRestore())
  const readers = await Promise.all(Array.from({ length: 10 }, () => openRaw(service().port)))
  for (const reader of readers) {
    reader.socket.pause()
    reader.write(GET('/openapi/v3.json').repeat(20))
  }
  await Promise.all(readers.map(({ socket }) => once(socket, 'readable')))
  for (const { socket } of readers) socket.resetAndDestroy()
  await retried(async () => {
    expect(await openConnections(service())).toBe(1)
  })
  expect(lines).not.toHaveBeenCalled()
})

describe('pipelining', () => {
  test('requests sent at once are answered in order, the slow one first', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control))
    using raw = await openRaw(own.port)
    const numbers = [1, 2, 3, 4, 5]
    raw.write(
      GET('/api/v2/wait') + numbers.map((n) => POST(STRICT, JSON.stringify(call('subtract', [n, 0], n)))).join(''),
    )
    await control.reached(1)
    control.release()
    await raw.until(/"id":5}/)
    const [slow, ...others] = repliesIn(raw.text)
    expect(slow?.body).toContain('released')
    expect(others.map(({ body }) => (JSON.parse(body) as { id: number }).id)).toEqual(numbers)
  })

  test('when the connection ends, calls behind the first one are given up as it is', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control), { config: { limits: 'off' } })
    using raw = await openRaw(own.port)
    raw.write(GET('/api/v2/wait').repeat(3))
    await control.reached(3)
    raw.socket.destroy()
    await retried(async () => expect(control.waiting.map(({ signal }) => signal.aborted)).toEqual([true, true, true]))
  })

  test('a thousand at once are all answered', async () => {
    using raw = await openRaw(service().port)
    raw.write(
      Array.from({ length: 1000 }, (_, id) => POST(STRICT, JSON.stringify(call('subtract', [id, 0], id)))).join(''),
    )
    await raw.until(/"id":999}/)
    expect(repliesIn(raw.text).map(({ body }) => (JSON.parse(body) as { result: number }).result)).toEqual(
      Array.from({ length: 1000 }, (_, id) => id),
    )
  })

  test('garbage behind a good request does not get into its answer', async () => {
    using raw = await openRaw(service().port)
    raw.write(`${GET('/api/v2/subtract?minuend=3&subtrahend=1')}\x00garbage\r\n\r\n`)
    const replies = repliesIn(await raw.end())
    for (const { body } of replies) expect(() => JSON.parse(body) as unknown).not.toThrow()
    expect(replies.at(-1)?.status).toBe(400)
  })

  test.each([
    ['garbage', 'keep-alive', '\x00garbage\r\n\r\n', [200, 400]],
    ['garbage after the last request', 'close', '\x00garbage\r\n\r\n', [200]],
    ['a request after the last one', 'close', GET('/healthz'), [200]],
  ])('%s behind a slow request waits for its answer', async (_, connection, more, statuses) => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control))
    using raw = await openRaw(own.port)
    raw.write(`${GET('/api/v2/wait', `Connection: ${connection}\r\n`)}${more}`)
    await control.reached(1)
    raw.write(more)
    // Answered: what was written above has been read by then.
    await fine(own)
    control.release()
    const replies = repliesIn(await raw.end())
    expect(replies.map(({ status }) => status)).toEqual(statuses)
  })

  test('a refusal ends no connection unless a body comes behind it', async () => {
    using raw = await openRaw(service().port)
    const refused = ['/api/v2/subtract?minuend=none', '/api/v2/nothing', '/api/v3/word', '/webhooks/nothing']
    raw.write(refused.map((path) => GET(path)).join(''))
    raw.write(`PUT /api/v2/subtract HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n${GET('/healthz')}`)
    const replies = repliesIn(await raw.until(/"alive":true/))
    expect(replies.map(({ status }) => status)).toEqual([422, 404, 422, 404, 405, 200])
    for (const { headers } of replies) expect(headers.connection).toBe('keep-alive')
  })

  test('what is left of a refused body is not taken for a request', async () => {
    await using own = await serveMethods(madeUp(), { limits: { bodyBytes: 1024 } })
    using raw = await openRaw(own.port)
    raw.write(
      `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n${GET('/api/v2/subtract?minuend=3&subtrahend=1')}`,
    )
    const replies = repliesIn(await raw.end())
    expect(replies.map(({ status }) => status)).toEqual([413])
  })
})

describe('bad ends', () => {
  test('a socket closed on one side is still answered', async () => {
    using raw = await openRaw(service().port, { allowHalfOpen: true })
    raw.socket.end(GET('/api/v2/subtract?minuend=3&subtrahend=1'))
    expect(repliesIn(await raw.end())[0]).toMatchObject({ status: 200, body: expect.stringContaining('"result":2') })
  })

  test('resets in a body, in a reply and before either do no harm', async () => {
    const big = GET('/api/v2/repeat?times=5000000')
    const half = `POST ${STRICT} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{"jsonrpc"`
    const upgrade = GET(
      STRICT,
      `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\nX-API-Key: tonrpc_devnet_${'x'.repeat(43)}\r\n`,
    )
    for (let i = 0; i < 20; i++) {
      for (const text of ['', 'GET / HT', half, big, upgrade, POST(STRICT, JSON.stringify(call('wait')))]) {
        using raw = await openRaw(service().port)
        raw.write(text)
        await new Promise((resolve) => setImmediate(resolve))
        raw.socket.resetAndDestroy()
      }
    }
    await fine(service())
  })

  test('who stops reading its answer loses the connection, who waits for one does not', async () => {
    const control = new Control()
    await using own = await serveMethods(madeUp(control), { limits: { unreadMs: UNREAD_MS } })
    using patient = await openRaw(own.port)
    patient.write(GET('/api/v2/wait'))
    await control.reached(1)
    const idle = await connectTo(own)
    using raw = await openRaw(own.port)
    raw.write(GET('/healthz'))
    await raw.until(/alive/)
    expect(await openConnections(own)).toBe(4)
    raw.socket.pause()
    raw.write(GET('/api/v2/repeat?times=20000000').repeat(3))
    await retried(async () => expect(await openConnections(own)).toBe(3))
    control.release()
    expect(await patient.until(/released/)).toContain('200 OK')
    idle.send(call('get_data'))
    expect(await idle.next()).toMatchObject({ ok: true })
    idle.ws.terminate()
  })

  test('a caller who does not read is hung up on with an upgrade behind what it leaves unread, too', async () => {
    await using own = await serveMethods(madeUp(), { limits: { unreadMs: UNREAD_MS } })
    using raw = await openRaw(own.port)
    raw.write(GET('/healthz'))
    await raw.until(/alive/)
    expect(await openConnections(own)).toBe(2)
    raw.socket.pause()
    const upgrade = 'GET /jsonRPC HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    raw.write(GET('/api/v2/repeat?times=20000000').repeat(3) + upgrade)
    await retried(async () => expect(await openConnections(own)).toBe(1))
  })

  test('a caller who leaves is forgotten: no connection is counted for ever', async () => {
    await using own = await serveMethods(madeUp(), { config: { limits: 'on' }, limits: { connections: 10 } })
    for (let round = 0; round < 5; round++) {
      const sockets = await retried(() => openMany(own, 9))
      for (const { socket } of sockets) socket.resetAndDestroy()
      await closeAll(sockets)
    }
    await retried(() => fine(own))
  })
})
