import { getEventListeners, once } from 'node:events'
import { connect, Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AdnlConnection, AdnlError, connectAdnl } from '../../../../server/node/adnl/index.ts'
import { systemClock } from '../../../../server/node/systemClock.ts'
import { connectTo, HOST, listen, ManualClock, type RawEnd, rawServer } from './adnlScene.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  )
  return error instanceof AdnlError ? error.code : String(error)
}

const closing = (connection: AdnlConnection): Promise<AdnlError> =>
  new Promise((resolve) => {
    connection.onClose(resolve)
  })

/** A connection to a server in the hands of the test. */
async function both(
  options: Parameters<typeof connectTo>[1] = {},
): Promise<{ client: AdnlConnection; server: RawEnd }> {
  const ends: RawEnd[] = []
  const target = await rawServer((end) => ends.push(end))
  const client = await connectTo(target, options)
  const [server] = ends
  if (server === undefined) throw new Error('no connection')
  return { client, server }
}

describe('queries', () => {
  test('each gets its own answer, in whatever order they come', async () => {
    const held: (() => void)[] = []
    const listener = await listen({
      onQuery: (query) =>
        new Promise((resolve) => {
          held.push(() => resolve(query.slice().reverse()))
          if (held.length === 50) for (const answer of held.reverse()) answer()
        }),
      // As long as it knows none of its answers, it would take fewer at once.
      limits: { maxPendingBytes: 2 ** 30 },
    })
    const connection = await connectTo(listener, { limits: { queryMs: 60_000 } })
    const queries = Array.from({ length: 50 }, (_, i) => Uint8Array.of(i, 1, 2))
    const answers = await Promise.all(queries.map((query) => connection.query(query)))
    expect(answers.map(hex)).toEqual(queries.map((query) => hex(query.slice().reverse())))
    expect(connection.stats()).toMatchObject({ queries: 50, answers: 50, inFlight: 0, unsolicited: 0 })
  })

  test('answers of several connections, each in many reads, do not mix, and no read takes memory of its own', async () => {
    const pushed = vi.spyOn(Socket.prototype, 'push')
    onTestFinished(() => pushed.mockRestore())
    const answerOf = ([mark = 0]: Uint8Array) => new Uint8Array(300_000).fill(mark)
    const listener = await listen({ onQuery: (query) => Promise.resolve(answerOf(query)) })
    const options = { limits: { queryMs: 60_000 } }
    const connections = await Promise.all([1, 2, 3, 4].map(() => connectTo(listener, options)))
    const queries = connections.flatMap((connection, i) =>
      [10, 20, 30].map((tens) => ({ connection, query: Uint8Array.of(tens + i) })),
    )
    const answers = await Promise.all(queries.map(({ connection, query }) => connection.query(query)))
    for (const [i, { query }] of queries.entries()) expect(Buffer.compare(answers[i] ?? query, answerOf(query))).toBe(0)
    const isOurs = (one: unknown): boolean => one instanceof Socket && one.remotePort === listener.port
    const read = pushed.mock.calls.filter(([chunk], i) => chunk !== null && isOurs(pushed.mock.contexts[i]))
    expect(read).toEqual([])
  })

  test('of all sizes, an answer of 15 MiB too', async () => {
    const listener = await listen({ limits: { maxFrameBytes: 2 ** 24 } })
    const connection = await connectTo(listener, { limits: { queryMs: 60_000 } })
    for (const size of [0, 1, 253, 254, 70_000, 15 * 2 ** 20]) {
      const query = new Uint8Array(size).fill(3)
      query[0] = 9
      const answer = await connection.query(query)
      expect(Buffer.compare(answer, query.reverse())).toBe(0)
    }
  })

  test('behavior: an answer does not keep what it came with', async () => {
    const connection = await connectTo(await listen())
    const answer = await connection.query(new Uint8Array(100))
    expect(answer.buffer.byteLength).toBeLessThanOrEqual(200)
  })

  test('error: one that fits in no frame', async () => {
    const connection = await connectTo(await listen())
    expect(await codeOf(connection.query(new Uint8Array(2 ** 24 - 100)))).toBe('tooLarge')
    expect(hex(await connection.query(Uint8Array.of(1, 2)))).toBe('0201')
  })

  test('error: no answer in time, and the connection stays', async () => {
    const clock = new ManualClock()
    const { client, server } = await both({ clock })
    const first = codeOf(client.query(Uint8Array.of(1), { timeoutMs: 1000 }))
    expect((await server.receive())['@type']).toBe('tcp.authentificate')
    const request = await server.receive()
    clock.advance(1001)
    expect(await first).toBe('timeout')
    const second = client.query(Uint8Array.of(2))
    if (request['@type'] !== 'adnl.message.query') throw new Error(request['@type'])
    server.send({ '@type': 'adnl.message.answer', query_id: request.query_id, answer: Uint8Array.of(1) })
    const next = await server.receive()
    if (next['@type'] !== 'adnl.message.query') throw new Error(next['@type'])
    server.send({ '@type': 'adnl.message.answer', query_id: next.query_id, answer: Uint8Array.of(2) })
    expect(hex(await second)).toBe('02')
    expect(client.stats()).toMatchObject({ timeouts: 1, answers: 1, unsolicited: 1 })
    // That of the pings.
    expect(clock.timers).toBe(1)
  })

  test('behavior: an answered query leaves no listener behind', async () => {
    const connection = await connectTo(await listen())
    const { signal } = new AbortController()
    await connection.query(Uint8Array.of(1), { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('error: aborted before and during', async () => {
    const connection = await connectTo(await listen({ onQuery: () => new Promise(() => undefined) }))
    const aborter = new AbortController()
    const query = codeOf(connection.query(Uint8Array.of(1), { signal: aborter.signal }))
    aborter.abort()
    expect(await query).toBe('aborted')
    expect(await codeOf(connection.query(Uint8Array.of(1), { signal: aborter.signal }))).toBe('aborted')
    expect(connection.stats().inFlight).toBe(0)
  })

  test('behavior: one signal for many queries, without a warning', async () => {
    const connection = await connectTo(await listen({ onQuery: () => new Promise(() => undefined) }))
    const aborter = new AbortController()
    // What else runs in this process may warn of its own.
    const warned = vi.fn()
    const onWarning = (warning: Error & { target?: unknown }) => {
      if (warning.target === aborter.signal) warned(warning)
    }
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const codes = Array.from({ length: 30 }, () =>
      codeOf(connection.query(Uint8Array.of(1), { signal: aborter.signal })),
    )
    aborter.abort()
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['aborted']))
    await new Promise((resolve) => setImmediate(resolve))
    expect(warned).not.toHaveBeenCalled()
  })

  test('error: too many at once', async () => {
    const listener = await listen({ onQuery: () => new Promise(() => undefined) })
    const connection = await connectTo(listener, { limits: { maxInFlight: 2 } })
    const held = [1, 2].map((i) => codeOf(connection.query(Uint8Array.of(i))))
    expect(await codeOf(connection.query(Uint8Array.of(3)))).toBe('busy')
    connection.close()
    expect(await Promise.all(held)).toEqual(['closed', 'closed'])
  })
})

describe('the end', () => {
  test('a close here ends everything, and is reported once', async () => {
    const listener = await listen({ onQuery: () => new Promise(() => undefined) })
    const connection = await connectTo(listener)
    const reported = vi.fn()
    connection.onClose(reported)
    const query = codeOf(connection.query(Uint8Array.of(1)))
    connection.close()
    connection.close()
    expect(await query).toBe('closed')
    expect(await codeOf(connection.query(Uint8Array.of(1)))).toBe('closed')
    expect((await closing(connection)).code).toBe('closed')
    expect(reported).toHaveBeenCalledTimes(1)
  })

  test('a close there', async () => {
    const { client, server } = await both()
    const query = codeOf(client.query(Uint8Array.of(1)))
    server.socket.destroy()
    expect(await query).toBe('closed')
    expect((await closing(client)).code).toBe('closed')
  })

  test('error: bytes that are no frame', async () => {
    const { client, server } = await both()
    server.sendPlain(new Uint8Array(100).fill(0xff))
    expect((await closing(client)).code).toBe('protocol')
  })

  test('a frame that cannot be read is passed over', async () => {
    const { client, server } = await both()
    expect((await server.receive())['@type']).toBe('tcp.authentificate')
    server.sendPayload(Uint8Array.of(1, 2, 3))
    server.sendPayload(Buffer.from('7af98bb4', 'hex'))
    const query = client.query(Uint8Array.of(1))
    const request = await server.receive()
    if (request['@type'] !== 'adnl.message.query') throw new Error(request['@type'])
    server.send({ '@type': 'adnl.message.answer', query_id: request.query_id, answer: Uint8Array.of(5) })
    expect(hex(await query)).toBe('05')
    expect(client.stats().unsolicited).toBe(2)
  })

  test('behavior: answers to queries that were given up are none too many', async () => {
    const { client, server } = await both({ limits: { maxUnsolicited: 10 } })
    expect((await server.receive())['@type']).toBe('tcp.authentificate')
    const answered = async () => {
      const request = await server.receive()
      if (request['@type'] !== 'adnl.message.query') throw new Error(request['@type'])
      server.send({ '@type': 'adnl.message.answer', query_id: request.query_id, answer: Uint8Array.of(5) })
    }
    for (let i = 0; i < 50; i++) {
      const leaving = new AbortController()
      const query = codeOf(client.query(Uint8Array.of(1), { signal: leaving.signal }))
      leaving.abort()
      expect(await query).toBe('aborted')
      await answered()
    }
    const last = client.query(Uint8Array.of(1))
    await answered()
    expect(hex(await last)).toBe('05')
    expect(client.stats().unsolicited).toBe(50)
  })

  test('error: too many unsolicited frames', async () => {
    const { client, server } = await both({ limits: { maxUnsolicited: 100 } })
    const flood = Array.from({ length: 101 }, () => ({
      '@type': 'adnl.message.answer' as const,
      query_id: new Uint8Array(32),
      answer: new Uint8Array(),
    }))
    server.send(...flood)
    expect((await closing(client)).code).toBe('protocol')
  })
})

describe('silence', () => {
  test('a ping after 5 s, closed after 15 s', async () => {
    const clock = new ManualClock()
    const { client, server } = await both({ clock })
    expect((await server.receive())['@type']).toBe('tcp.authentificate')
    clock.advance(4999)
    clock.advance(1)
    expect((await server.receive())['@type']).toBe('tcp.ping')
    const reason = closing(client)
    clock.advance(5000)
    expect((await server.receive())['@type']).toBe('tcp.ping')
    clock.advance(5000)
    expect((await reason).code).toBe('silence')
    expect(clock.timers).toBe(0)
  })

  test('a server that answers pings is kept', async () => {
    const clock = new ManualClock()
    const { client, server } = await both({ clock })
    expect((await server.receive())['@type']).toBe('tcp.authentificate')
    for (let round = 0; round < 10; round++) {
      clock.advance(5000)
      const ping = await server.receive()
      if (ping['@type'] !== 'tcp.ping') throw new Error(ping['@type'])
      const before = client.stats().bytesIn
      server.send({ '@type': 'tcp.pong', random_id: ping.random_id })
      await vi.waitFor(() => expect(client.stats().bytesIn).toBeGreaterThan(before), { timeout: 300_000 })
    }
    expect(client.stats().unsolicited).toBe(0)
  })
})

test('a process that was busy reads what has arrived before it acts on a timeout', async () => {
  const ends: RawEnd[] = []
  const target = await rawServer((end) => ends.push(end))
  const socket = connect({ host: HOST, port: target.port })
  onTestFinished(() => void socket.destroy())
  const [peer] = (await once(target.server, 'connection')) as [Socket]
  const order: string[] = []
  socket.on('data', () => order.push('data'))
  const late = new Promise<void>((resolve) => {
    systemClock.after(1, () => {
      order.push('late')
      resolve()
    })
  })
  peer.write('in time')
  // The time passes, and nothing is read meanwhile.
  const end = performance.now() + 20
  while (performance.now() < end) Math.random()
  await late
  expect(order).toEqual(['data', 'late'])
})

describe('connecting', () => {
  test('authenticates with a key of its own, without waiting for it', async () => {
    const seen: (Uint8Array | null)[] = []
    const listener = await listen({
      onQuery: async (query, { keyId }) => {
        seen.push(keyId)
        return query
      },
    })
    const connection = await connectTo(listener)
    await connection.query(Uint8Array.of(1))
    await vi.waitFor(() => expect(connection.stats().isAuthenticated).toBe(true), { timeout: 300_000 })
    await connection.query(Uint8Array.of(1))
    expect(seen[1]).toHaveLength(32)
  })

  test('error: no listener', async () => {
    const { port, key, server } = await rawServer(() => undefined)
    server.close()
    expect(await codeOf(connectAdnl({ host: HOST, port, key }))).toBe('connect')
  })

  test('error: another key', async () => {
    const { port } = await listen()
    const key = new Uint8Array(32).fill(3)
    expect(await codeOf(connectAdnl({ host: HOST, port, key }))).toBe('hello')
  })

  test.each([
    ['31 bytes', new Uint8Array(31)],
    ['the point at infinity', Uint8Array.of(1, ...new Uint8Array(31))],
  ])('error: a key that is none: %s', async (_, key) => {
    expect(await codeOf(connectAdnl({ host: HOST, port: 1, key }))).toBe('key')
  })

  test('error: a server that does not answer the hello', async () => {
    const clock = new ManualClock()
    const ends: RawEnd[] = []
    const { port, key } = await rawServer((end) => ends.push(end), false)
    const code = codeOf(connectAdnl({ host: HOST, port, key, clock }))
    await vi.waitFor(() => expect(ends).toHaveLength(1), { timeout: 300_000 })
    clock.advance(3001)
    expect(await code).toBe('hello')
    expect(clock.timers).toBe(0)
  })

  test('error: aborted', async () => {
    const aborter = new AbortController()
    const ends: RawEnd[] = []
    const { port, key } = await rawServer((end) => ends.push(end), false)
    const code = codeOf(connectAdnl({ host: HOST, port, key, signal: aborter.signal }))
    await vi.waitFor(() => expect(ends).toHaveLength(1), { timeout: 300_000 })
    aborter.abort()
    expect(await code).toBe('aborted')
    expect(await codeOf(connectAdnl({ host: HOST, port, key, signal: aborter.signal }))).toBe('aborted')
  })
})
