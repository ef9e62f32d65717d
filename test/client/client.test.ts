import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ClientOptions, createClient, type RetryOptions } from '../../client/index.ts'
import { gate } from '../setup/gate.ts'
import {
  failure,
  normally,
  perItem,
  raw,
  refuse,
  type Step,
  type StubApi,
  type StubService,
  startStub,
  success,
} from './stubService.ts'

const retry: RetryOptions = { baseMs: 1 }

const open = ({ url }: StubService, options: Omit<ClientOptions, 'url' | 'transport'> = {}) =>
  createClient<StubApi>({ url, retry, ...options })

const sizes = ({ messages }: StubService) => messages.map(({ items }) => items.length)
const hang: Step = () => 'hang'

/** `count` calls that differ, made at once. */
const many = (client: ReturnType<typeof open>, count: number) =>
  Promise.all(Array.from({ length: count }, (_, a) => client.math.add({ a, b: 1 })))
const sums = (count: number) => Array.from({ length: count }, (_, a) => ({ sum: a + 1 }))

describe('one call', () => {
  test('default', async () => {
    await using stub = await startStub()
    expect(await open(stub).echo({ value: 'héllo' })).toEqual({ value: 'héllo' })
    expect(stub.messages).toMatchObject([{ isBatch: false, items: [{ jsonrpc: '2.0', method: 'echo' }] }])
  })

  test('args: params may be left out when none is required', async () => {
    await using stub = await startStub()
    expect(await open(stub).echo()).toEqual({})
    expect(stub.messages[0]?.items[0]?.params).toEqual({})
  })

  test('error: what the service refused', async () => {
    await using stub = await startStub()
    const call = open(stub).refused({ kind: 'invalidParams', data: { param: 'limit', requestId: 'r-7' } })
    await expect(call).rejects.toMatchObject({
      name: 'RpcError',
      code: -32602,
      kind: 'invalidParams',
      method: 'refused',
      requestId: 'r-7',
      data: { param: 'limit' },
    })
  })

  test('error: params that are no object, or have no JSON form', async () => {
    await using stub = await startStub()
    const echo = open(stub).echo as unknown as (params: unknown) => Promise<unknown>
    for (const params of ['text', 1, null, [1]]) await expect(echo(params)).rejects.toThrow('params must be an object')
    for (const value of [1n, Number.NaN])
      await expect(echo({ value })).rejects.toThrow('echo: params have no JSON form')
    expect(stub.messages).toHaveLength(0)
  })

  test('error: an address that cannot be one', () => {
    expect(() => createClient({ url: 'localhost:8081' })).toThrow(TypeError)
    expect(() => createClient({ url: '' })).toThrow(TypeError)
    // What JavaScript lets through.
    const create = createClient as unknown as (options: unknown) => unknown
    expect(() => create({})).toThrow('url must be an address such as http://localhost:8081')
    expect(() => create('http://localhost:8081')).toThrow('createClient takes an object')
    for (const nothing of [undefined, null]) expect(() => create(nothing)).toThrow('createClient takes an object')
  })

  test('behavior: what a caller does to its params later does not reach the wire', async () => {
    await using stub = await startStub()
    const params = { value: { deep: 1 } }
    const answer = open(stub).echo(params)
    params.value.deep = 2
    expect(await answer).toEqual({ value: { deep: 1 } })
  })

  test('behavior: awaiting the client sends nothing', async () => {
    await using stub = await startStub()
    const client = open(stub)
    expect(await client).toBe(client)
    expect(JSON.stringify({ client })).toBe('{"client":{}}')
    expect(stub.messages).toHaveLength(0)
  })
})

describe('batches', () => {
  test('default: the calls of one tick are one request, answered in any order', async () => {
    await using stub = await startStub(({ items }) => ({ body: items.map(normally).reverse() }))
    expect(await many(open(stub), 50)).toEqual(sums(50))
    expect(sizes(stub)).toEqual([50])
  })

  test('args: batch.max, and batch: false', async () => {
    await using stub = await startStub()
    await many(open(stub), 250)
    expect(sizes(stub)).toEqual([100, 100, 50])
    await many(open(stub, { batch: { max: 20 } }), 30)
    expect(sizes(stub).slice(3)).toEqual([20, 10])
    await many(open(stub, { batch: false }), 3)
    expect(sizes(stub).slice(5)).toEqual([1, 1, 1])
    expect(stub.messages.slice(5).some(({ isBatch }) => isBatch)).toBe(false)
  })

  test('behavior: split below the body limit, by bytes and not by characters', async () => {
    await using stub = await startStub()
    const value = 'é'.repeat(100_000)
    const client = open(stub)
    await Promise.all(Array.from({ length: 12 }, (_, other) => client.echo({ value, other })))
    expect(sizes(stub)).toEqual([4, 4, 4])
    for (const { bytes } of stub.messages) expect(bytes).toBeLessThan(1024 * 1024)
  })

  test('behavior: a missing answer fails only its own call, the others keep theirs', async () => {
    await using stub = await startStub(perItem((item, index) => (index === 1 ? null : normally(item))))
    const client = open(stub)
    const settled = await Promise.allSettled([1, 2, 3].map((a) => client.math.add({ a, b: 0 })))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(settled[2]).toMatchObject({ value: { sum: 3 } })
    expect(settled[1]).toMatchObject({ reason: { reason: 'reply', message: 'math.add: no answer to this call' } })
  })

  test('behavior: strange answers among good ones are ignored', async () => {
    const strange = [null, 1, 'x', [], success(2 ** 80, 'huge'), success('1', 'text'), success(null, 'none'), {}]
    await using stub = await startStub(({ items }) => ({ body: [...strange, ...items.map(normally)] }))
    expect(await many(open(stub), 3)).toEqual(sums(3))
  })

  test('behavior: a batch too large is learned from', async () => {
    await using stub = await startStub()
    stub.limit = 10
    const client = open(stub)
    expect(await many(client, 25)).toEqual(sums(25))
    expect(sizes(stub)).toEqual([25, 10, 10, 5])
    expect(await many(client, 12)).toEqual(sums(12))
    expect(sizes(stub).slice(4)).toEqual([10, 2])
  })

  test('error: a whole refusal is that of each call', async () => {
    await using stub = await startStub(refuse('unauthorized'), refuse('forbidden'))
    const client = open(stub, { apiKey: 'wrong' })
    for (const kind of ['unauthorized', 'forbidden']) {
      const settled = await Promise.allSettled([client.math.add({ a: 1, b: 1 }), client.echo({ value: 1 })])
      expect(settled).toMatchObject([{ reason: { kind, method: 'math.add' } }, { reason: { kind, method: 'echo' } }])
    }
    expect(stub.messages[0]?.headers['x-api-key']).toBe('wrong')
  })
})

describe('identical calls', () => {
  test('default: one on the wire, whatever the order of keys', async () => {
    await using stub = await startStub()
    const client = open(stub)
    const [one, other, third] = await Promise.all([
      client.echo({ value: [1], other: 2 }),
      client.echo({ other: 2, value: [1] }),
      client.echo({ value: [1], other: 3 }),
    ])
    expect(sizes(stub)).toEqual([2])
    expect(other).toEqual(one)
    expect(other?.value).not.toBe(one?.value)
    expect(third).toEqual({ value: [1], other: 3 })
  })

  test('behavior: only while in flight', async () => {
    await using stub = await startStub()
    const client = open(stub)
    await client.echo({ value: 1 })
    await client.echo({ value: 1 })
    expect(sizes(stub)).toEqual([1, 1])
  })

  test('behavior: a read after a change is not answered by one of before it', async () => {
    await using stub = await startStub()
    const old = gate()
    stub.script.push(async () => {
      await old.opened
      return { body: success(1, { value: 'old' }) }
    })
    const client = open(stub)
    const before = client.echo({ value: 'new' })
    await expect.poll(() => stub.messages.length).toBe(1)
    await client.dev.mine()
    const after = client.echo({ value: 'new' })
    await expect.poll(() => stub.messages.length).toBe(3)
    old.open()
    expect(await Promise.all([before, after])).toEqual([{ value: 'old' }, { value: 'new' }])
  })

  test('behavior: calls that change something each time are not merged', async () => {
    await using stub = await startStub()
    const client = open(stub)
    await Promise.all([client.dev.mine({ blocks: 1 }), client.dev.mine({ blocks: 1 })])
    expect(sizes(stub)).toEqual([1, 1])
  })

  test('behavior: a call that waits for a block does not keep the others of its tick waiting', async () => {
    await using stub = await startStub()
    const client = open(stub)
    await Promise.all([client.echo({ value: 1 }), client.dev.mine({ blocks: 1 }), client.echo({ value: 2 })])
    expect(sizes(stub).toSorted()).toEqual([1, 2])
  })

  test('args: once', async () => {
    const SUM = { a: 1, b: 2 }
    await using stub = await startStub()
    const client = open(stub, { once: (method) => method === 'echo' })
    await Promise.all([client.echo(), client.echo(), client.math.add(SUM), client.math.add(SUM)])
    expect(sizes(stub)).toEqual([3])
  })
})

describe('tries', () => {
  test('default: 429, 503, a proxy page and a broken connection are passing', async () => {
    const failures: Step[] = [
      refuse('rateLimited', {}, { 'retry-after': '0' }),
      refuse('busy'),
      raw(502, '<h1>Bad Gateway</h1>'),
      raw(504, ''),
      raw(408, ''),
      () => 'reset',
      () => 'half',
    ]
    for (const step of failures) {
      await using stub = await startStub(step)
      expect(await many(open(stub), 2)).toEqual(sums(2))
      expect(sizes(stub)).toEqual([2, 2])
    }
  })

  test('behavior: the refused half of a batch goes again, together', async () => {
    await using stub = await startStub(
      perItem((item, index) => (index % 2 ? failure(item.id, 'rateLimited') : normally(item))),
    )
    expect(await many(open(stub), 10)).toEqual(sums(10))
    expect(sizes(stub)).toEqual([10, 5])
  })

  test('behavior: waits as long as it is configured to', async () => {
    await using stub = await startStub(refuse('busy', {}, { 'retry-after': '1' }))
    const began = performance.now()
    await open(stub).echo()
    // Only a lower bound: timers fire late, never early, but for a millisecond of rounding.
    expect(performance.now() - began).toBeGreaterThan(990)
    expect(sizes(stub)).toEqual([1, 1])
  })

  test('args: retry.tries, and retry: false', async () => {
    await using stub = await startStub(...Array<Step>(7).fill(refuse('busy')))
    await expect(open(stub).echo()).rejects.toMatchObject({ kind: 'busy', status: 503 })
    expect(stub.messages).toHaveLength(4)
    await expect(open(stub, { retry: { tries: 2, baseMs: 1 } }).echo()).rejects.toThrow()
    expect(stub.messages).toHaveLength(6)
    await expect(open(stub, { retry: false }).echo()).rejects.toThrow()
    expect(stub.messages).toHaveLength(7)
  })

  test('behavior: what will not pass is not tried again', async () => {
    const failures: Step[] = [
      refuse('unauthorized'),
      refuse('bodyTooLarge'),
      perItem(({ id }) => failure(id, 'notFound')),
      raw(500, 'oops'),
      raw(200, '<h1>Hi</h1>'),
      raw(200, '{"jsonrpc":'),
      raw(200, ''),
    ]
    await using stub = await startStub(...failures)
    for (const _ of failures) await expect(open(stub).echo()).rejects.toThrow('echo: ')
    expect(stub.messages).toHaveLength(failures.length)
  })

  test('behavior: a control call that may have run is not sent again', async () => {
    await using stub = await startStub(() => 'reset')
    await expect(open(stub).dev.mine()).rejects.toMatchObject({ reason: 'network', method: 'dev.mine' })
    expect(stub.messages).toHaveLength(1)
  })
})

describe('time and signals', () => {
  test('args: timeoutMs of the client and of the call', async () => {
    await using stub = await startStub(hang, hang, hang)
    const client = open(stub, { timeoutMs: 50 })
    await expect(client.echo()).rejects.toMatchObject({ name: 'TimeoutError', method: 'echo', timeoutMs: 50 })
    // What is left of a wait can be less than nothing.
    for (const timeoutMs of [20, -1])
      await expect(client.echo({}, { timeoutMs })).rejects.toThrow(`echo: no answer within ${timeoutMs} ms`)
  })

  test('args: timeoutMs of 0, and beyond what a timer can hold, is no limit', async () => {
    await using stub = await startStub()
    for (const timeoutMs of [0, Number.POSITIVE_INFINITY, 2 ** 40]) {
      expect(await open(stub, { timeoutMs: 1 }).echo({ value: 1 }, { timeoutMs })).toEqual({ value: 1 })
    }
  })

  test('behavior: a call that came too late for one caller is not joined by the next', async () => {
    await using stub = await startStub(hang)
    const client = open(stub)
    const stop = new AbortController()
    const patient = client.echo({}, { signal: stop.signal })
    await expect.poll(() => stub.messages.length).toBe(1)
    await expect(client.echo({}, { timeoutMs: 20 })).rejects.toThrow('no answer within 20 ms')
    expect(await client.echo()).toEqual({})
    stop.abort('enough')
    await expect(patient).rejects.toBe('enough')
  })

  test('behavior: an exchange is ended by the timeout', async () => {
    await using stub = await startStub(hang)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const ended = expect(open(stub, { timeoutMs: 200_000 }).echo()).rejects.toThrow('no answer within')
    // Each further look moves the clock, too.
    await expect.poll(() => stub.messages.length).toBe(1)
    vi.advanceTimersByTime(200_000)
    await ended
    await expect.poll(stub.abandoned).toBe(1)
  })

  test('behavior: the timeout names the last failure, and ends the tries', async () => {
    await using stub = await startStub(refuse('busy'), hang)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const call = open(stub, { timeoutMs: 200_000 }).echo()
    const ended = expect(call).rejects.toMatchObject({ name: 'TimeoutError', cause: { kind: 'busy' } })
    // The pause before the second try begins with the refusal.
    await expect.poll(() => vi.advanceTimersByTime(20) && stub.messages.length).toBe(2)
    vi.advanceTimersByTime(200_000)
    await ended
    await expect.poll(stub.abandoned).toBe(1)
  })

  test('error: a service that asks for more time than the call has ends it at once', async () => {
    await using stub = await startStub(refuse('busy', { retryAfter: 20 }))
    await expect(open(stub, { timeoutMs: 5_000 }).echo()).rejects.toMatchObject({ data: { retryAfter: 20 } })
    expect(stub.messages).toHaveLength(1)
  })

  test('args: a signal that has already aborted sends nothing', async () => {
    await using stub = await startStub()
    const reason = new Error('before')
    await expect(open(stub).echo({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await open(stub).echo({ value: 1 })
    expect(sizes(stub)).toEqual([1])
  })

  test('args: a signal that aborts before the tick ends takes its call out of the batch', async () => {
    await using stub = await startStub()
    const client = open(stub)
    const stop = new AbortController()
    const gone = client.echo({ value: 'gone' }, { signal: stop.signal })
    const kept = client.echo({ value: 'kept' })
    stop.abort('changed my mind')
    await expect(gone).rejects.toBe('changed my mind')
    expect(await kept).toEqual({ value: 'kept' })
    expect(stub.messages).toMatchObject([{ isBatch: false, items: [{ params: { value: 'kept' } }] }])
  })

  test('behavior: one caller of a shared call leaves alone; the exchange ends when the last one has left', async () => {
    await using stub = await startStub(hang)
    const client = open(stub)
    const one = new AbortController()
    const other = new AbortController()
    const calls = [one, other].map(({ signal }) => client.echo({ value: 1 }, { signal }))
    await expect.poll(() => stub.messages.length).toBe(1)
    one.abort('one')
    await expect(calls[0]).rejects.toBe('one')
    expect(stub.abandoned()).toBe(0)
    other.abort('other')
    await expect(calls[1]).rejects.toBe('other')
    await expect.poll(stub.abandoned).toBe(1)
  })

  test('behavior: one call of a batch leaves alone', async () => {
    const held = gate()
    await using stub = await startStub(async (message) => {
      await held.opened
      return perItem()(message)
    })
    const client = open(stub)
    const stop = new AbortController()
    const gone = client.echo({ value: 1 }, { signal: stop.signal })
    const kept = client.echo({ value: 2 })
    await expect.poll(() => stub.messages.length).toBe(1)
    stop.abort('gone')
    await expect(gone).rejects.toBe('gone')
    held.open()
    expect(await kept).toEqual({ value: 2 })
    expect(stub.abandoned()).toBe(0)
  })
})
