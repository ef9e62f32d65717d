// The bridge itself, with a real budget behind it and a clock that stands still.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Tier } from '../../../../server/access/index.ts'
import {
  type ChargedCall,
  createDispatch,
  createResultCache,
  type Handlers,
  NO_MODIFIERS,
} from '../../../../server/methods/index.ts'
import { NOT_HERE } from '../../../../server/node/index.ts'
import { createLog, createMetrics } from '../../../../server/observe/index.ts'
import { ApiError } from '../../../../shared/errors.ts'
import { type MethodSpec, method } from '../../../../shared/method.ts'
import { accessFor } from '../accessFor.ts'

const spec = (freshness: 'fixed' | 'block' | 'live', cost?: number) =>
  method({
    summary: 'Doubles.',
    group: 'test',
    params: z.strictObject({ n: z.int() }),
    result: z.unknown(),
    rest: [],
    freshness,
    ...(cost === undefined ? {} : { cost }),
    example: { params: { n: 1 }, result: 2 },
  })

const registry = {
  fixed: spec('fixed'),
  block: spec('block'),
  live: spec('live'),
  dear: spec('live', 3),
  nothing: spec('live'),
  early: spec('live'),
  lacking: spec('live'),
  'v3.wished': spec('fixed'),
  listed: { ...spec('block'), params: z.strictObject({ list: z.array(z.int()) }) },
} satisfies Record<string, MethodSpec>

const TIER: Tier = { name: 'test', perSecond: 10 }

async function setUp(
  checkResults = false,
  budgetsElsewhere = false,
  elsewhere?: Parameters<typeof createDispatch>[0]['elsewhere'],
) {
  const access = await accessFor(() => 1_000_000)
  const cache = createResultCache(100_000)
  const runs: string[] = []
  const double =
    (name: string) =>
    ({ n }: { n: number }) => {
      runs.push(name)
      return 2 * n
    }
  const handlers: Handlers<typeof registry> = {
    fixed: double('fixed'),
    block: async ({ n }) => double('block')({ n }),
    live: double('live'),
    dear: double('dear'),
    nothing: () => undefined,
    lacking: async ({ n }) => {
      if (n === 0) return n
      throw n > 0 ? NOT_HERE : new Error('not this one')
    },
    early: async ({ n }, { signal }) => {
      if (n < 0) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return signal.aborted
    },
    'v3.wished': (_params, { modifiers }) => modifiers.noAddressBook,
    listed: ({ list }) => {
      runs.push('listed')
      return list.length
    },
  }
  const metrics = createMetrics()
  const dispatch = createDispatch({
    registry,
    handlers,
    access: {
      identify: (key, address) => access.identify(key, address),
      spend: (caller, cost) =>
        budgetsElsewhere ? Promise.resolve(access.spend(caller, cost)) : access.spend(caller, cost),
      peek: (caller) => access.peek(caller),
    },
    cache,
    log: createLog({ format: 'json', level: 'silent' }),
    metrics,
    timeoutMs: 60_000,
    statementMs: 60_000,
    checkResults,
    ...(elsewhere === undefined ? {} : { elsewhere }),
  })
  const call: ChargedCall = {
    caller: { subject: 'me', keyId: null, tier: TIER },
    requestId: 'r1',
    signal: new AbortController().signal,
    budget: null,
    whyNoControl: null,
    modifiers: NO_MODIFIERS,
  }
  const left = () => access.peek(call.caller)?.remaining
  return { dispatch, cache, call, runs, left, counted: () => metrics.text() }
}

const kindOf = async (run: () => unknown): Promise<string> => {
  try {
    await run()
    return 'none'
  } catch (error) {
    return error instanceof ApiError ? error.kind : 'not an ApiError'
  }
}

test('default: params in, finished JSON out', async () => {
  const { dispatch, call } = await setUp()
  expect(await dispatch.run('live', { n: 21 }, call)).toEqual({ json: '42', isCached: false })
})

test('behavior: a call with a long list begins after the turn in which it was read, equal ones once', async () => {
  const { dispatch, call, runs } = await setUp()
  const ask = (length: number) => dispatch.run('listed', { list: new Array(length).fill(1) }, call)
  expect([await ask(100), runs.splice(0)]).toEqual([{ json: '100', isCached: false }, ['listed']])
  const long = [ask(101), ask(101)]
  expect(runs).toEqual([])
  expect(await Promise.all(long)).toMatchObject([{ json: '101' }, { json: '101' }])
  expect(runs).toEqual(['listed'])
})

test('behavior: calls with long lists that waited for others begin in turns of their own', async () => {
  const { dispatch, call, runs } = await setUp()
  const limitless = { ...call, caller: { ...call.caller, tier: null } }
  const asked = Array.from({ length: 40 }, (_, i) =>
    dispatch.run('listed', { list: new Array(200 + i).fill(1) }, limitless),
  )
  const begun: number[] = []
  while (begun.length < 400 && begun.reduce((sum, one) => sum + one, 0) < asked.length) {
    await new Promise((resolve) => setImmediate(resolve))
    begun.push(runs.splice(0).length)
  }
  await Promise.all(asked)
  expect(Math.max(...begun)).toBeLessThanOrEqual(2)
})

describe('what is true for a while is computed once', () => {
  test('for callers of v3 with the same modifiers, and for others by itself', async () => {
    const { dispatch, call } = await setUp()
    const modifiers = { ...NO_MODIFIERS, noAddressBook: true }
    const ask = async (as: ChargedCall) => (await dispatch.run('v3.wished', { n: 1 }, as)).json
    expect([await ask(call), await ask({ ...call, modifiers }), await ask(call)]).toEqual(['false', 'true', 'false'])
  })

  test('fixed and block are cached by params, live is not', async () => {
    const { dispatch, call, runs, cache } = await setUp()
    for (const name of ['fixed', 'block', 'live']) {
      expect((await dispatch.run(name, { n: 1 }, call)).isCached).toBe(false)
      expect((await dispatch.run(name, { n: 1 }, call)).isCached).toBe(name !== 'live')
    }
    cache.newBlock()
    await dispatch.run('fixed', { n: 1 }, call)
    await dispatch.run('block', { n: 1 }, call)
    expect(runs).toEqual(['fixed', 'block', 'live', 'live', 'block'])
  })

  test('a block that comes while a call runs does not get its answer', async () => {
    const { dispatch, call, cache } = await setUp()
    const running = dispatch.run('block', { n: 1 }, call)
    cache.newBlock()
    await running
    expect((await dispatch.run('block', { n: 1 }, call)).isCached).toBe(false)
  })

  test('each call is counted once, as found or as not found, however often it is looked for', async () => {
    const { dispatch, call, cache } = await setUp()
    const question = dispatch.question('fixed', { n: 1 })
    for (let i = 0; i < 3; i++) (await dispatch.recall(question, call)) ?? (await dispatch.ask(question, call))
    await dispatch.run('live', { n: 1 }, call)
    expect(cache.stats).toMatchObject({ hits: 2, misses: 1 })
  })

  test('a cached answer costs the same', async () => {
    const { dispatch, call, left } = await setUp()
    await dispatch.run('fixed', { n: 1 }, call)
    await dispatch.run('fixed', { n: 1 }, call)
    expect(left()).toBe(8)
  })
})

describe.each([
  ['kept here', false],
  ['kept by another process', true],
])('the budget, %s', (_where, elsewhere) => {
  test('a call costs its price, a bad call one, an unknown name one, a cached result one', async () => {
    const { dispatch, call, left, counted } = await setUp(false, elsewhere)
    await dispatch.run('dear', { n: 1 }, call)
    expect(left()).toBe(7)
    expect(await kindOf(() => dispatch.run('dear', { n: 'x' }, call))).toBe('invalidParams')
    expect(left()).toBe(6)
    expect(await counted()).toContain('tonrpc_calls_total{method="dear",outcome="invalidParams"} 1')
    expect(await kindOf(() => dispatch.run('unknown', {}, call))).toBe('methodNotFound')
    expect(left()).toBe(5)
    expect((await dispatch.refuse('dear', new ApiError('parse'), call)).kind).toBe('parse')
    expect(left()).toBe(4)
    for (let i = 0; i < 2; i++) await dispatch.run('fixed', { n: 1 }, call)
    expect(left()).toBe(2)
  })

  test('without any left nothing is run, whatever is called', async () => {
    const { dispatch, call, runs } = await setUp(false, elsewhere)
    await dispatch.run('fixed', { n: 1 }, call)
    for (let i = 0; i < 9; i++) await dispatch.run('live', { n: 1 }, call)
    runs.length = 0
    expect(await kindOf(() => dispatch.run('fixed', { n: 1 }, call))).toBe('rateLimited')
    expect(await kindOf(() => dispatch.run('live', { n: 1 }, call))).toBe('rateLimited')
    expect(await kindOf(() => dispatch.run('live', { n: 'x' }, call))).toBe('rateLimited')
    expect(await kindOf(() => dispatch.run('unknown', {}, call))).toBe('rateLimited')
    expect((await dispatch.refuse(null, new ApiError('parse'), call)).kind).toBe('rateLimited')
    expect(runs).toEqual([])
  })

  test('each call without any left is counted as that, whatever else was wrong with it', async () => {
    const { dispatch, call, counted } = await setUp(false, elsewhere)
    for (let i = 0; i < 10; i++) await dispatch.run('live', { n: 1 }, call)
    const misspelt = { ...call, modifiers: { ...NO_MODIFIERS, minSeqno: Number.NaN } }
    expect(await kindOf(() => dispatch.run('block', { n: 1 }, misspelt))).toBe('rateLimited')
    expect(await kindOf(() => dispatch.run('unknown', {}, call))).toBe('rateLimited')
    const text = await counted()
    expect(text).toContain('tonrpc_calls_total{method="block",outcome="rateLimited"} 1')
    expect(text).toContain('tonrpc_calls_total{method="unknown",outcome="rateLimited"} 1')
    expect(text).not.toContain('outcome="methodNotFound"')
  })
})

describe('what goes wrong inside', () => {
  test('an answer of nothing at all is internal, not broken JSON', async () => {
    const { dispatch, call } = await setUp()
    expect(await kindOf(() => dispatch.run('nothing', { n: 1 }, call))).toBe('internal')
  })

  test.each(['constructor', '__proto__', 'toString', ''])('%j is no method', async (name) => {
    const { dispatch, call } = await setUp()
    expect(await kindOf(() => dispatch.run(name, {}, call))).toBe('methodNotFound')
  })

  test('a caller who left before the start is seen as gone', async () => {
    const { dispatch, call } = await setUp()
    expect(await dispatch.run('early', { n: 1 }, { ...call, signal: AbortSignal.abort() })).toMatchObject({
      json: 'true',
    })
  })

  test('a call whose caller left is counted as abandoned, not as a failure of the service', async () => {
    const { dispatch, call, counted } = await setUp()
    const caller = new AbortController()
    const outcomes: string[] = []
    const note = (_: string, { outcome }: { readonly outcome: string }) => void outcomes.push(outcome)
    const running = dispatch.run('early', { n: -1 }, { ...call, signal: caller.signal, note })
    caller.abort()
    await expect(running).rejects.toThrow()
    expect(outcomes).toEqual(['abandoned'])
    expect(await counted()).toContain('tonrpc_calls_total{method="early",outcome="abandoned"} 1')
    expect(await counted()).not.toContain('internal')
  })
})

test('calls that another process runs wait for their lanes there, not here as well', async () => {
  const answers: ((json: string) => void)[] = []
  const run = () => new Promise<string>((resolve) => answers.push(resolve))
  const { dispatch, call } = await setUp(false, false, { placeOf: () => 'elsewhere', run })
  const all = Array.from({ length: 100 }, (_, n) => dispatch.perform('live', { n }, call))
  await new Promise((resolve) => setImmediate(resolve))
  expect(answers).toHaveLength(100)
  for (const answer of answers) answer('1')
  expect(await Promise.all(all)).toHaveLength(100)
})

test('what this process cannot answer is passed on as it came, waits in no lane here, and costs once', async () => {
  const asked: unknown[] = []
  const answers: ((json: string) => void)[] = []
  const run = (name: string, params: object) => {
    asked.push([name, params])
    return new Promise<string>((resolve) => answers.push(resolve))
  }
  const { dispatch, call, left } = await setUp(false, false, { placeOf: () => 'hereFirst', run })
  expect(await dispatch.run('lacking', { n: 0 }, call)).toMatchObject({ json: '0' })
  expect(await kindOf(() => dispatch.run('lacking', { n: -1 }, call))).toBe('internal')
  expect(asked).toEqual([])
  const before = left() ?? 0
  const passed = dispatch.run('lacking', { n: 7 }, call)
  // More than one caller has lanes for.
  const more = Array.from({ length: 40 }, (_, i) =>
    dispatch.perform('lacking', { n: 10 + i }, { ...call, signal: new AbortController().signal }),
  )
  await expect.poll(() => answers.length).toBe(41)
  expect(asked[0]).toEqual(['lacking', { n: 7 }])
  for (const [i, answer] of answers.entries()) answer(`${i}`)
  expect(await passed).toMatchObject({ json: '0' })
  expect(await Promise.all(more)).toHaveLength(40)
  expect(left()).toBe(before - 1)
})
