import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { Identity } from '../../../../server/node/adnl/adnlIdentity.ts'
import type { AdnlListener, OnQuery } from '../../../../server/node/adnl/index.ts'
import { decodeAnswer, type Packet } from '../../../../server/tl/index.ts'
import { Random } from '../../../setup/random.ts'
import { connectTo, listen, ManualClock, type RawEnd, rawClient, serves } from './adnlScene.ts'

const random = new Random(3)
const queryOf = (id: number, query: Uint8Array = Uint8Array.of(1, 2)): Packet => ({
  '@type': 'adnl.message.query',
  query_id: new Uint8Array(32).fill(id),
  query,
})
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 300_000, interval: 2 })
const over = (client: RawEnd): Promise<void> =>
  until(() => {
    // What is there to be read would hold the end back.
    client.socket.resume()
    expect(client.isOver).toBe(true)
  })

const ping = { '@type': 'tcp.ping', random_id: 1n } as const

/** A client that the listener has heard. */
async function greeted(listener: AdnlListener, from?: string): Promise<RawEnd> {
  const client = await rawClient(listener, 256, from)
  client.send(ping)
  await client.receive()
  return client
}

async function answerOf(client: RawEnd): Promise<Uint8Array> {
  const packet = await client.receive()
  if (packet['@type'] !== 'adnl.message.answer') throw new Error(packet['@type'])
  return packet.answer
}

describe('queries', () => {
  test('may come right behind the hello', async () => {
    const client = await rawClient(await listen())
    client.send(queryOf(1), queryOf(2), { '@type': 'tcp.ping', random_id: 77n })
    const packets = [await client.receive(), await client.receive(), await client.receive()]
    expect(packets.find((packet) => packet['@type'] === 'tcp.pong')).toEqual({ '@type': 'tcp.pong', random_id: 77n })
    expect(packets.filter((packet) => packet['@type'] === 'adnl.message.answer')).toHaveLength(2)
  })

  test('silence where the answer is null, and no other frame is sent', async () => {
    const listener = await listen({ onQuery: async (query) => (query[0] === 0 ? null : query) })
    const client = await rawClient(listener)
    client.send(queryOf(1, Uint8Array.of(0)), queryOf(2, Uint8Array.of(5)))
    expect(await client.receive()).toMatchObject({
      '@type': 'adnl.message.answer',
      query_id: new Uint8Array(32).fill(2),
    })
    client.send({ '@type': 'tcp.ping', random_id: 1n })
    expect((await client.receive())['@type']).toBe('tcp.pong')
    expect(listener.stats()).toMatchObject({ queries: 2, answers: 1, inFlight: 0 })
    client.socket.destroy()
    await until(() => expect(listener.stats()).toMatchObject({ connections: 0, queries: 2, answers: 1 }))
  })

  test('error: a failure is answered without its words', async () => {
    const onError = vi.fn()
    const failure = new Error('secret')
    const client = await rawClient(await listen({ onQuery: () => Promise.reject(failure), onError }))
    client.send(queryOf(1))
    const refusal = { code: -503, message: 'internal error: the log of the server has the cause' }
    expect(decodeAnswer('getTime', await answerOf(client))).toEqual({ refusal })
    expect(onError).toHaveBeenCalledWith(failure)
  })

  test('error: a failure before there is a promise, too', async () => {
    const onError = vi.fn()
    const onQuery = (): never => {
      throw new Error('at once')
    }
    const client = await rawClient(await listen({ onQuery, onError }))
    client.send(queryOf(1), queryOf(2))
    for (let i = 0; i < 2; i++) expect(decodeAnswer('getTime', await answerOf(client)).refusal?.code).toBe(-503)
    expect(onError).toHaveBeenCalledTimes(2)
  })

  test('error: an answer that fits in no frame', async () => {
    const client = await rawClient(await listen({ onQuery: async () => new Uint8Array(2 ** 24 - 60) }))
    client.send(queryOf(1))
    const refusal = { code: -400, message: 'answer is too large' }
    expect(decodeAnswer('getTime', await answerOf(client))).toEqual({ refusal })
  })

  test('the end of the connection aborts them', async () => {
    const signals: AbortSignal[] = []
    const listener = await listen({
      onQuery: (_, { signal }) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    const client = await rawClient(listener)
    client.send(queryOf(1))
    await until(() => expect(signals).toHaveLength(1))
    client.socket.destroy()
    await until(() => expect(signals[0]?.aborted).toBe(true))
  })
})

describe('authentication', () => {
  const nonce = random.hash()
  const identity = Identity.fromSeed(random.hash())

  async function nonces(client: RawEnd): Promise<Uint8Array> {
    client.send({ '@type': 'tcp.authentificate', nonce })
    const packet = await client.receive()
    if (packet['@type'] !== 'tcp.authentificationNonce') throw new Error(packet['@type'])
    return Buffer.concat([nonce, packet.nonce])
  }

  const complete = (key: Uint8Array, signature: Uint8Array): Packet => ({
    '@type': 'tcp.authentificationComplete',
    key: { key },
    signature,
  })

  test('the caller is known by the id of its key', async () => {
    const seen: (Uint8Array | null)[] = []
    const listener = await listen({
      onQuery: async (query, { keyId }) => {
        seen.push(keyId)
        return query
      },
    })
    const client = await rawClient(listener)
    client.send(queryOf(1))
    await client.receive()
    const bytes = await nonces(client)
    expect(bytes).toHaveLength(32 + 256)
    client.send(complete(identity.key, identity.sign(bytes)), queryOf(2))
    await client.receive()
    const id = createHash('sha256').update(Buffer.from('c6b41348', 'hex')).update(identity.key).digest('hex')
    expect(seen.map((keyId) => (keyId === null ? null : Buffer.from(keyId).toString('hex')))).toEqual([null, id])
  })

  test.each<[string, (client: RawEnd) => Promise<void> | void]>([
    [
      'a wrong signature',
      async (client) => client.send(complete(identity.key, identity.sign(await nonces(client).then(() => nonce)))),
    ],
    [
      'the signature of another key',
      async (client) => client.send(complete(random.hash(), identity.sign(await nonces(client)))),
    ],
    ['a signature without a nonce', (client) => client.send(complete(identity.key, identity.sign(nonce)))],
    [
      'a second signature',
      async (client) => {
        const sent = complete(identity.key, identity.sign(await nonces(client)))
        client.send(sent, sent)
      },
    ],
    ['a second request', async (client) => client.send({ '@type': 'tcp.authentificate', nonce: await nonces(client) })],
    ['no nonce', (client) => client.send({ '@type': 'tcp.authentificate', nonce: new Uint8Array() })],
    [
      'a nonce that is too long',
      (client) => client.send({ '@type': 'tcp.authentificate', nonce: new Uint8Array(513) }),
    ],
  ])('error: %s ends the connection', async (_, act) => {
    const listener = await listen()
    const client = await rawClient(listener)
    await act(client)
    await over(client)
    expect(listener.stats().ended.protocol).toBe(1)
  })

  test('a frame that cannot be read does not', async () => {
    const client = await rawClient(await listen())
    client.sendPayload(Buffer.from('a69eadf7', 'hex'))
    client.sendPayload(Buffer.from('efbeadde', 'hex'))
    client.sendPayload(new Uint8Array())
    client.send(queryOf(1))
    expect(await answerOf(client)).toEqual(Uint8Array.of(2, 1))
  })
})

describe('times', () => {
  test('10 s for the hello', async () => {
    const clock = new ManualClock()
    const listener = await listen({ clock })
    const client = await rawClient(listener, 255)
    await until(() => expect(listener.stats().connections).toBe(1))
    clock.advance(9_999)
    expect(listener.stats().connections).toBe(1)
    clock.advance(1)
    await over(client)
    expect(listener.stats()).toMatchObject({ connections: 0, ended: { hello: 1 } })
  })

  test('none after its end', async () => {
    const clock = new ManualClock()
    const listener = await listen({ clock })
    await greeted(listener)
    expect(clock.timers).toBeGreaterThan(0)
    await listener.close()
    expect(clock.timers).toBe(0)
  })

  test('no silence of a client that is not read', async () => {
    const clock = new ManualClock()
    const onQuery = (): Promise<never> => new Promise(() => undefined)
    const listener = await listen({ clock, onQuery, limits: { maxInFlight: 1 } })
    const client = await rawClient(listener)
    client.send(queryOf(1), queryOf(2))
    await until(() => expect(listener.stats().inFlight).toBe(1))
    clock.advance(200_000)
    expect(listener.stats()).toMatchObject({ connections: 1, ended: { silence: 0 } })
  })

  test('silence that begins when the client is read again', async () => {
    const clock = new ManualClock()
    let answer = (_: Uint8Array): void => undefined
    const onQuery = () =>
      new Promise<Uint8Array>((resolve) => {
        answer = resolve
      })
    const listener = await listen({ clock, onQuery, limits: { maxInFlight: 1 } })
    const client = await rawClient(listener)
    client.send(queryOf(1))
    await until(() => expect(listener.stats().inFlight).toBe(1))
    clock.advance(200_000)
    answer(Uint8Array.of(1))
    await answerOf(client)
    clock.advance(119_000)
    expect(listener.stats()).toMatchObject({ connections: 1, ended: { silence: 0 } })
  })

  test('120 s of silence; a ping is enough', async () => {
    const clock = new ManualClock()
    const listener = await listen({ clock })
    const silent = await rawClient(listener)
    const pinging = await rawClient(listener)
    await until(() => expect(listener.stats().connections).toBe(2))
    for (const client of [silent, pinging]) client.send({ '@type': 'tcp.ping', random_id: 1n })
    for (const client of [silent, pinging]) await client.receive()
    clock.advance(100_000)
    pinging.send({ '@type': 'tcp.ping', random_id: 2n })
    await pinging.receive()
    clock.advance(30_000)
    await over(silent)
    expect(listener.stats()).toMatchObject({ connections: 1, ended: { silence: 1 } })
  })
})

describe('bounds', () => {
  test('of connections, in all and per address', async () => {
    const listener = await listen({ limits: { maxConnections: 3 } })
    const clients = [await greeted(listener), await greeted(listener), await greeted(listener)]
    expect(listener.stats().connections).toBe(3)
    await over(await rawClient(listener))
    expect(listener.stats().refused).toBe(1)
    clients[0]?.socket.destroy()
    await until(() => expect(listener.stats().connections).toBe(2))
    expect(await serves(listener)).toBe(true)
    const narrow = await listen({ limits: { maxPerAddress: 1 } })
    await rawClient(narrow)
    await until(() => expect(narrow.stats().connections).toBe(1))
    await over(await rawClient(narrow))
  })

  test('of connections: those that say nothing make room for those that do', async () => {
    const listener = await listen({ limits: { maxConnections: 3 } })
    const steady = await greeted(listener)
    for (let i = 0; i < 5; i++) await rawClient(listener, 0)
    await until(() => expect(listener.stats()).toMatchObject({ connections: 3, accepted: 6, refused: 0 }))
    expect(listener.stats().ended.crowded).toBe(3)
    expect(await serves(listener)).toBe(true)
    steady.send(ping)
    expect(await steady.receive()).toMatchObject({ '@type': 'tcp.pong' })
  })

  // Only there is every address of 127.0.0.0/8 one of this machine.
  test.runIf(process.platform === 'linux')(
    'of connections: strangers of one network do not keep others out',
    async () => {
      const listener = await listen({ clock: new ManualClock(), limits: { maxConnections: 8 } })
      const steady = await greeted(listener, '127.1.0.1')
      const strangers = [steady]
      for (let i = 1; i < 8; i++) strangers.push(await greeted(listener, `127.2.0.${i}`))
      const newcomers = [await greeted(listener, '127.3.0.1'), await greeted(listener, '127.4.0.1')]
      expect(listener.stats()).toMatchObject({ connections: 8, refused: 0, ended: { crowded: 2 } })
      for (const client of [steady, ...newcomers]) {
        client.send(ping)
        expect(await client.receive()).toMatchObject({ '@type': 'tcp.pong' })
      }
      expect(strangers.map(({ isOver }) => isOver)).toEqual(strangers.map((_, i) => i === 1 || i === 2))
      await over(await rawClient(listener, 256, '127.2.0.99'))
      expect(listener.stats().refused).toBe(1)
    },
  )

  test.runIf(process.platform === 'linux')('of queries in flight, also of clients that had to leave', async () => {
    const held: { readonly signal: AbortSignal; readonly settle: () => void }[] = []
    const onQuery: OnQuery = (query, { signal }) =>
      new Promise((resolve) => held.push({ signal, settle: () => resolve(query) }))
    const listener = await listen({ onQuery, clock: new ManualClock(), limits: { maxConnections: 8 } })
    for (let i = 0; i < 8; i++) (await greeted(listener, `127.2.0.${i + 1}`)).send(queryOf(i))
    await until(() => expect(held).toHaveLength(8))
    for (const network of [3, 4]) await greeted(listener, `127.${network}.0.1`)
    // They are told so, and count until they have ended.
    expect(held.filter(({ signal }) => signal.aborted)).toHaveLength(2)
    expect(listener.stats().ended.crowded).toBe(2)
    await over(await rawClient(listener, 256, '127.5.0.1'))
    expect(listener.stats()).toMatchObject({ connections: 8, refused: 1 })
    for (const { signal, settle } of held) if (signal.aborted) settle()
    await turn()
    await greeted(listener, '127.5.0.1')
    expect(listener.stats().ended.crowded).toBe(3)
  })

  test('of queries in flight, also of clients that reconnect', async () => {
    const held: (() => void)[] = []
    const onQuery = (query: Uint8Array): Promise<Uint8Array> =>
      new Promise((resolve) => held.push(() => resolve(query.slice().reverse())))
    const listener = await listen({ onQuery, limits: { maxPerAddress: 3 } })
    for (let i = 0; i < 3; i++) {
      const client = await rawClient(listener)
      client.send(queryOf(i), queryOf(i + 10))
      await until(() => expect(held).toHaveLength(2 * i + 2))
      client.socket.destroy()
      await until(() => expect(listener.stats().connections).toBe(0))
    }
    await over(await rawClient(listener))
    expect(listener.stats().refused).toBe(1)
    held.shift()?.()
    held.shift()?.()
    await turn()
    const client = await rawClient(listener)
    client.send(queryOf(1))
    await until(() => expect(held).toHaveLength(5))
    held.pop()?.()
    expect(await answerOf(client)).toEqual(Uint8Array.of(2, 1))
  })

  test('of queries in flight: then the client is not read, and loses none', async () => {
    const held: (() => void)[] = []
    const listener = await listen({
      onQuery: (query) => new Promise((resolve) => held.push(() => resolve(query))),
      limits: { maxInFlight: 5, maxPendingBytes: 2 ** 30 },
    })
    const client = await rawClient(listener)
    client.send(...Array.from({ length: 40 }, (_, i) => queryOf(i)))
    await until(() => expect(held).toHaveLength(5))
    const ids = new Set<number>()
    for (let i = 0; i < 40; i++) {
      await until(() => expect(held.length).toBeGreaterThan(0))
      expect(listener.stats().inFlight).toBeLessThanOrEqual(5)
      held.shift()?.()
      const packet = await client.receive()
      if (packet['@type'] === 'adnl.message.answer') ids.add(packet.query_id[0] ?? -1)
    }
    expect(ids.size).toBe(40)
  })

  test('of bytes of queries in flight', async () => {
    const held: (() => void)[] = []
    const listener = await listen({
      onQuery: (query) => new Promise((resolve) => held.push(() => resolve(query))),
      limits: { maxInFlightBytes: 3000, maxPendingBytes: 2 ** 30 },
    })
    const client = await rawClient(listener)
    client.send(...Array.from({ length: 10 }, (_, i) => queryOf(i, new Uint8Array(1000))))
    await until(() => expect(held).toHaveLength(3))
    for (let i = 0; i < 10; i++) {
      await until(() => expect(held.length).toBeGreaterThan(0))
      held.shift()?.()
    }
    for (let i = 0; i < 10; i++) await client.receive()
  })

  test('a client that asks for more than it reads is served as fast as it reads', async () => {
    const listener = await listen({ onQuery: async () => new Uint8Array(2 ** 20) })
    const connection = await connectTo(listener, { limits: { queryMs: 120_000 } })
    const answers = await Promise.all(Array.from({ length: 200 }, () => connection.query(Uint8Array.of(1))))
    expect(answers.every(({ length }) => length === 2 ** 20)).toBe(true)
    expect(listener.stats()).toMatchObject({ connections: 1, answers: 200, ended: { unread: 0 } })
  })
})

test('closing ends all there is', async () => {
  const listener = await listen({ onQuery: () => new Promise(() => undefined) })
  const client = await rawClient(listener)
  client.send(queryOf(1))
  await until(() => expect(listener.stats().inFlight).toBe(1))
  await listener.close()
  await over(client)
  expect(listener.stats()).toMatchObject({ connections: 0, ended: { closing: 1 } })
})
