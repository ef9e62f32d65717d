// Frames of streams that cost their sender nothing: calls over the limit, and long lists of nothing.

import { expect, onTestFinished, test } from 'vitest'
import { type Body, call, connectTo, STRICT } from '../../setup/calls.ts'
import { serve, type TestOptions, type TestService } from '../../setup/service.ts'
import { openSocket } from '../../setup/streams.ts'

const LIMITED: TestOptions = {
  withIndex: true,
  config: { limits: 'on', mining: 'manual' },
  now: () => 1_800_000_000_000,
}
const from = (localAddress: string) => ({ localAddress })

async function served(options: TestOptions): Promise<TestService> {
  const service = await serve(options)
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}

test('a JSON-RPC socket whose streams are refused for the rate again and again is closed', async () => {
  const service = await served({ ...LIMITED, limits: { refusals: 5 } })
  await using socket = await connectTo(service, STRICT, from('127.0.0.2'))
  for (let id = 0; id < 20; id++) socket.send(call('stream.subscribe', { types: ['blocks'] }, id))
  const { code, reason } = await socket.closed
  expect([code, reason]).toEqual([1008, expect.stringMatching(/^too many refused frames: 5 /)])
})

const long = Array.from({ length: 100 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)

test('to end a subscription costs nothing, unless that takes a long frame', async () => {
  const service = await served(LIMITED)
  await using socket = await connectTo(service, STRICT, from('127.0.0.3'))
  socket.send(call('stream.subscribe', { types: ['blocks'] }, 0))
  expect(await socket.next()).toMatchObject({ result: { subscription: '0x1' } })
  const unsubscribe = async (params: object): Promise<Body> => {
    socket.send(call('stream.unsubscribe', params))
    return await socket.next()
  }
  expect(await unsubscribe({ subscription: '0x7' })).toMatchObject({ result: false })
  expect(await unsubscribe({ subscription: '0x1', more: long })).toMatchObject({ error: { code: -32005 } })
  expect(await unsubscribe({ subscription: '0x1' })).toMatchObject({ result: true })

  const stream = await openSocket(service, undefined, from('127.0.0.4'))
  expect(await stream.say('unsubscribe', { addresses: long.slice(0, 50) })).toMatchObject({ status: 'unsubscribed' })
  expect(await stream.say('unsubscribe', { addresses: long })).toMatchObject({ error: 'Ratelimit exceeded' })
  expect(await stream.say('ping', { more: long })).toMatchObject({ error: 'Ratelimit exceeded' })
  expect(await stream.say('ping')).toMatchObject({ status: 'pong' })
})

test('a caller of one call per second opens a WebSocket and subscribes: only a further subscription costs a call', async () => {
  const service = await served(LIMITED)
  const stream = await openSocket(service, undefined, from('127.0.0.5'))
  expect(await stream.say('subscribe', { types: ['blocks'] })).toMatchObject({ status: 'subscribed' })
  expect(await stream.say('subscribe', { types: ['blocks'] })).toMatchObject({ error: 'Ratelimit exceeded' })
})
