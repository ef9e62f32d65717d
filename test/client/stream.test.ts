// What a stream does with what cannot be sent, and with replies it does not read.

import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stream } from '../../client/ws.ts'

const url = 'http://127.0.0.1:1'
const SILENCE_MS = 45_000

/** What the first look at a stream leads to. */
const first = (options: Partial<Parameters<typeof stream>[0]>): Promise<unknown> =>
  stream({ url, types: ['blocks'], ...options }).next()

test.each([
  ['a key that no header can have', { apiKey: 'ключ' }],
  ['a header that is none', { headers: { 'not a name': 'x' } }],
  // The cast: JavaScript passes anything.
  ['an address without a scheme', { url: 'localhost:8081' }],
  ['an address of a WebSocket', { url: 'ws://127.0.0.1:1' }],
  ['a subscription without a JSON form', { addresses: [1n] as unknown as string[] }],
])('error: %s is said at once, and not tried again', async (_, options) => {
  const sent = vi.fn(() => Promise.reject(new TypeError('fetch failed')))
  await expect(first({ fetch: sent, ...options })).rejects.toBeInstanceOf(TypeError)
  expect(sent).not.toHaveBeenCalled()
})

test('error: React Native, whose fetch has no answer before its end, is told to pass another one', async () => {
  vi.stubGlobal('navigator', { product: 'ReactNative' })
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(first({})).rejects.toThrow('expo/fetch')
  const sent = () => Promise.resolve(text('event: event\ndata: {"type":"blocks"}\n\n', 200, 'text/event-stream'))
  expect(await first({ fetch: sent })).toMatchObject({ value: { type: 'blocks' } })
})

const text = (body: string, status: number, type: string, headers = {}): Response =>
  new Response(body, { status, headers: { 'content-type': type, ...headers } })

test.each([
  [
    'the reason of the service',
    text('{"error":"invalid event type: x"}', 400, 'application/json'),
    'invalid event type: x',
  ],
  [
    'not the page of another server',
    text(`<p>${'long '.repeat(999)}`, 404, 'text/html'),
    'no service there, check url',
  ],
  [
    'not an object of another server',
    text('{"error":{"code":-32000}}', 401, 'application/json'),
    'HTTP 401 from http://127.0.0.1:1/',
  ],
  ['a page that is no stream', text('<p>start</p>', 200, 'text/html'), 'no stream from http://127.0.0.1:1/'],
])('error: a subscription that can come to nothing ends with %s', async (_, reply, said) => {
  const sent = vi.fn(() => Promise.resolve(reply))
  const error: unknown = await first({ fetch: sent }).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ name: 'TransportError', status: reply.ok ? undefined : reply.status })
  expect(String(error)).toContain(said)
  expect(String(error).length).toBeLessThan(200)
  expect(sent).toHaveBeenCalledTimes(1)
  // A proxy has nothing to do with what the service itself refused.
  if (said.startsWith('invalid')) expect(error).toHaveProperty('advice', expect.stringContaining('the subscription'))
})

test('behavior: a comment with a separator of lines that JSON allows is read as the rest', async () => {
  const comment = 'a\u2028b\u2029c'
  const replies = [text(`event: event\ndata: {"type":"actions","comment":"${comment}"}\n\n`, 200, 'text/event-stream')]
  const sent = () => Promise.resolve(replies.shift() ?? text('{"error":"again"}', 400, 'application/json'))
  expect(await first({ fetch: sent })).toMatchObject({ value: { type: 'actions', comment } })
})

const event = (data: object): string => `event: event\ndata: ${JSON.stringify(data)}\n\n`

// After a break the service does not repeat that a trace was dropped.
test('behavior: a trace that was not finalized when the connection broke is said once to be invalidated, and no other', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const trace = (hash: string, finality: string) =>
    event({ type: 'transactions', finality, trace_external_hash_norm: hash, transactions: [] })
  const broken = [
    trace('open', 'pending'),
    trace('done', 'pending'),
    trace('done', 'finalized'),
    trace('dropped', 'confirmed'),
    event({ type: 'trace_invalidated', trace_external_hash_norm: 'dropped' }),
    trace('late', 'confirmed'),
  ]
  const bodies = [broken.join(''), '', event({ type: 'blocks' })]
  const replies = bodies.map((body) => text(body, 200, 'text/event-stream'))
  const sent = () => Promise.resolve(replies.shift() ?? text('{"error":"again"}', 400, 'application/json'))
  const seen: unknown[] = []
  for await (const one of stream({ url, types: ['blocks', 'transactions'], fetch: sent })) {
    seen.push(one.type === 'trace_invalidated' ? `${one.type} ${one.trace_external_hash_norm}` : one.type)
    if (one.type === 'blocks') break
  }
  const invalidated = 'trace_invalidated'
  const before = Array(4).fill('transactions')
  const own = [...before, `${invalidated} dropped`, 'transactions']
  expect(seen).toEqual([...own, `${invalidated} open`, `${invalidated} late`, 'blocks'])
})

test('behavior: of a break during ten thousand unfinished traces and one, the newest are said to be invalidated', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const of = (n: number) => event({ type: 'trace', finality: 'pending', trace_external_hash_norm: `t${n}` })
  const bodies = [Array.from({ length: 10_001 }, (_, n) => of(n)).join(''), event({ type: 'blocks' })]
  const sent = async () => text(bodies.shift() ?? '', 200, 'text/event-stream')
  const invalidated: unknown[] = []
  for await (const one of stream({ url, types: ['blocks', 'trace'], fetch: sent })) {
    if (one.type === 'trace_invalidated') invalidated.push(one.trace_external_hash_norm)
    if (one.type === 'blocks') break
  }
  expect([invalidated.length, invalidated[0], invalidated.at(-1)]).toEqual([10_000, 't1', 't10000'])
})

test('behavior: nothing is given to who has ended the stream, also of what came with the last', async () => {
  const end = new AbortController()
  const sent = () => Promise.resolve(text(event({ type: 'blocks' }).repeat(3), 200, 'text/event-stream'))
  let seen = 0
  for await (const _ of stream({ url, types: ['blocks'], fetch: sent, signal: end.signal })) {
    seen++
    end.abort()
  }
  expect(seen).toBe(1)
})

/** Time passes at once, but for the limit of silence. Returns what was waited. */
function hurried(random: number): readonly unknown[] {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const waits: unknown[] = []
  const { setTimeout: wait } = globalThis
  const sooner = (run: () => void, ms?: number) => {
    if (ms !== SILENCE_MS) waits.push(ms)
    return wait(run, ms === SILENCE_MS ? ms : 0)
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(Object.assign(sooner, { __promisify__: wait.__promisify__ }))
  onTestFinished(() => void vi.restoreAllMocks())
  return waits
}

test('behavior: one that breaks again and again goes on behind the last cursor, each time after a first pause', async () => {
  const waits = hurried(1)
  const cursors: unknown[] = []
  const { mock: heard } = vi.spyOn(EventTarget.prototype, 'addEventListener')
  const listeners: number[] = []
  const sent: typeof fetch = async (_, init) => {
    cursors.push(JSON.parse(String(init?.body)).after)
    const signals = heard.contexts.filter((one) => one instanceof AbortSignal)
    listeners.push(Math.max(...signals.map((one) => getEventListeners(one, 'abort').length)))
    // What is not final has no cursor.
    const all = [event({ type: 'blocks', cursor: `c${cursors.length}` }), event({ type: 'trace', finality: 'pending' })]
    return text(all.join(''), 200, 'text/event-stream')
  }
  for await (const _ of stream({ url, types: ['blocks', 'trace'], fetch: sent, silenceMs: SILENCE_MS }))
    if (cursors.length > 3) break
  expect(cursors).toEqual([undefined, 'c1', 'c2', 'c3'])
  expect(waits.filter((ms) => Number(ms) >= 500)).toEqual([500, 500, 500])
  // Those of earlier connections are gone.
  expect(listeners).toEqual([1, 1, 1, 1])
})

test('behavior: a wait that the service names is kept, and a request that came too late is sent again', async () => {
  const waits = hurried(0)
  const replies = [
    text('', 429, 'text/plain', { 'retry-after': '60' }),
    null,
    text('', 408, 'text/plain'),
    text('', 500, 'text/plain'),
    text('event: event\ndata: {"type":"blocks"}\n\n', 200, 'text/event-stream'),
  ]
  const sent = async () => replies.shift() ?? Promise.reject(new TypeError('fetch failed'))
  expect(await first({ fetch: sent, silenceMs: SILENCE_MS })).toMatchObject({ value: { type: 'blocks' } })
  // Other timers may begin meanwhile, as that of a connection that was kept open.
  expect(waits.filter((ms) => ms === 60_000 || ms === 0)).toEqual([60_000, 0, 0, 0])
})

test('behavior: the connection of a reply that is not read is ended before the next try', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => void vi.restoreAllMocks())
  const end = new AbortController()
  const signals: AbortSignal[] = []
  const busy: typeof fetch = async (_, init) => {
    if (signals.length > 0) end.abort()
    if (init?.signal) signals.push(init.signal)
    return new Response(new ReadableStream(), { status: 503 })
  }
  await first({ fetch: busy, signal: end.signal })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('behavior: who leaves while nothing comes is not kept waiting, and the connection ends', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const quiet: typeof fetch = async (_, init) => {
    signals.push(init?.signal)
    return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
  }
  const notifications = stream({ url, types: ['blocks'], fetch: quiet })
  const next = notifications.next()
  await expect.poll(() => signals.length).toBe(1)
  expect(await notifications.return()).toEqual({ done: true, value: undefined })
  expect(await next).toEqual({ done: true, value: undefined })
  expect(signals.map((signal) => signal?.aborted)).toEqual([true])
})

test('behavior: who leaves in the pause before the next try makes no request any more', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const broken: typeof fetch = async (_, init) => {
    signals.push(init?.signal)
    return text('', 503, 'text/plain', { 'retry-after': '60' })
  }
  const notifications = stream({ url, types: ['blocks'], fetch: broken })
  const next = notifications.next()
  await expect.poll(() => signals[0]?.aborted).toBe(true)
  await notifications.return()
  expect(await next).toEqual({ done: true, value: undefined })
  expect(signals).toHaveLength(1)
})

test('behavior: a wait of weeks is not over at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const end = new AbortController()
  const sent = vi.fn(() => Promise.resolve(text('', 503, 'text/html', { 'retry-after': '2592000' })))
  const over = first({ fetch: sent, signal: end.signal })
  await vi.advanceTimersByTimeAsync(100)
  expect(sent).toHaveBeenCalledTimes(1)
  end.abort()
  await over
})

test.each([0, Number.POSITIVE_INFINITY])('args: silenceMs: %s is no limit', async (silenceMs) => {
  const signals: (AbortSignal | null | undefined)[] = []
  const slow: typeof fetch = async (_, init) => {
    signals.push(init?.signal)
    await new Promise((resolve) => setTimeout(resolve, 20))
    return text('event: event\ndata: {"type":"blocks"}\n\n', 200, 'text/event-stream')
  }
  const notifications = stream({ url, types: ['blocks'], fetch: slow, silenceMs })
  expect(await notifications.next()).toMatchObject({ value: { type: 'blocks' } })
  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
  await notifications.return()
})

test('behavior: what is tried again is told: over its limits, unreachable, ended', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  const event = 'event: event\ndata: {"type":"blocks"}\n\n'
  const replies = [
    text('', 429, 'text/plain', { 'retry-after': '7' }),
    cause,
    text('', 200, 'text/event-stream'),
    text(event, 200, 'text/event-stream'),
  ]
  const bodies: unknown[] = []
  const sent: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)))
    const reply = replies.shift()
    if (reply instanceof Response) return reply
    throw reply
  }
  const told = vi.fn()
  const one = first({ fetch: sent, onSetback: told })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await one).toMatchObject({ value: { type: 'blocks' } })
  expect(told.mock.calls).toMatchObject([
    [{ name: 'TransportError', reason: 'status', status: 429, retryAfter: 7 }],
    [{ name: 'TransportError', reason: 'network', cause, message: expect.stringContaining('ECONNREFUSED') }],
    [{ name: 'TransportError', reason: 'network', message: expect.stringContaining('ended') }],
  ])
  expect(bodies[0]).not.toHaveProperty('onSetback')
})

test('behavior: a caller that does not want to wait ends the stream by what it throws', async () => {
  const busy = () => Promise.resolve(text('', 429, 'text/plain', { 'retry-after': '60' }))
  const onSetback = (failure: Error) => {
    throw failure
  }
  await expect(first({ fetch: busy, onSetback })).rejects.toMatchObject({ status: 429, retryAfter: 60 })
})

test('behavior: a page that was frozen connects anew when it goes on, behind what it has heard', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  onTestFinished(() => void vi.unstubAllGlobals())
  onTestFinished(() => void vi.restoreAllMocks())
  const cursors: unknown[] = []
  // As in Chromium, whose page hears nothing more of an answer that went on while it was frozen.
  const frozen: typeof fetch = async (_, init) => {
    cursors.push(JSON.parse(String(init?.body)).after)
    const event = `event: event\ndata: {"type":"blocks","cursor":"c${cursors.length}"}\n\n`
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(event)) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const notifications = stream({ url, types: ['blocks'], fetch: frozen, silenceMs: 0 })
  expect(await notifications.next()).toMatchObject({ value: { cursor: 'c1' } })
  const next = notifications.next()
  page.dispatchEvent(new Event('resume'))
  await expect.poll(() => cursors).toEqual([undefined, 'c1'])
  expect(await next).toMatchObject({ value: { cursor: 'c2' } })
  expect(getEventListeners(page, 'resume')).toHaveLength(1)
  await notifications.return()
  expect(getEventListeners(page, 'resume')).toEqual([])
})

test.each([
  ['who leaves', event({ type: 'blocks' })],
  ['what cannot be read', 'event: event\ndata: {\n\n'],
])('behavior: %s ends the connection, also of a fetch whose body heeds no signal', async (_, first) => {
  hurried(0)
  const cancelled = vi.fn()
  const endless = (text: string) =>
    new ReadableStream({ start: (reader) => reader.enqueue(new TextEncoder().encode(text)), cancel: cancelled })
  const bodies = [first, event({ type: 'blocks' })].map(endless)
  const headers = { 'content-type': 'text/event-stream' }
  const sent = async () => new Response(bodies.shift() ?? null, { headers })
  const { signal } = new AbortController()
  for await (const _ of stream({ url, types: ['blocks'], fetch: sent, signal })) break
  expect(cancelled).toHaveBeenCalledTimes(2 - bodies.length)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
