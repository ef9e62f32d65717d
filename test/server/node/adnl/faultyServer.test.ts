// Faulty and hostile servers. Each time the client refuses in words, ends what it holds, and connects to the next one.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AdnlError, type AdnlListener, connectAdnl, createAdnlListener } from '../../../../server/node/adnl/index.ts'
import { encodePacket } from '../../../../server/tl/index.ts'
import { Random } from '../../../setup/random.ts'
import { frameOf, HOST, ManualClock, patient, type RawEnd, rawServer, seed } from './adnlScene.ts'

const ANSWER = new Uint8Array(100).fill(7)
const AT_ONCE = 32
/** Without which there is no connection. */
const FIRST_FRAME_BYTES = 68

let listener: AdnlListener
beforeAll(async () => {
  listener = await createAdnlListener({
    host: HOST,
    port: 0,
    seed,
    onQuery: async () => ANSWER,
    limits: { maxConnections: 4000, maxPerAddress: 4000 },
  })
})
afterAll(() => listener.close())

interface Cut {
  readonly port: number
  /** Bytes that came from the server before the reset. */
  passed: number
}

/** The listener behind a line that is reset after so many bytes of it. */
async function cutAfter(bytes: number): Promise<Cut> {
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const behind = connect({ port: listener.port, host: HOST })
    sockets.push(client, behind)
    for (const one of [client, behind]) one.on('error', () => undefined)
    client.pipe(behind)
    behind.on('data', (data) => {
      const rest = bytes - cut.passed
      cut.passed += Math.min(rest, data.length)
      client.write(data.subarray(0, rest), () => {
        if (data.length >= rest) client.resetAndDestroy()
      })
    })
    client.on('close', () => behind.destroy())
    behind.on('close', () => client.destroy())
    if (bytes === 0) client.resetAndDestroy()
  }).listen(0, HOST)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const one of sockets) one.destroy()
    server.close()
  })
  const cut = { port: (server.address() as AddressInfo).port, passed: 0 }
  return cut
}

/** The answer of one query over a connection of its own, or the error it ended with. */
async function outcome(port: number, key: Uint8Array, timeoutMs = 60_000): Promise<Uint8Array | unknown> {
  try {
    const connection = await connectAdnl({ host: HOST, port, key, limits: patient })
    onTestFinished(() => connection.close())
    return await connection.query(Uint8Array.of(1), { timeoutMs })
  } catch (error) {
    return error
  }
}

describe('a server', () => {
  test('error: that resets behind each byte of a conversation', async () => {
    const whole = await cutAfter(Number.POSITIVE_INFINITY)
    expect(await outcome(whole.port, listener.key)).toEqual(ANSWER)
    const failed: unknown[] = []
    for (let from = 0; from < whole.passed; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, whole.passed - from) }, async (_, i) => {
          const { port } = await cutAfter(from + i)
          const result = await outcome(port, listener.key)
          if (result instanceof AdnlError) failed.push(result)
          else expect(result).toEqual(ANSWER)
        }),
      )
    expect(failed.length).toBeGreaterThan(FIRST_FRAME_BYTES)
    expect(await outcome(listener.port, listener.key)).toEqual(ANSWER)
  })

  test.each([
    ['garbage', new Random(3).bytes(5_000)],
    ['one byte', Uint8Array.of(1)],
    ['a page of the web', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(10))],
  ])('error: that answers the hello with %s', async (_, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(bytes))
    }).listen(0, HOST)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const error = await outcome((server.address() as AddressInfo).port, listener.key)
    expect(error).toMatchObject({ code: 'hello', message: expect.stringContaining('or is no lite server') })
  })

  test.each([0, 63, 2 ** 24 + 1, 2 ** 31, 2 ** 32 - 1])('error: that announces a frame of %i bytes', async (length) => {
    const head = new Uint8Array(4)
    new DataView(head.buffer).setUint32(0, length, true)
    const { port, key } = await rawServer(({ sendPlain }) => sendPlain(head))
    expect(await outcome(port, key)).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining(`a frame of ${length} bytes`),
    })
  })

  test('error: that drips its first frame', async () => {
    const clock = new ManualClock()
    let dripped = 0
    const frame = frameOf(new Uint8Array())
    const { port, key } = await rawServer((end) => {
      void (async () => {
        for (; dripped < frame.length - 1; dripped++) {
          end.sendPlain(frame.subarray(dripped, dripped + 1))
          await new Promise((resolve) => setImmediate(resolve))
          // A byte each 50 ms: slower than the hello may be.
          clock.advance(50)
        }
      })()
    }, false)
    const failed = await connectAdnl({ host: HOST, port, key, clock }).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      code: 'hello',
      message: expect.stringMatching(
        /^the server answered the hello with [1-9]\d* bytes in 3000 ms, not a whole frame: it is too/,
      ),
    })
    expect(dripped).toBeGreaterThan(10)
  })

  test('error: that drips an answer, whose query ends in time', async () => {
    const clock = new ManualClock()
    let end: RawEnd | null = null
    const { port, key } = await rawServer((client) => {
      end = client
    })
    const connection = await connectAdnl({ host: HOST, port, key, clock, limits: patient })
    onTestFinished(() => connection.close())
    const answer = connection.query(Uint8Array.of(1)).catch((error: unknown) => error)
    const raw = await expect
      .poll(() => end)
      .not.toBeNull()
      .then(() => end as RawEnd | null)
    const packet = {
      '@type': 'adnl.message.answer',
      query_id: new Uint8Array(32),
      answer: new Uint8Array(5_000),
    } as const
    const frame = frameOf(encodePacket(packet))
    for (let i = 0; i < 10; i++) {
      const { bytesIn } = connection.stats()
      raw?.sendPlain(frame.subarray(i, i + 1))
      await expect.poll(() => connection.stats().bytesIn, { interval: 1 }).toBe(bytesIn + 1)
      clock.advance(1_000)
    }
    expect(await answer).toMatchObject({ code: 'timeout' })
    expect(connection.stats()).toMatchObject({ inFlight: 0, timeouts: 1 })
  })

  test('error: that answers another query', async () => {
    const { port, key } = await rawServer(({ receive, send }) => {
      void (async () => {
        for (;;) {
          const packet = await receive()
          if (packet['@type'] !== 'adnl.message.query') continue
          const other = Uint8Array.from(packet.query_id, (byte) => byte ^ 1)
          send({ '@type': 'adnl.message.answer', query_id: other, answer: ANSWER })
        }
      })().catch(() => undefined)
    })
    expect(await outcome(port, key, 300)).toMatchObject({ code: 'timeout' })
  })
})
