// Runs of contracts where the system lets the process have fewer threads than the pool would start, or none.

import { Cell, serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { createConfig, createTvmPool, TvmError, type TvmPool } from '../../../server/tvm/index.ts'
import { RefusedThreads } from '../../setup/refusedThreads.ts'
import { alice, assemble, boc, code } from './contracts.ts'
import { now } from './corpus.ts'

const config = createConfig(defaultConfig)

async function open(threads: RefusedThreads, workers = 2): Promise<TvmPool> {
  const pool = await createTvmPool({ workers, startThread: threads.start })
  onTestFinished(() => pool.close())
  return pool
}

interface Ran {
  readonly contract?: Cell
  readonly gasLimit?: bigint
  readonly timeLimitMs?: number
}

function ran(pool: TvmPool, { contract: own = code.echo, gasLimit = 10_000n, timeLimitMs }: Ran = {}): Promise<string> {
  const stack = boc(serializeTuple([{ type: 'int', value: 1n }]))
  const limit = timeLimitMs === undefined ? {} : { timeLimitMs }
  const contract = { code: boc(own), data: boc(Cell.EMPTY), address: alice.toRawString(), balance: 1n }
  return pool.runGetMethod(config, { ...contract, stack, methodId: 5, now, gasLimit }, limit).then(
    ({ success }) => (success ? 'success' : 'failure'),
    (error: unknown) => (error instanceof TvmError ? `${error.code}: ${error.message}` : String(error)),
  )
}

const ENDLESS = assemble('FF00 9100 EA')
const REFUSED = 'busy: no thread for contracts can be started'

test('all runs are made by the thread there is, and a second one is started once the system allows it', async () => {
  const threads = new RefusedThreads(0)
  const pool = await open(threads)
  expect(await ran(pool)).toBe('success')
  threads.refuse()
  const ends = await Promise.all(Array.from({ length: 100 }, () => ran(pool)))
  expect(new Set(ends)).toEqual(new Set(['success']))
  expect(threads.count).toBeGreaterThan(0)
  expect(pool.stats.workers).toBe(1)
  threads.allow()
  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: 100 }, () => ran(pool)))
      return pool.stats.workers
    })
    .toBe(2)
})

test('a run waits where the first thread is refused for a moment', async () => {
  const threads = new RefusedThreads(2)
  expect(await ran(await open(threads))).toBe('success')
  expect(threads.count).toBe(2)
})

test('without any thread runs are refused, those that wait and later ones, until one can be started', async () => {
  const threads = new RefusedThreads()
  const pool = await open(threads)
  expect(await Promise.all([ran(pool), ran(pool)])).toEqual([REFUSED, REFUSED])
  const tried = threads.count
  expect(await ran(pool)).toBe(REFUSED)
  expect(threads.count).toBe(tried)
  threads.allow()
  await expect.poll(() => ran(pool), { timeout: 60_000 }).toBe('success')
})

test('a run that took too long ends the only thread there may be: the runs behind it have the one in its place', async () => {
  let refused = 0
  let alive = 0
  const threads = new RefusedThreads()
  const start: typeof threads.start = (entry, options) => {
    threads[alive > 0 ? 'refuse' : 'allow']()
    const thread = threads.start(entry, options)
    if (thread === null) refused++
    else {
      alive++
      thread.once('exit', () => alive--)
    }
    return thread
  }
  const pool = await createTvmPool({ workers: 2, startThread: start })
  onTestFinished(() => pool.close())
  expect(await ran(pool)).toBe('success')
  // Runs with a limit far off, so that a second thread is tried some times meanwhile.
  const long = ran(pool, { contract: ENDLESS, gasLimit: 10n ** 12n, timeLimitMs: 2_000 })
  const behind = Promise.all(Array.from({ length: 5 }, () => ran(pool)))
  expect(await long).toMatch(/^timeout:/)
  expect(refused).toBeGreaterThan(3)
  expect(new Set(await behind)).toEqual(new Set(['success']))
})

test('with all threads at once: a pool opens with those the system allows', async () => {
  const threads = new RefusedThreads()
  const pool = await createTvmPool({ workers: 2, eager: true, startThread: threads.start })
  onTestFinished(() => pool.close())
  expect(pool.stats.workers).toBe(0)
  threads.allow()
  await expect.poll(() => pool.stats.workers).toBe(2)
})
