// Streams on the WebSocket of JSON-RPC.

import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { gaugeOf } from '../../setup/gauge.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, knownKey, openSocket, openWallet } from '../../setup/streams.ts'

/** Both ends are in this process: one that is busy for longer than two of them ends the connections of its tests. */
const limits = { pingMs: 2_000 }
const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' }, limits }))

test('several subscriptions of one socket, next to other calls', async () => {
  const wallet = await openWallet(service())
  const stream = await openSocket(service(), '/jsonRPC')
  const call = async (id: number, method: string, params: unknown): Promise<Frame> => {
    stream.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return await stream.frames.first((frame) => frame.id === id)
  }
  expect(await call(1, 'stream.subscribe', { types: ['blocks'] })).toEqual({
    jsonrpc: '2.0',
    ok: true,
    result: { subscription: '0x1' },
    id: 1,
  })
  const second = await call(2, 'stream.subscribe', [{ types: ['account_state_change'], addresses: [wallet.friendly] }])
  expect(second.result).toEqual({ subscription: '0x2' })
  expect((await call(3, 'stream.subscribe', { types: ['nothing'] })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('invalid event type: nothing'),
  })
  expect((await call(4, 'getMasterchainInfo', {})).result).toBeDefined()
  await wallet.send(`0:${'AB'.repeat(32)}`)
  await wallet.mine()
  const eventOf = (name: string) =>
    stream.frames.first(({ params }) => (params as Frame | undefined)?.subscription === name)
  expect(await eventOf('0x2')).toMatchObject({
    method: 'stream.event',
    params: { result: { type: 'account_state_change', account: wallet.raw, finality: 'finalized' } },
  })
  expect(await eventOf('0x1')).toMatchObject({ params: { result: { type: 'blocks' } } })
  expect((await call(5, 'stream.unsubscribe', { subscription: '0x2' })).result).toBe(true)
  expect((await call(6, 'stream.unsubscribe', ['0x2'])).result).toBe(false)
})

const subscribe = (id: number, params: Frame): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'stream.subscribe', params })

test('ids are echoed as they came, and those that are none are refused as in any call', async () => {
  const stream = await openSocket(service(), '/jsonRPC')
  const texts: string[] = []
  stream.socket.on('message', (data) => void texts.push(String(data)))
  const ids = ['12345678901234567890', '"twelve"', '1.5', 'null', '{"no":[12345678901234567890]}', 'true']
  for (const id of ids)
    stream.send(`{"jsonrpc":"2.0","id":${id},"method":"stream.subscribe","params":{"types":["blocks"]}}`)
  await stream.frames.count(ids.length)
  expect(texts.map((text) => /"id":[^}]*/.exec(text)?.[0])).toEqual([
    '"id":12345678901234567890',
    '"id":"twelve"',
    '"id":1.5',
    '"id":null',
    '"id":null',
    '"id":null',
  ])
  for (const { error } of stream.frames.all.slice(-2)) expect(error).toMatchObject({ code: -32600 })
})

test('a subscriber that asks for it is told how many messages wait for a block', async () => {
  const client = createClient({ url: service().url, timeoutMs: 300_000 })
  const asks = await openSocket(service(), '/jsonRPC')
  const others = await openSocket(service(), '/jsonRPC')
  asks.send(subscribe(1, { types: ['blocks'], pending_messages: true }))
  others.send(subscribe(1, { types: ['blocks'] }))
  for (const { frames } of [asks, others]) await frames.first(({ id }) => id === 1)
  const resultOf = ({ params }: Frame) => (params as { readonly result?: Frame } | undefined)?.result ?? {}
  const heard = ({ frames }: typeof asks, of: Frame) =>
    frames.first((frame) => Object.entries(of).every(([name, value]) => resultOf(frame)[name] === value))
  await client.dev.faucet({ address: `0:${'AC'.repeat(32)}`, amount: '1' })
  await heard(asks, { type: 'pending_messages', count: 1 })
  await client.dev.mine({ blocks: 1 })
  await heard(asks, { type: 'pending_messages', count: 0 })
  await heard(others, { type: 'blocks' })
  expect(others.frames.all.filter((frame) => resultOf(frame).type === 'pending_messages')).toEqual([])
})

const gauge = (name: string): Promise<number> => gaugeOf(service(), name)

test('one socket has as many subscriptions and addresses as a connection may, asked for at once or one by one', async () => {
  const stream = await openSocket(service(), '/jsonRPC')
  for (let id = 0; id < 300; id++) stream.send(subscribe(id, { types: ['blocks'] }))
  await stream.frames.count(300)
  const refused = stream.frames.all.filter(({ error }) => error !== undefined)
  expect(stream.frames.all.filter(({ result }) => result !== undefined)).toHaveLength(100)
  expect(refused).toHaveLength(200)
  expect(refused[0]).toMatchObject({
    error: { message: expect.stringContaining('too many subscriptions of one socket: 100 at most') },
  })
  const { key } = await knownKey(service(), true)
  const keyed = await openSocket(service(), `/jsonRPC?api_key=${key}`)
  const addresses = Array.from({ length: 120 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
  for (const id of [1, 2]) keyed.send(subscribe(id, { types: ['actions'], addresses }))
  expect(await keyed.frames.first(({ error }) => error !== undefined)).toMatchObject({
    error: { message: expect.stringContaining('address limit exceeded: current 120 + new 120 > max 200') },
  })
  const opcodes = Array.from({ length: 600 }, (_, i) => i)
  for (const id of [3, 4]) keyed.send(subscribe(id, { types: ['messages'], opcodes }))
  expect(await keyed.frames.first(({ id }) => id === 4)).toMatchObject({
    error: { message: expect.stringContaining('opcode limit exceeded: current 600 + new 600 > max 1000') },
  })
})

test('a socket has a seat of streams while it has a subscription', async () => {
  const { key } = await knownKey(service())
  const [first, ...others] = await Promise.all(
    Array.from({ length: 6 }, () => openSocket(service(), `/jsonRPC?api_key=${key}`)),
  )
  const last = others.pop()
  if (first === undefined || last === undefined) throw new Error('too few sockets')
  let id = 0
  const call = async (socket: typeof first, method: string, params: Frame): Promise<Frame> => {
    const own = ++id
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }))
    return await socket.frames.first((frame) => frame.id === own)
  }
  const begin = (socket: typeof first) =>
    eventually(async () => {
      const { result, error } = await call(socket, 'stream.subscribe', { types: ['blocks'] })
      const { message = '' } = (error ?? {}) as { readonly message?: string }
      return message.includes('Ratelimit exceeded') ? undefined : (result ?? message)
    })
  const end = (subscription: string) => call(first, 'stream.unsubscribe', { subscription })
  const full = expect.stringContaining('connection limit reached: 5 active connections')
  for (const one of [first, ...others]) expect(await begin(one)).toEqual({ subscription: '0x1' })
  expect(await begin(last)).toEqual(full)
  expect(await begin(first)).toEqual({ subscription: '0x2' })
  expect((await end('0x1')).result).toBe(true)
  expect(await begin(last)).toEqual(full)
  expect((await end('0x2')).result).toBe(true)
  expect(await begin(last)).toEqual({ subscription: '0x1' })
  expect(await begin(first)).toEqual(full)
})

test('a socket that is gone before its subscription was read leaves none behind', async () => {
  const wallet = await openWallet(service())
  const stream = await openSocket(service())
  await stream.say('subscribe', { types: ['blocks'] })
  await wallet.mine()
  const { cursor } = await stream.frames.first((frame) => frame.cursor !== undefined)
  stream.socket.terminate()
  for (let i = 0; i < 20; i++) {
    const { socket, send } = await openSocket(service(), '/jsonRPC')
    send(subscribe(i, { types: ['blocks'], after: cursor }))
    await new Promise((resolve) => setTimeout(resolve, i % 4))
    socket.terminate()
  }
  for (const name of ['tonrpc_stream_subscriptions', 'tonrpc_stream_connections'])
    await eventually(async () => (await gauge(name)) === 0 || undefined, `${name} stays`)
})

test('a key that is revoked ends its subscriptions', async () => {
  const { key, id } = await knownKey(service())
  const { frames, send, closed } = await openSocket(service(), `/jsonRPC?api_key=${key}`)
  send(subscribe(1, { types: ['blocks'] }))
  await frames.count(1)
  await service().revoke(id)
  await frames.end()
  expect(closed).toEqual({ code: 1008, reason: 'API key does not exist' })
})
