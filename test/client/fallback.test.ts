import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient, fallback, postTransport, RpcError, type Transport, TransportError } from '../../client/index.ts'
import { isChange, isControl } from '../../client/methodKinds.ts'
import type { ErrorKind } from '../../shared/errors.ts'
import { registry } from '../../shared/registry.ts'
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

const CLOSED = 'http://127.0.0.1:9'
const none = { retry: false } as const
const refuseMessage = perItem(({ id }) => failure(id, 'messageRefused'))

/** Refuses additions. */
const withoutSums = (kind: ErrorKind): Step =>
  perItem((item) => (item.method === 'math.add' ? failure(item.id, kind) : normally(item)))
const methodsOf = ({ messages }: StubService) => messages.map(({ items }) => items.map(({ method }) => method))
const over = (...stubs: readonly StubService[]) => fallback(stubs.map(({ url }) => postTransport({ url })))

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

  test.each([404, 408, 503])(
    'behavior: the first, which answered %i, is called first again after its rest',
    async (status) => {
      await using first = await startStub()
      await using second = await startStub()
      let time = 0
      first.script.push(() => ({ status, body: 'no' }))
      const transports = [first, second].map(({ url }) => postTransport({ url }))
      const client = createClient<StubApi>({
        transport: fallback(transports, { restMs: 100, now: () => time }),
        ...none,
      })
      await client.echo({ value: 1 })
      await client.echo({ value: 2 })
      time = 101
      await client.echo({ value: 3 })
      expect([first.messages.length, second.messages.length]).toEqual([2, 2])
    },
  )

  test('behavior: a clock that is set back does not lengthen its rest', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1e12 })
    onTestFinished(() => void vi.useRealTimers())
    await using first = await startStub(raw(503, 'no'))
    await using second = await startStub()
    const transports = [first, second].map(({ url }) => postTransport({ url }))
    const client = createClient<StubApi>({ transport: fallback(transports, { restMs: 1 }), ...none })
    await client.echo({ value: 1 })
    vi.setSystemTime(0)
    const calledAgain = async () => {
      await client.echo({ value: 2 })
      return first.messages.length
    }
    await expect.poll(calledAgain).toBe(2)
  })

  test('behavior: a refusal is an answer: no other is called', async () => {
    await using first = await startStub()
    await using second = await startStub()
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const refused = createClient<StubApi>({ transport, ...none }).refused({ kind: 'invalidParams' })
    await expect(refused).rejects.toBeInstanceOf(RpcError)
    expect(second.messages).toEqual([])
  })

  test('behavior: a service that turns a message away in its own words is over its limits, too', async () => {
    await using first = await startStub(refuse('rateLimited', { retryAfter: 9 }), refuse('busy'))
    await using second = await startStub(perItem(), perItem(), refuse('busy'))
    const clientOf = () =>
      createClient<StubApi>({ transport: fallback([first, second].map(({ url }) => postTransport({ url }))), ...none })
    expect(await clientOf().dev.mine({ blocks: 2 })).toEqual({ mined: 2 })
    expect(await clientOf().echo({ value: 1 })).toEqual({ value: 1 })
    first.script.push(refuse('rateLimited'))
    await expect(clientOf().echo({ value: 2 })).rejects.toMatchObject({ kind: 'busy', status: 503 })
    expect([first.messages.length, second.messages.length]).toEqual([3, 3])
  })

  test.each(['indexBehind', 'notIndexed', 'timeout', 'unavailable', 'busy'] as const)(
    'behavior: what one service refuses with %s another answers, and only that',
    async (kind) => {
      await using first = await startStub(withoutSums(kind))
      await using second = await startStub()
      const client = createClient<StubApi>({ transport: over(first, second), ...none })
      const calls = [client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 }), client.echo({ value: 3 })]
      expect(await Promise.all(calls)).toEqual([{ value: 1 }, { sum: 3 }, { value: 3 }])
      expect(methodsOf(second)).toEqual([['math.add']])
      await client.echo({ value: 4 })
      expect([first.messages.length, second.messages.length]).toEqual([1, 2])
    },
  )

  test('behavior: a method that an older service does not have is called at the next; others stay with the first', async () => {
    await using first = await startStub(withoutSums('methodNotFound'), withoutSums('methodNotFound'))
    await using second = await startStub()
    const client = createClient<StubApi>({ transport: over(first, second), ...none })
    expect(await client.math.add({ a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
    expect([methodsOf(first), methodsOf(second)]).toEqual([[['math.add'], ['echo']], [['math.add']]])
  })

  test.each(['notFound', 'upstream'] as const)(
    'behavior: what one service has not, by %s, the next is asked for; the first stays the first',
    async (kind) => {
      await using first = await startStub(withoutSums(kind))
      await using second = await startStub()
      const client = createClient<StubApi>({ transport: over(first, second), ...none })
      expect(await Promise.all([client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 })])).toEqual([
        { value: 1 },
        { sum: 3 },
      ])
      expect(await client.echo({ value: 2 })).toEqual({ value: 2 })
      expect([methodsOf(first), methodsOf(second)]).toEqual([[['echo', 'math.add'], ['echo']], [['math.add']]])
    },
  )

  test.each<['notFound' | 'busy', string, Step]>([
    ['notFound', 'has it neither', withoutSums('notFound')],
    ['notFound', 'is over its limits', refuse('rateLimited')],
    ['notFound', 'breaks', () => 'reset'],
    ['notFound', 'takes no such key', raw(403, 'no')],
    ['busy', 'breaks', () => 'reset'],
  ])('error: the first answers one call %s and the next one %s: all its answers count', async (kind, _, step) => {
    await using first = await startStub(withoutSums(kind))
    await using second = await startStub(step)
    const client = createClient<StubApi>({ transport: over(first, second), ...none })
    const calls = [client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 })]
    expect(await Promise.allSettled(calls)).toMatchObject([
      { status: 'fulfilled', value: { value: 1 } },
      { status: 'rejected', reason: { kind } },
    ])
  })

  test('behavior: no service is called for a caller who has left', async () => {
    await using first = await startStub()
    const requests = [{ jsonrpc: '2.0', id: 1, method: 'echo', params: {} }] as const
    await expect(over(first)(requests, AbortSignal.abort())).rejects.toBeInstanceOf(TransportError)
    expect(first.messages).toEqual([])
  })

  test('error: none can answer: the last refusal, but not that an older service has no such method', async () => {
    await using first = await startStub(refuse('indexBehind', { seqno: 5 }))
    await using second = await startStub(withoutSums('methodNotFound'))
    const client = createClient<StubApi>({ transport: over(first, second), ...none })
    await expect(client.math.add({ a: 1, b: 2 })).rejects.toMatchObject({ kind: 'indexBehind', data: { seqno: 5 } })
  })

  test.each(['methodNotFound', 'busy'] as const)(
    'behavior: the first fails and the second refuses one call with %s: its answers to the others count',
    async (kind) => {
      await using first = await startStub(raw(504, 'no'))
      await using second = await startStub(withoutSums(kind))
      const client = createClient<StubApi>({ transport: over(first, second), ...none })
      const calls = [client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 }), client.echo({ value: 3 })]
      expect(await Promise.allSettled(calls)).toMatchObject([
        { status: 'fulfilled', value: { value: 1 } },
        { status: 'rejected', reason: { kind } },
        { status: 'fulfilled', value: { value: 3 } },
      ])
    },
  )

  test('error: a message the second refuses may have been begun by a first that had no time', async () => {
    const late = perItem(({ id }) => failure(id, 'timeout'))
    await using first = await startStub(late, late)
    await using second = await startStub(refuseMessage, refuseMessage)
    const once = createClient<StubApi>({ transport: over(first, second), ...none })
    await expect(once.echo({ value: 1 })).rejects.toMatchObject({ kind: 'timeout' })
    const again = createClient<StubApi>({ transport: over(first, second), retry: { baseMs: 1, tries: 2 } })
    second.script.push(refuseMessage)
    await expect(again.echo({ value: 2 })).rejects.toMatchObject({ reason: 'unknown' })
    first.script.push(late)
    second.script.push(refuse('busy'))
    const other = createClient<StubApi>({ transport: over(first, second), ...none })
    await expect(other.echo({ value: 3 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('behavior: of a batch, what changes something each time is not sent to a second service', async () => {
    await using first = await startStub(withoutSums('busy'), withoutSums('busy'))
    await using second = await startStub(() => 'reset')
    const isOnce = (method: string) => method === 'math.add' || method === 'echo'
    const transport = fallback(
      [first, second].map(({ url }) => postTransport({ url })),
      { once: isOnce },
    )
    const client = createClient<StubApi>({ transport, once: isOnce, ...none })
    const [echoed, sum] = await Promise.allSettled([client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 })])
    expect(echoed).toMatchObject({ status: 'fulfilled' })
    expect(sum).toMatchObject({ reason: { kind: 'busy' } })
    expect(second.messages).toEqual([])
  })

  test('behavior: one that is silent is given up for the next, and tried last from then on', async () => {
    await using first = await startStub(
      () => 'hang',
      () => 'hang',
    )
    await using second = await startStub()
    const transports = [first, second].map(({ url }) => postTransport({ url }))
    const client = createClient<StubApi>({ transport: fallback(transports, { tryMs: 200_000 }), timeoutMs: 0, ...none })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const answer = client.echo({ value: 1 })
    // Each further look moves the clock, too.
    await expect.poll(() => first.messages.length).toBe(1)
    vi.advanceTimersByTime(200_000)
    expect(await answer).toEqual({ value: 1 })
    expect(await client.echo({ value: 2 })).toEqual({ value: 2 })
    expect([first.messages.length, second.messages.length]).toEqual([1, 2])
    await expect.poll(() => first.abandoned()).toBe(1)
  })

  test('behavior: the last one, and calls that take their time, are waited for', async () => {
    const later: Step = async (message) => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return perItem()(message)
    }
    await using first = await startStub(later)
    await using second = await startStub(later)
    const send = postTransport({ url: first.url })
    let called = 0
    // The second call fails by itself: a busy machine may need longer to send it than an answer is waited for.
    const failing: Transport = async (requests, signal) => {
      called++
      if (called > 1) throw new TransportError({ reason: 'network', text: 'reset' })
      return await send(requests, signal)
    }
    const transport = fallback([failing, postTransport({ url: second.url })], { tryMs: 5 })
    const client = createClient<StubApi>({ transport, ...none })
    expect(await client.dev.mine({ blocks: 2 })).toEqual({ mined: 2 })
    expect(await client.echo({ value: 1 })).toEqual({ value: 1 })
    expect([called, first.messages.length, second.messages.length]).toEqual([2, 1, 1])
  })

  test('behavior: one whose callers give up after a while is tried last, also when they wait less than it may take', async () => {
    await using first = await startStub(() => 'hang')
    await using second = await startStub()
    let time = 0
    const transports = [first, second].map(({ url }) => postTransport({ url }))
    const client = createClient<StubApi>({ transport: fallback(transports, { now: () => time }), ...none })
    const stop = new AbortController()
    const left = client.echo({ value: 1 }, { signal: stop.signal })
    await expect.poll(() => first.messages.length).toBe(1)
    time = 2_000
    stop.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect(await client.echo({ value: 2 })).toEqual({ value: 2 })
    expect(second.messages).toHaveLength(1)
  })

  test.each([
    ['for a moment', 1_999, 'echo'],
    ['for a call that takes its time', 60_000, 'dev.mine'],
  ] as const)('behavior: one whose callers wait %s is called first again', async (_, waited, method) => {
    let time = 5_000
    const called: string[] = []
    const named =
      (name: string): Transport =>
      async ([request], signal) => {
        called.push(name)
        if (called.length === 1) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject))
        return [success(request?.id, name)]
      }
    const send = fallback([named('first'), named('second')], { now: () => time })
    const stop = new AbortController()
    const left = send([{ jsonrpc: '2.0', id: 1, method, params: {} }], stop.signal)
    time += waited
    stop.abort()
    await expect(left).rejects.toBeDefined()
    await send([{ jsonrpc: '2.0', id: 2, method: 'echo', params: {} }], new AbortController().signal)
    expect(called).toEqual(['first', 'first'])
  })

  test.each([
    ['an older service lacks it', 'echo', 'methodNotFound', 403],
    ['the first was too busy for a message', 'sendBoc', 'busy', 504],
  ] as const)('error: %s, and the second fails: why it does', async (_, method, kind, status) => {
    await using first = await startStub(perItem(({ id }) => failure(id, kind)))
    await using second = await startStub(raw(status, 'no'))
    const sent = over(first, second)([{ jsonrpc: '2.0', id: 1, method, params: {} }], new AbortController().signal)
    await expect(sent).rejects.toMatchObject({ name: 'TransportError', status })
  })

  test('error: a message the second refuses may have been taken by the first', async () => {
    await using first = await startStub()
    await using second = await startStub()
    first.script.push(
      () => 'half',
      () => 'half',
    )
    second.script.push(refuseMessage, refuseMessage, refuseMessage)
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const once = createClient<StubApi>({ transport, ...none })
    await expect(once.echo({ value: 1 })).rejects.toMatchObject({ name: 'TransportError', reason: 'network' })
    const again = createClient<StubApi>({
      transport: fallback([first, second].map(({ url }) => postTransport({ url }))),
      retry: { baseMs: 1 },
    })
    await expect(again.echo({ value: 2 })).rejects.toMatchObject({
      reason: 'unknown',
      cause: { kind: 'messageRefused' },
    })
    expect(first.messages.length).toBe(2)
  })

  test('error: a message the first may have taken is not known to be refused when the second is over its limits', async () => {
    await using first = await startStub(() => 'half', refuseMessage)
    await using second = await startStub(refuse('rateLimited'))
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const client = createClient<StubApi>({ transport, retry: { baseMs: 1 } })
    await expect(client.echo({ value: 1 })).rejects.toMatchObject({ reason: 'unknown' })
  })

  test('error: a message the second refuses was not taken by a first that is over its limit', async () => {
    await using first = await startStub(raw(429, 'slow down'))
    await using second = await startStub(refuseMessage)
    const transport = fallback([first, second].map(({ url }) => postTransport({ url })))
    const client = createClient<StubApi>({ transport, ...none })
    await expect(client.echo({ value: 1 })).rejects.toMatchObject({ kind: 'messageRefused' })
  })

  test('error: a message the second refuses was not taken by a first that had closed before it was sent', async () => {
    await using second = await startStub(refuseMessage)
    const closed: Transport = () =>
      Promise.reject(new TransportError({ reason: 'closed', text: 'the socket is closed' }))
    const client = createClient<StubApi>({ transport: fallback([closed, postTransport({ url: second.url })]), ...none })
    await expect(client.echo({ value: 1 })).rejects.toMatchObject({ kind: 'messageRefused' })
  })

  test('behavior: after all have failed, the one that answers again is called first', async () => {
    const called: string[] = []
    const isUp = new Set<string>()
    const named =
      (name: string): Transport =>
      async ([request]) => {
        called.push(name)
        if (!isUp.has(name)) throw new TransportError({ reason: 'network', text: 'reset' })
        return [success(request?.id, name)]
      }
    const client = createClient<StubApi>({ transport: fallback([named('first'), named('second')]), ...none })
    await expect(client.echo({ value: 1 })).rejects.toMatchObject({ reason: 'network' })
    isUp.add('second')
    for (const value of [2, 3]) expect(await client.echo({ value })).toBe('second')
    expect(called).toEqual(['first', 'second', 'first', 'second', 'second'])
  })

  test('behavior: of several replies to one call the first counts', async () => {
    const twice: Transport = async ([request]) => [success(request?.id, 'one'), success(request?.id, 'two')]
    const client = createClient<StubApi>({ transport: fallback([twice]), ...none })
    expect(await client.echo({ value: 1 })).toBe('one')
  })

  test('error: all of them fail: the last failure', async () => {
    const transport = fallback([postTransport({ url: CLOSED }), postTransport({ url: CLOSED })])
    await expect(createClient<StubApi>({ transport, ...none }).echo({})).rejects.toMatchObject({ reason: 'network' })
  })

  test('error: none', () => expect(() => fallback([])).toThrow('at least one transport'))
})

test('methods that are not sent twice are those that the registry calls control', () => {
  const control = Object.entries(registry).filter(([, { control }]) => control)
  expect(Object.keys(registry).filter(isControl).sort()).toEqual(control.map(([name]) => name).sort())
})

test('methods after which what was read may be old are those, and those that send a message', () => {
  const sending = ['sendBoc', 'sendBocReturnHash', 'sendBocReturnHashNoError', 'v3.message', 'v3.sendAndWait']
  const changes = [...Object.keys(registry).filter(isControl), ...sending]
  expect(Object.keys(registry).filter(isChange).sort()).toEqual(changes.sort())
})
