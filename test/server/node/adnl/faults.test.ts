// Faulty and hostile clients. Each time the listener stays within its limits and serves others.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AdnlListener, createAdnlListener } from '../../../../server/node/adnl/index.ts'
import { encodePacket } from '../../../../server/tl/index.ts'
import { Random } from '../../../setup/random.ts'
import { frameOf, HOST, helloFor, listen, ManualClock, rawClient, seed, serves } from './adnlScene.ts'

const random = new Random(9)
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 300_000, interval: 2 })
const query = encodePacket({ '@type': 'adnl.message.query', query_id: new Uint8Array(32), query: Uint8Array.of(1) })

let listener: AdnlListener
beforeAll(async () => {
  listener = await createAdnlListener({
    host: HOST,
    port: 0,
    seed,
    onQuery: async (bytes) => bytes.slice().reverse(),
    limits: { maxConnections: 4000, maxPerAddress: 4000 },
  })
})
afterAll(() => listener.close())

async function open(port = listener.port): Promise<Socket> {
  const socket = connect({ port, host: HOST })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  return socket
}

/** A good hello and one good query behind it, as bytes. */
function conversation(): Uint8Array {
  const { hello, writer } = helloFor(listener.key)
  return Buffer.concat([hello, writer.encrypt(frameOf(query))])
}

describe('connections', () => {
  test('reset behind each byte of a conversation', async () => {
    const length = conversation().length
    for (let from = 0; from < length; from += 64) {
      await Promise.all(
        Array.from({ length: Math.min(64, length - from) }, async (_, i) => {
          const socket = await open()
          socket.write(conversation().subarray(0, from + i))
          socket.resetAndDestroy()
        }),
      )
    }
    expect(await serves(listener)).toBe(true)
    await until(() => expect(listener.stats().connections).toBeLessThanOrEqual(1))
  })

  test('closed for writing behind the query', async () => {
    const socket = await open()
    socket.end(conversation())
    await once(socket.resume(), 'close')
    expect(await serves(listener)).toBe(true)
  })

  test('garbage instead of a hello, and behind one', async () => {
    for (let i = 0; i < 50; i++) {
      const socket = await open()
      if (i % 2 === 0) socket.write(helloFor(listener.key).hello)
      socket.write(random.bytes(1 + random.below(100_000)))
    }
    expect(await serves(listener)).toBe(true)
    await until(() => expect(listener.stats().ended.protocol).toBeGreaterThan(0))
  })

  test('a hello, and queries, byte by byte', async () => {
    const target = await listen({ clock: new ManualClock() })
    const socket = await open(target.port)
    const bytes = conversation()
    let got = 0
    socket.on('data', (chunk) => {
      got += chunk.length
    })
    for (let at = 0; at < bytes.length; at++) {
      socket.write(bytes.subarray(at, at + 1))
      await new Promise((resolve) => setImmediate(resolve))
    }
    // The empty frame and an answer.
    await until(() => expect(got).toBe(68 + 68 + 40))
  })

  test('600 of one address: 64 are kept, and the next one is served when some are gone', async () => {
    const strict = await listen({ clock: new ManualClock() })
    const sockets = await Promise.all(Array.from({ length: 600 }, () => open(strict.port)))
    await until(() => expect(strict.stats()).toMatchObject({ connections: 64, refused: 536 }))
    for (const socket of sockets) socket.destroy()
    await until(() => expect(strict.stats().connections).toBe(0))
    expect(await serves(strict)).toBe(true)
  })

  test('opened and closed again, 500 of them: all are forgotten, and others are served meanwhile', async () => {
    const target = await listen({ limits: { maxConnections: 4000, maxPerAddress: 4000 } })
    const steady = await rawClient(target)
    const sizes = [0, 1, 255, 256, conversation().length - 1]
    for (let round = 0; round < 5; round++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => open(target.port)))
      sockets.forEach((socket, i) => {
        socket.write(conversation().subarray(0, sizes[i % sizes.length]))
        if (i % 2 === 0) socket.destroy()
        else socket.end()
      })
      steady.send({ '@type': 'tcp.ping', random_id: BigInt(round) })
      expect(await steady.receive()).toEqual({ '@type': 'tcp.pong', random_id: BigInt(round) })
    }
    await until(() => expect(target.stats()).toMatchObject({ connections: 1, accepted: 501, inFlight: 0 }))
  })
})

describe('frames', () => {
  test('half of one, and then nothing, or a byte now and then', async () => {
    const clock = new ManualClock()
    const target = await listen({ clock })
    const silent = await rawClient(target)
    const dripping = await rawClient(target)
    const whole = await rawClient(target)
    const frame = frameOf(query)
    for (const client of [silent, dripping]) client.sendPlain(frame.subarray(0, frame.length >> 1))
    for (const client of [silent, dripping]) client.socket.resume()
    await until(() => expect(target.stats().connections).toBe(3))
    for (let second = 0; second < 130; second += 10) {
      const before = dripping.socket.bytesWritten
      dripping.sendPlain(Uint8Array.of(1))
      whole.send({ '@type': 'tcp.ping', random_id: 1n })
      await whole.receive()
      await until(() => expect(dripping.socket.bytesWritten).toBeGreaterThan(before))
      clock.advance(10_000)
    }
    await until(() => expect([silent, dripping, whole].map(({ isOver }) => isOver)).toEqual([true, true, false]))
    expect(target.stats()).toMatchObject({ connections: 1, ended: { silence: 2 } })
  })

  test.each([0, 63, 256 * 1024 + 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1])(
    'a length of %i ends the connection',
    async (length) => {
      const client = await rawClient(listener)
      const head = new Uint8Array(4)
      new DataView(head.buffer).setUint32(0, length, true)
      client.sendPlain(head)
      client.socket.resume()
      await until(() => expect(client.isOver).toBe(true))
      expect(await serves(listener)).toBe(true)
    },
  )

  test('a wrong hash ends the connection', async () => {
    const client = await rawClient(listener)
    const frame = frameOf(query)
    frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1
    client.sendPlain(frame)
    client.socket.resume()
    await until(() => expect(client.isOver).toBe(true))
    expect(await serves(listener)).toBe(true)
  })

  test('payloads at random', async () => {
    const client = await rawClient(listener)
    for (let i = 0; i < 2000; i++) {
      const payload = random.chance(0.5) ? random.bytes(random.below(200)) : query.slice()
      if (payload.length > 0) payload[random.below(payload.length)] = random.below(256)
      // An unrequested signature or a second request to authenticate ends a connection; all else must not.
      if (![0xa6, 0x12].includes(payload[0] ?? 0)) client.sendPayload(payload)
    }
    client.send({ '@type': 'tcp.ping', random_id: 5n })
    for (;;) if ((await client.receive())['@type'] === 'tcp.pong') break
    expect(await serves(listener)).toBe(true)
  })
})

describe('unread answers', () => {
  const megabyte = new Uint8Array(2 ** 20)
  const request = encodePacket({ '@type': 'adnl.message.query', query_id: new Uint8Array(32), query: Uint8Array.of(7) })
  const onQuery = async (bytes: Uint8Array): Promise<Uint8Array> =>
    bytes[0] === 7 ? megabyte : bytes.slice().reverse()

  test('few of them are made, and the connection is closed after a minute', async () => {
    const clock = new ManualClock()
    const target = await listen({ onQuery, clock })
    const client = await rawClient(target)
    client.socket.pause()
    client.sendPlain(Buffer.concat(Array.from({ length: 5000 }, () => frameOf(request))))
    await until(() => expect(target.stats().unsentBytes).toBeGreaterThan(0))
    await until(() => expect(target.stats().inFlight).toBe(0))
    expect(target.stats().unsentBytes).toBeLessThan(32 * 2 ** 20)
    expect(target.stats().queries).toBeLessThan(100)
    expect(await serves(target)).toBe(true)
    await until(() => expect(target.stats().connections).toBe(1))
    clock.advance(61_000)
    expect(target.stats()).toMatchObject({ connections: 0, unsentBytes: 0, ended: { unread: 1 } })
  })

  test('a client that reads a large answer slowly is kept', async () => {
    const clock = new ManualClock()
    const target = await listen({ onQuery: async () => new Uint8Array(15 * 2 ** 20), clock })
    const client = await rawClient(target)
    client.socket.pause()
    client.sendPlain(frameOf(request))
    await until(() => expect(target.stats().answers).toBe(1))
    for (let unsent = target.stats().unsentBytes; unsent > 0; unsent = target.stats().unsentBytes) {
      clock.advance(50_000)
      client.send({ '@type': 'tcp.ping', random_id: 1n })
      let read = 0
      await until(() => {
        read += client.socket.read()?.length ?? 0
        expect(target.stats().unsentBytes < unsent || read > 4 * 2 ** 20).toBe(true)
      })
    }
    expect(target.stats()).toMatchObject({ connections: 1, ended: { unread: 0, silence: 0 } })
  })

  test('many such connections: the one that holds most makes room', async () => {
    const limits = { maxTotalUnsentBytes: 20 * 2 ** 20, maxConnections: 16 }
    const target = await listen({ onQuery, limits })
    for (let i = 0; i < 8; i++) {
      const client = await rawClient(target)
      client.socket.pause()
      client.sendPlain(Buffer.concat(Array.from({ length: 200 }, () => frameOf(request))))
    }
    await until(() => expect(target.stats().ended.unread).toBeGreaterThan(0))
    await until(() => expect(target.stats().inFlight).toBe(0))
    expect(target.stats().unsentBytes).toBeLessThan(21 * 2 ** 20)
    expect(await serves(target)).toBe(true)
  })

  test('a thousand clients that read nothing: memory has its bound, and others are served', async () => {
    const limits = { maxConnections: 1001, maxPerAddress: 1001, maxTotalUnsentBytes: 40 * 2 ** 20 }
    const target = await listen({ onQuery, limits })
    const few = Buffer.concat(Array.from({ length: 5 }, () => frameOf(request)))
    let most = 0
    for (let i = 0; i < 1000; i++) {
      const client = await rawClient(target)
      client.socket.pause()
      client.sendPlain(few)
      most = Math.max(most, target.stats().unsentBytes)
    }
    await until(() => expect(target.stats().inFlight).toBe(0))
    most = Math.max(most, target.stats().unsentBytes)
    expect(most).toBeGreaterThan(20 * 2 ** 20)
    expect(most).toBeLessThan(42 * 2 ** 20)
    expect(target.stats().ended.unread).toBeGreaterThan(0)
    expect(await serves(target)).toBe(true)
  })

  test('pongs count too', async () => {
    const limits = { maxPendingBytes: 2 ** 40, maxTotalUnsentBytes: 2 ** 20, maxConnections: 16 }
    const target = await listen({ limits })
    const client = await rawClient(target)
    client.socket.pause()
    const ping = frameOf(encodePacket({ '@type': 'tcp.ping', random_id: 1n }))
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping))
    while (target.stats().ended.unread === 0) {
      client.sendPlain(pings)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await serves(target)).toBe(true)
  })

  test('one that cannot be held is not sent', async () => {
    const limits = { maxPendingBytes: 2 ** 40, maxUnsentBytes: 2 ** 20 }
    const target = await listen({ onQuery, limits })
    const client = await rawClient(target)
    client.socket.pause()
    client.sendPlain(Buffer.concat(Array.from({ length: 200 }, () => frameOf(request))))
    await until(() => expect(target.stats().ended.unread).toBe(1))
    expect(await serves(target)).toBe(true)
  })
})
