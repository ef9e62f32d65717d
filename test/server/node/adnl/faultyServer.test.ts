// Faulty and hostile servers. Each time the client refuses in words, ends what it holds, and connects to the next one.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AdnlError, type AdnlListener, connectAdnl, createAdnlListener } from '../../../../server/node/adnl/index.ts'
import { Random } from '../../../setup/random.ts'
import { HOST, patient, rawServer, seed } from './adnlScene.ts'

const ANSWER = new Uint8Array(100).fill(7)
const AT_ONCE = 32
/** Without which there is no connection. */
const FIRST_FRAME_BYTES = 68

let listener: AdnlListener
beforeAll(async () => {
  listener = await createAdnlListener({
    ...{ host: HOST, port: 0, seed, onQuery: async () => ANSWER },
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
  test('error: that resets behind each byte of a conversation', { timeout: 120_000 }, async () => {
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
