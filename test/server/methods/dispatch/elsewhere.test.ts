// Calls that another process runs, and what the cache of this one counts of them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCallLanes, createDispatch, createResultCache, NO_MODIFIERS } from '../../../../server/methods/index.ts'
import { NotHere } from '../../../../server/node/index.ts'
import { createLog, createMetrics } from '../../../../server/observe/index.ts'
import { method } from '../../../../shared/method.ts'
import { accessFor } from '../accessFor.ts'

const registry = {
  read: method({
    summary: 'Reads.',
    group: 'test',
    params: z.strictObject({ n: z.int() }),
    result: z.unknown(),
    rest: [],
    freshness: 'block',
    example: { params: { n: 1 }, result: 2 },
  }),
}

/** A process that cannot read what is odd. */
async function setUp(place: 'here' | 'elsewhere' | 'hereFirst') {
  const metrics = createMetrics()
  const cache = createResultCache(100_000)
  let places = 0
  const dispatch = createDispatch({
    registry,
    handlers: {
      async read({ n }) {
        await nextTurn()
        if (n % 2 === 1) throw new NotHere()
        return 'here'
      },
    },
    elsewhere: {
      placeOf() {
        places++
        return place
      },
      run: () => Promise.resolve('"elsewhere"'),
    },
    access: await accessFor(() => 1_000_000),
    cache,
    log: createLog({ format: 'json', level: 'silent' }),
    metrics,
    timeoutMs: 60_000,
    statementMs: 60_000,
    checkResults: false,
    lanes: createCallLanes(metrics),
  })
  const ask = async (n: number, how: 'run' | 'perform' = 'run') =>
    await dispatch[how](
      'read',
      { n },
      {
        caller: { subject: 'me', keyId: null, tier: { name: 'test', perSecond: 10 } },
        requestId: 'r1',
        signal: new AbortController().signal,
        budget: null,
        whyNoControl: null,
        modifiers: NO_MODIFIERS,
      },
    )
  return { ask, cache, asked: () => places }
}

test.each([
  ['here', 2, 'here', 2],
  ['elsewhere', 2, 'elsewhere', 1],
  ['hereFirst', 2, 'here', 2],
  ['hereFirst', 1, 'elsewhere', 1],
] as const)(
  '%s, of %i: what the other process runs is counted there, and who waits for it here',
  async (place, n, where, misses) => {
    const { ask, cache } = await setUp(place)
    const answers = await Promise.all([ask(n), ask(n)])
    expect(answers.map(({ json }) => json)).toEqual([`"${where}"`, `"${where}"`])
    expect(cache.stats).toMatchObject({ hits: 0, misses })
    await ask(n)
    expect(cache.stats).toMatchObject({ hits: 1, misses })
  },
)

test.each(['run', 'perform'] as const)(
  'where a call runs is asked once for each that is not cached: %s',
  async (how) => {
    const { ask, asked } = await setUp('hereFirst')
    await ask(2, how)
    expect(asked()).toBe(1)
    await ask(2, how)
    expect(asked()).toBe(1)
  },
)

test.each([
  ['here', 2, 1],
  ['elsewhere', 2, 0],
  ['hereFirst', 2, 1],
  ['hereFirst', 1, 0],
] as const)('a part of another call that runs %s, of %i, is counted once, where it runs', async (place, n, misses) => {
  const { ask, cache } = await setUp(place)
  await ask(n, 'perform')
  expect(cache.stats).toMatchObject({ hits: 0, misses })
})
