import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ClientOptions, createClient } from '../../client/index.ts'
import { type SocketLike, type WebSocketOptions, type WebSocketTransport, webSocketTransport } from '../../client/ws.ts'
import { failure, normally, perItem, type Step, type StubApi, type StubService, startStub } from './stubService.ts'

/** A client over a socket that is closed at the end of the test. */
function open(
  { url }: Pick<StubService, 'url'>,
  options: Partial<WebSocketOptions> = {},
  clientOptions: Partial<ClientOptions> = {},
) {
  const transport = webSocketTransport({ url, WebSocket, reconnect: { baseMs: 1 }, ...options })
  const client = createClient<StubApi>({ transport, retry: { baseMs: 1 }, ...clientOptions })
  return { transport, client, [Symbol.dispose]: () => transport.close() }
}

const sizes = ({ messages }: StubService) => messages.map(({ items }) => items.length)

describe('calls', () => {
  test('default: one socket, batches as over HTTP', async () => {
    await using stub = await startStub()
    using socket = open(stub, { apiKey: 'a key' })
    const { client } = socket
    expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
    const answers = await Promise.all([1, 2, 3].map((a) => client.math.add({ a, b: 1 })))
    expect(answers).toEqual([{ sum: 2 }, { sum: 3 }, { sum: 4 }])
    expect(stub.messages).toMatchObject([
      { via: 'ws', isBatch: false, url: '/jsonRPC?api_key=a+key' },
      { via: 'ws', isBatch: true },
    ])
    expect(stub.sockets.size).toBe(1)
  })

  test('behavior: connects when the first call is made', async () => {
    await using stub = await startStub()
    using socket = open(stub)
    expect(stub.sockets.size).toBe(0)
    await socket.client.echo()
    expect(stub.sockets.size).toBe(1)
  })

  test('behavior: may be made outside of handlers in a worker of Cloudflare, which allows no AbortController there', async () => {
    await using stub = await startStub()
    class Disallowed {
      constructor() {
        throw new Error('Disallowed operation called within global scope')
      }
    }
    vi.stubGlobal('AbortController', Disallowed)
    onTestFinished(() => void vi.unstubAllGlobals())
    using socket = open(stub)
    vi.unstubAllGlobals()
    expect(await socket.client.echo({ value: 1 })).toEqual({ value: 1 })
  })

  test.each([0, Number.POSITIVE_INFINITY])('args: reconnect.timeoutMs: %s is no limit', async (timeoutMs) => {
    await using stub = await startStub()
    using socket = open(stub, { reconnect: { timeoutMs, tries: 1 } })
    expect(await socket.client.echo({ value: 1 })).toEqual({ value: 1 })
  })

  test('behavior: two clients may share one socket', async () => {
    await using stub = await startStub()
    using socket = open(stub)
    const other = createClient<StubApi>({ transport: socket.transport })
    const answers = await Promise.all([socket.client.echo({ value: 'one' }), other.echo({ value: 'other' })])
    expect(answers).toEqual([{ value: 'one' }, { value: 'other' }])
    expect(stub.sockets.size).toBe(1)
  })

  test('behavior: refused items go again, a limit is learned', async () => {
    await using stub = await startStub(
      perItem((item, index) => (index === 0 ? failure(item.id, 'rateLimited') : normally(item))),
    )
    using socket = open(stub)
    await Promise.all([1, 2, 3].map((a) => socket.client.math.add({ a, b: 1 })))
    expect(sizes(stub)).toEqual([3, 1])
    stub.limit = 2
    await Promise.all([1, 2, 3].map((a) => socket.client.math.add({ a, b: 1 })))
    expect(sizes(stub).slice(2)).toEqual([3, 2, 1])
  })

  test('error: a frame above the limit of the socket is known to be too large', async () => {
    await using stub = await startStub()
    using socket = open(stub)
    // Each below the limit of a message, as the client counts it; together above that of the socket.
    const requests = [1, 2].map(
      (id) => ({ jsonrpc: '2.0', id, method: 'echo', params: { v: 'x'.repeat(6e5) } }) as const,
    )
    const { signal } = new AbortController()
    await expect(socket.transport(requests, signal)).rejects.toMatchObject({ reason: 'status', status: 413 })
    expect(await socket.transport(requests.slice(1), signal)).toMatchObject([{ id: 2 }])
  })

  test('args: signal and timeoutMs', async () => {
    const answersValues: Step = (message) => (message.items[0]?.params.value ? perItem()(message) : 'hang')
    await using stub = await startStub(...Array<Step>(3).fill(answersValues))
    using socket = open(stub)
    const stop = new AbortController()
    const call = socket.client.echo({}, { signal: stop.signal })
    await expect.poll(() => stub.messages.length).toBe(1)
    stop.abort('enough')
    await expect(call).rejects.toBe('enough')
    await expect(socket.client.echo({}, { timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(await socket.client.echo({ value: 1 })).toEqual({ value: 1 })
    expect(stub.sockets.size).toBe(1)
  })
})

describe('breaks', () => {
  test('default: calls in flight are sent again over a new socket', async () => {
    const broken: Step = () => 'reset'
    await using stub = await startStub(broken, broken)
    using socket = open(stub)
    expect(await Promise.all([1, 2].map((a) => socket.client.math.add({ a, b: 1 })))).toEqual([{ sum: 2 }, { sum: 3 }])
    expect(sizes(stub)).toEqual([2, 2, 2])
  })

  test('behavior: tries are bounded', async () => {
    await using stub = await startStub(...Array<Step>(9).fill(() => 'reset'))
    using socket = open(stub)
    await expect(socket.client.echo()).rejects.toMatchObject({ reason: 'network', method: 'echo' })
    expect(stub.messages).toHaveLength(4)
  })

  test('error: why the service closed the socket is in its own words', async () => {
    await using stub = await startStub(() => {
      for (const socket of stub.sockets) socket.close(1008, 'API key does not exist')
      return 'hang'
    })
    using socket = open(stub, {}, { retry: false })
    await expect(socket.client.echo()).rejects.toThrow('broke (1008: API key does not exist)')
  })

  test('behavior: a control call is not sent twice', async () => {
    await using stub = await startStub(() => 'reset')
    using socket = open(stub)
    await expect(socket.client.dev.mine()).rejects.toMatchObject({ reason: 'network' })
    expect(stub.messages).toHaveLength(1)
  })

  test('behavior: a socket closed while idle is opened again by the next call', async () => {
    await using stub = await startStub()
    using socket = open(stub)
    await socket.client.echo()
    for (const one of stub.sockets) one.close(1001)
    await expect.poll(() => stub.sockets.size).toBe(0)
    expect(await socket.client.echo({ value: 2 })).toEqual({ value: 2 })
  })

  test('behavior: a socket that is gone without a sign is given up by calls it does not answer', async () => {
    await using stub = await startStub(
      perItem(),
      () => 'hang',
      () => 'hang',
    )
    let time = 0
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    onTestFinished(() => void vi.restoreAllMocks())
    using socket = open(stub)
    await socket.client.echo({ value: 1 })
    const [first] = stub.sockets
    const leaveAfter = async (ms: number) => {
      const stop = new AbortController()
      const sent = stub.messages.length
      const call = socket.client.echo({}, { signal: stop.signal })
      await expect.poll(() => stub.messages.length).toBe(sent + 1)
      time += ms
      stop.abort('enough')
      await expect(call).rejects.toBe('enough')
    }
    await leaveAfter(9_000)
    expect([...stub.sockets]).toEqual([first])
    await leaveAfter(1_000)
    expect(await socket.client.echo({ value: 2 })).toEqual({ value: 2 })
    expect(stub.messages).toHaveLength(4)
    await expect.poll(() => [...stub.sockets]).not.toContain(first)
  })

  test('error: nothing there', async () => {
    const stub = await startStub()
    await stub[Symbol.asyncDispose]()
    const dials = vi.fn()
    class Counted extends WebSocket {
      constructor(url: string) {
        super(url)
        dials()
      }
    }
    using socket = open(stub, { apiKey: 'secret', WebSocket: Counted, reconnect: { tries: 3, baseMs: 1 } })
    const { message, reason, cause } = await socket.client.echo().then(
      () => ({ message: 'answered', reason: '', cause: undefined }),
      (error: { message: string; reason: string; cause?: unknown }) => error,
    )
    expect(message).toBe(
      `echo: no WebSocket at ${stub.url.replace('http', 'ws')}/jsonRPC after 3 attempts: check url and apiKey`,
    )
    expect(reason).toBe('closed')
    expect(String(cause)).toContain('ECONNREFUSED')
    expect(dials).toHaveBeenCalledTimes(3)
  })

  test('error: nothing there is said at once after the last attempt', async () => {
    const stub = await startStub()
    await stub[Symbol.asyncDispose]()
    using socket = open(stub, { reconnect: { tries: 1, baseMs: 600_000, capMs: 600_000 } })
    await expect(socket.client.echo()).rejects.toThrow('after 1 attempts')
  })

  test('behavior: stops an attempt that takes too long, and one without a waiting caller', async () => {
    const silent = createServer((connection) => connection.on('error', () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const url = `http://127.0.0.1:${port}`
    const connections = () => new Promise((resolve) => silent.getConnections((_, count) => resolve(count)))

    using hasty = open({ url }, { reconnect: { tries: 2, baseMs: 1, timeoutMs: 20 } })
    await expect(hasty.client.echo()).rejects.toMatchObject({
      message: expect.stringContaining('after 2 attempts'),
      advice: expect.stringContaining('the next call connects again'),
    })
    using patient = open({ url })
    await expect(patient.client.echo({}, { timeoutMs: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect.poll(connections).toBe(0)
    await new Promise((resolve) => silent.close(resolve))
  })
})

describe('close', () => {
  const closing = async (stub: StubService, during: (transport: WebSocketTransport) => Promise<void>) => {
    const { transport, client } = open(stub)
    const call = client.echo()
    await during(transport)
    transport.close()
    await expect(call).rejects.toMatchObject({ reason: 'closed', message: 'echo: the transport was closed' })
    await expect(client.echo()).rejects.toMatchObject({ reason: 'closed' })
    await expect.poll(() => stub.sockets.size).toBe(0)
  }

  test('default: ends the calls in flight and every later one', async () => {
    await using stub = await startStub(() => 'hang')
    await closing(stub, () => expect.poll(() => stub.messages.length).toBe(1))
  })

  test('behavior: also while it connects', async () => {
    await using stub = await startStub()
    await closing(stub, () => new Promise((resolve) => setImmediate(resolve)))
  })

  test('behavior: also between two attempts to connect: none follows', async () => {
    let dials = 0
    class Refused implements SocketLike {
      constructor() {
        dials++
      }
      addEventListener(type: string, listener: (event: never) => void): void {
        if (type === 'close') setImmediate(() => listener({ code: 1006 } as never))
      }
      send(): void {}
      close(): void {}
    }
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    onTestFinished(() => void vi.restoreAllMocks())
    const { transport, client } = open(
      { url: 'http://127.0.0.1:1' },
      { WebSocket: Refused, reconnect: { baseMs: 60_000 } },
    )
    const call = client.echo()
    await expect.poll(() => dials).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    transport.close()
    await expect(call).rejects.toMatchObject({ reason: 'closed' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(dials).toBe(1)
  })
})

describe('webSocketTransport', () => {
  test('args: url', async () => {
    const dialled: string[] = []
    class Recorder extends WebSocket {
      constructor(url: string) {
        dialled.push(url)
        super('ws://127.0.0.1:9')
      }
    }
    for (const url of ['http://a:1', 'https://a/x?y=1', 'ws://a/jsonRPC', 'wss://a']) {
      using socket = open({ url }, { WebSocket: Recorder, reconnect: { tries: 1 } })
      await expect(socket.client.echo()).rejects.toThrow('after 1 attempts')
    }
    expect(dialled).toEqual(['ws://a:1/jsonRPC', 'wss://a/x/jsonRPC?y=1', 'ws://a/jsonRPC', 'wss://a/jsonRPC'])
  })

  test('error: not an address of a service', () => {
    expect(() => webSocketTransport({ url: 'ftp://host', WebSocket })).toThrow('url must begin with')
    expect(() => webSocketTransport({ url: '', WebSocket })).toThrow(TypeError)
  })

  test('error: no WebSocket here', () => {
    vi.stubGlobal('WebSocket', undefined)
    expect(() => webSocketTransport({ url: 'http://localhost' })).toThrow('pass one')
    vi.unstubAllGlobals()
  })
})
