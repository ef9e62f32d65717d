import { describe, expect, test } from 'vitest'
import { createClient, fallback, postTransport, RpcError, type Transport, TransportError } from '../../client/index.ts'
import { type StubApi, startStub } from './stubService.ts'

const CLOSED = 'http://127.0.0.1:9'
const none = { retry: false } as const

describe('fallback', () => {
  test('default: the second answers when the first cannot be reached, and is called first from then on', async () => {
    await using stub = await startStub()
    let tried = 0
    const dead: Transport = (requests, signal) => {
      tried++
      return postTransport({ url: CLOSED })(requests, signal)
    }
    const transport = fallback([dead, postTransport({ url: stub.url })])
    const client = createClient<StubApi>({ transport, ...none })
    expect(await client.math.add({ a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await client.math.add({ a: 2, b: 2 })).toEqual({ sum: 4 })
    expect(tried).toBe(1)
  })

  test('behavior: the first is called first again after its rest', async () => {
    await using first = await startStub()
    await using second = await startStub()
    let time = 0
    first.script.push(() => ({ status: 503, body: 'no' }))
    const transports = [first, second].map(({ url }) => postTransport({ url }))
    const client = createClient<StubApi>({ transport: fallback(transports, { restMs: 100, now: () => time }), ...none })
    await client.echo({ value: 1 })
    await client.echo({ value: 2 })
    time = 101
    await client.echo({ value: 3 })
    expect([first.messages.length, second.messages.length]).toEqual([2, 2])
  })

  test('behavior: a refusal is an answer: no other is called', async () => {
    await using first = await startStub()
    await using second = await startStub()
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const refused = createClient<StubApi>({ transport, ...none }).refused({ kind: 'invalidParams' })
    await expect(refused).rejects.toBeInstanceOf(RpcError)
    expect(second.messages).toEqual([])
  })

  test('behavior: what changes something each time is not sent twice', async () => {
    await using first = await startStub()
    await using second = await startStub()
    first.script.push(() => 'half')
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const client = createClient<StubApi>({ transport, ...none })
    await expect(client.dev.mine({ blocks: 1 })).rejects.toBeInstanceOf(TransportError)
    expect(second.messages).toEqual([])
  })

  test('error: all of them fail: the last failure', async () => {
    const transport = fallback([postTransport({ url: CLOSED }), postTransport({ url: CLOSED })])
    await expect(createClient<StubApi>({ transport, ...none }).echo({})).rejects.toMatchObject({ reason: 'network' })
  })

  test('error: none', () => expect(() => fallback([])).toThrow('at least one transport'))
})
