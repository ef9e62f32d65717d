// Equal calls in flight: one of them runs, all are answered, each is charged.

import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { Access } from '../../../../server/access/index.ts'
import { Lanes } from '../../../../server/fairness/index.ts'
import {
  type ChargedCall,
  createDispatch,
  createResultCache,
  NO_MODIFIERS,
  type WritingHandlers,
} from '../../../../server/methods/index.ts'
import { createLog, createMetrics } from '../../../../server/observe/index.ts'
import { ApiError } from '../../../../shared/errors.ts'
import { type MethodSpec, method } from '../../../../shared/method.ts'
import { accessFor } from '../accessFor.ts'

const spec = (freshness: MethodSpec['freshness']) =>
  method({
    summary: 'Waits.',
    group: 'test',
    params: z.strictObject({ n: z.int() }),
    result: z.unknown(),
    rest: [],
    freshness,
    example: { params: { n: 1 }, result: 2 },
  })

const registry = {
  block: spec('block'),
  index: spec('index'),
  live: spec('live'),
  quick: spec('block'),
  broken: spec('live'),
} satisfies Record<string, MethodSpec>

/** Handlers that end when the test ends them. */
async function setUp({
  perCaller = 10,
  charged = () => {},
  settled = () => null,
}: {
  perCaller?: number
  charged?: () => void | Promise<void>
  settled?: () => Promise<void> | null
} = {}) {
  const budgets = await accessFor(() => 1_000_000)
  const access: Access = {
    identify: (...who) => budgets.identify(...who),
    peek: (caller) => budgets.peek(caller),
    spend(caller, cost) {
      const wait = charged()
      return wait instanceof Promise ? wait.then(() => budgets.spend(caller, cost)) : budgets.spend(caller, cost)
    },
  }
  const cache = createResultCache(100_000)
  const runs: { end(result: unknown): void; fail(error: Error): void }[] = []
  const waiting = (_params: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<unknown>((resolve, reject) => {
      runs.push({ end: resolve, fail: reject })
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    })
  const broken = (_params: unknown, { signal }: { readonly signal: AbortSignal }) => {
    throw new ApiError('notFound', signal.aborted ? 'left' : 'no such thing')
  }
  const handlers: WritingHandlers<typeof registry> = {
    block: waiting,
    index: waiting,
    live: waiting,
    quick: ({ n }) => n,
    broken,
  }
  const limits = { total: 10, perCaller, perTurn: 10, waitingPerCaller: 10 }
  const dispatch = createDispatch({
    registry,
    handlers,
    access,
    cache,
    log: createLog({ format: 'json', level: 'silent' }),
    metrics: createMetrics(),
    timeoutMs: 60_000,
    statementMs: 60_000,
    checkResults: false,
    settled,
    lanes: { index: new Lanes(limits), emulation: new Lanes(limits), chain: new Lanes(limits) },
  })
  const callOf = (subject: string, more: Partial<ChargedCall> = {}): ChargedCall => ({
    caller: { subject, keyId: null, tier: { name: 'test', perSecond: 10 } },
    requestId: subject,
    signal: new AbortController().signal,
    budget: null,
    whyNoControl: null,
    modifiers: NO_MODIFIERS,
    ...more,
  })
  const left = (subject: string) => access.peek(callOf(subject).caller)?.remaining
  const ask = async (name: string, n: number, call: ChargedCall) => dispatch.run(name, { n }, call)
  return { ask, cache, callOf, runs, left }
}

test('default: equal calls run once, and each caller is charged', async () => {
  const { ask, callOf, runs, left } = await setUp()
  const connection = new AbortController()
  const answers = ['a', 'b', 'c'].map((subject) => ask('block', 1, callOf(subject, { signal: connection.signal })))
  const other = ask('block', 2, callOf('a'))
  expect(runs).toHaveLength(2)
  runs[0]?.end(5)
  runs[1]?.end(6)
  expect((await Promise.all([...answers, other])).map(({ json }) => json)).toEqual(['5', '5', '5', '6'])
  expect(['a', 'b', 'c'].map(left)).toEqual([8, 9, 9])
  expect(getEventListeners(connection.signal, 'abort')).toEqual([])
})

test('behavior: a caller without budget does not join', async () => {
  const { ask, callOf, runs, left } = await setUp()
  const first = ask('block', 1, callOf('a'))
  const others = Array.from({ length: 11 }, () => ask('block', 1, callOf('b')))
  runs[0]?.end(5)
  await first
  const settled = await Promise.allSettled(others)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(settled.find((one) => one.status === 'rejected')).toMatchObject({ reason: { kind: 'rateLimited' } })
  expect(left('b')).toBe(0)
})

test('behavior: live calls, and calls with other modifiers, run by themselves', async () => {
  const { ask, callOf, runs } = await setUp()
  const calls = [ask('live', 1, callOf('a')), ask('live', 1, callOf('b'))]
  for (const timeoutMs of [3000, 5000])
    calls.push(ask('block', 1, callOf('a', { modifiers: { ...NO_MODIFIERS, timeoutMs } })))
  expect(runs).toHaveLength(4)
  for (const [i, run] of runs.entries()) run.end(i)
  expect((await Promise.all(calls)).map(({ json }) => json)).toEqual(['0', '1', '2', '3'])
})

test('behavior: a call does not share the run of one that has less time', async () => {
  const { ask, callOf, runs } = await setUp()
  const calls = [ask('block', 1, callOf('a', { deadline: performance.now() + 50_000 })), ask('block', 1, callOf('b'))]
  expect(runs).toHaveLength(2)
  for (const [i, run] of runs.entries()) run.end(i)
  expect((await Promise.all(calls)).map(({ json }) => json)).toEqual(['0', '1'])
})

test('behavior: every answer about blocks waits until other processes have dropped what they know of an earlier one', async () => {
  let dropping: Promise<void> | null = null
  let end = () => {}
  const { ask, callOf, runs } = await setUp({ settled: () => dropping })
  await ask('quick', 1, callOf('a'))
  dropping = new Promise((resolve) => {
    end = resolve
  })
  const answered: string[] = []
  const calls = Object.entries({ known: ['quick', 1], quick: ['quick', 2], slow: ['block', 1] } as const).map(
    ([kind, [name, n]]) => ask(name, n, callOf('b')).then(() => answered.push(kind)),
  )
  runs[0]?.end(5)
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  expect(answered).toEqual([])
  end()
  await Promise.all(calls)
})

test('behavior: a call after a new block does not get an answer that was begun before it', async () => {
  const { ask, cache, callOf, runs } = await setUp()
  const before = ask('block', 1, callOf('a'))
  cache.newBlock()
  const after = ask('block', 1, callOf('b'))
  const joined = ask('block', 1, callOf('c'))
  expect(runs).toHaveLength(2)
  runs[0]?.end(1)
  runs[1]?.end(2)
  expect((await Promise.all([before, after, joined])).map(({ json }) => json)).toEqual(['1', '2', '2'])
})

test('behavior: reads of an index that reports no progress are not shared', async () => {
  const { ask, cache, callOf, runs } = await setUp()
  const calls = [ask('index', 1, callOf('a')), ask('index', 1, callOf('b'))]
  cache.newIndexed()
  calls.push(ask('index', 1, callOf('c')), ask('index', 1, callOf('d')))
  expect(runs).toHaveLength(3)
  for (const run of runs) run.end(1)
  expect((await Promise.all(calls)).map(({ isCached }) => isCached)).toEqual([false, false, false, true])
})

test('behavior: a run goes on for those who wait for it when its own caller leaves', async () => {
  const { ask, callOf, runs } = await setUp()
  const gone = new AbortController()
  const first = ask('block', 1, callOf('a', { signal: gone.signal }))
  const others = ['b', 'c'].map((subject) => ask('block', 1, callOf(subject)))
  gone.abort()
  const later = ask('block', 1, callOf('d'))
  expect(runs).toHaveLength(1)
  runs[0]?.end(7)
  expect((await Promise.all([first, ...others, later])).map(({ json }) => json)).toEqual(['7', '7', '7', '7'])
  expect((await ask('block', 1, callOf('e'))).isCached).toBe(true)
})

test('behavior: it ends when the last of them leaves, and a later call has a run of its own', async () => {
  const { ask, callOf, runs } = await setUp()
  const leavers = ['a', 'b', 'c'].map((subject) => ({ subject, gone: new AbortController() }))
  const calls = leavers.map(({ subject, gone }) => ask('block', 1, callOf(subject, { signal: gone.signal })))
  const settled = Promise.allSettled(calls)
  for (const { gone } of leavers.toReversed()) gone.abort()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (const { gone } of leavers) expect(getEventListeners(gone.signal, 'abort')).toEqual([])
  const later = ask('block', 1, callOf('d'))
  expect(runs).toHaveLength(2)
  runs[1]?.end(7)
  expect((await later).json).toBe('7')
})

test('behavior: it does not go on for one who had no more time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, callOf, runs } = await setUp()
  const gone = new AbortController()
  const first = expect(ask('block', 1, callOf('a', { signal: gone.signal }))).rejects.toMatchObject({
    kind: 'internal',
  })
  const deadline = performance.now() + 1000
  const outOfTime = expect(ask('block', 1, callOf('b', { deadline }))).rejects.toMatchObject({ kind: 'timeout' })
  await vi.advanceTimersByTimeAsync(1000)
  await outOfTime
  gone.abort()
  await first
  expect(runs).toHaveLength(1)
})

test('behavior: while calls are charged by another process, the run that they would join may end with its caller', async () => {
  const charges: (() => void)[] = []
  const charged = () => new Promise<void>((resolve) => charges.push(resolve))
  const { ask, callOf, runs } = await setUp({ charged })
  const gone = new AbortController()
  const settled = Promise.allSettled([ask('block', 1, callOf('a', { signal: gone.signal }))])
  charges.shift()?.()
  await vi.waitFor(() => expect(runs).toHaveLength(1))
  const others = ['b', 'c'].map((subject) => ask('block', 1, callOf(subject)))
  gone.abort()
  await settled
  for (const end of charges) end()
  await vi.waitFor(() => expect(runs).toHaveLength(2))
  runs[1]?.end(7)
  expect((await Promise.all(others)).map(({ json }) => json)).toEqual(['7', '7'])
  expect(runs).toHaveLength(2)
})

test('behavior: a call behind the queue of its caller is answered by the run of another', async () => {
  const { ask, callOf, runs } = await setUp({ perCaller: 1 })
  const busy = ask('block', 1, callOf('a'))
  const queued = ask('block', 2, callOf('a'))
  const quick = ask('block', 2, callOf('b'))
  expect(runs).toHaveLength(2)
  runs[1]?.end(2)
  await quick
  runs[0]?.end(1)
  await busy
  expect((await queued).json).toBe('2')
  expect(runs).toHaveLength(2)
})

test('behavior: a call that began after it had waited in the queue of its caller is shared, too', async () => {
  const { ask, callOf, runs } = await setUp({ perCaller: 1 })
  const busy = ask('block', 1, callOf('a'))
  const queued = ask('block', 2, callOf('a'))
  runs[0]?.end(1)
  await busy
  await vi.waitFor(() => expect(runs).toHaveLength(2))
  const equal = ask('block', 2, callOf('b'))
  expect(runs).toHaveLength(2)
  runs[1]?.end(2)
  expect((await Promise.all([queued, equal])).map(({ json }) => json)).toEqual(['2', '2'])
})

test('behavior: the longer its answer, the more a call has used of the lanes of its caller', async () => {
  // The time they take counts, too.
  vi.spyOn(performance, 'now').mockReturnValue(1000)
  const { mock } = vi.spyOn(Lanes.prototype, 'leave')
  onTestFinished(() => void vi.restoreAllMocks())
  const { ask, callOf, runs } = await setUp()
  const calls = [1, 2].map((n) => ask('block', n, callOf('a')))
  runs[0]?.end('long '.repeat(100_000))
  runs[1]?.end('short')
  await Promise.all(calls)
  const costs = mock.calls.map(([, used]) => used?.cost ?? 0)
  expect(costs.toSorted((a, b) => a - b)).toEqual([1 + '"short"'.length / 8192, 1 + 500_002 / 8192])
})

test('behavior: a call that ran out of time while it waited for the run of another fails no later call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, callOf, runs } = await setUp({ perCaller: 1 })
  const gone = new AbortController()
  const busy = ask('block', 1, callOf('a'))
  const queued = ask('block', 2, callOf('a'))
  const outOfTime = expect(queued).rejects.toMatchObject({ kind: 'timeout' })
  await vi.advanceTimersByTimeAsync(10_000)
  const quick = ask('block', 2, callOf('b', { signal: gone.signal }))
  runs[0]?.end(1)
  await busy
  await vi.advanceTimersByTimeAsync(50_000)
  await outOfTime
  gone.abort()
  await expect(quick).rejects.toMatchObject({ kind: 'internal' })
  await vi.advanceTimersByTimeAsync(0)
  const later = ask('block', 2, callOf('c'))
  runs.at(-1)?.end(7)
  expect((await later).json).toBe('7')
  expect(runs).toHaveLength(3)
})

test('behavior: calls that were answered or failed leave no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { ask, callOf, runs } = await setUp()
  const calls = [1, 1, 2, 2].map((n) => ask('block', n, callOf('a')))
  runs[0]?.end(1)
  runs[1]?.fail(new ApiError('notFound', 'no such thing'))
  await Promise.allSettled(calls)
  expect(vi.getTimerCount()).toBe(0)
})

test('behavior: a handler that throws at once leaves nothing at the connection', async () => {
  const { ask, callOf } = await setUp()
  const connection = new AbortController()
  await expect(ask('broken', 1, callOf('a', { signal: connection.signal }))).rejects.toMatchObject({ kind: 'notFound' })
  expect(getEventListeners(connection.signal, 'abort')).toEqual([])
})

test('error: each caller gets the failure, an internal one with the id of its own request', async () => {
  const { ask, callOf, runs } = await setUp()
  const refused = ['a', 'b'].map((subject) => ask('block', 1, callOf(subject)))
  runs[0]?.fail(new ApiError('notFound', 'no such thing'))
  for (const one of await Promise.allSettled(refused))
    expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'notFound', message: 'no such thing' } })
  // Of a failure nothing is kept: a later call has a run of its own.
  const later = ask('block', 1, callOf('c'))
  runs.pop()?.end(7)
  expect((await later).json).toBe('7')
  const failed = ['a', 'b'].map((subject) => ask('block', 2, callOf(subject)))
  runs[1]?.fail(new Error('secret'))
  const ids = (await Promise.allSettled(failed)).map((one) => one.status === 'rejected' && one.reason.data)
  expect(ids).toEqual([{ requestId: 'a' }, { requestId: 'b' }])
})

test('error: one that waited in the queue for the run of another has the id of its own request, too', async () => {
  const { ask, callOf, runs } = await setUp({ perCaller: 1 })
  const busy = ask('block', 1, callOf('a'))
  const queued = ask('block', 2, callOf('a'))
  const failed = Promise.allSettled([queued, ask('block', 2, callOf('b'))])
  runs[0]?.end(1)
  await busy
  runs[1]?.fail(new Error('secret'))
  const ids = (await failed).map((one) => one.status === 'rejected' && one.reason.data)
  expect(ids).toEqual([{ requestId: 'a' }, { requestId: 'b' }])
})
