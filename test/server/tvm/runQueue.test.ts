// Whose run is next, without threads: jobs are taken and finished by hand, and the clock stands still unless it is moved.

import { expect, test } from 'vitest'
import { RunQueue } from '../../../server/tvm/runQueue.ts'
import type { PendingJob } from '../../../server/tvm/threadShare.ts'
import { TvmBusy } from '../../../server/tvm/tvmError.ts'

function scene(limits: { limit?: number; shareLimit?: number; slowLimit?: number } = {}) {
  let clock = 0
  const queue = new RunQueue({ limit: 100, shareLimit: 100, slowLimit: 1, ...limits, now: () => clock })
  const rejected: string[] = []
  let id = 0
  const add = (caller: string): PendingJob => {
    const name = `${caller}${++id}`
    const job = {
      id,
      share: queue.share(caller),
      dropped: false,
      timeLimitMs: 1000,
      resolve: () => undefined,
      reject: (cause: Error) => rejected.push(`${name}: ${cause.message}`),
    } as unknown as PendingJob
    queue.add(job, 0)
    return job
  }
  const start = (): PendingJob | null => {
    const job = queue.next()
    if (job !== null) queue.start(job)
    return job
  }
  /** Runs what is next, again and again, each run as long as its caller's are; the callers in that order. */
  const runAll = (ms: Readonly<Record<string, number>>, most = 100): string => {
    let order = ''
    for (let job = start(); job !== null && order.length < most; job = order.length < most ? start() : null) {
      order += job.share.name
      queue.finish(job, ms[job.share.name] ?? 1)
    }
    return order
  }
  return { queue, add, start, runAll, rejected, wait: (time: number) => (clock += time) }
}

test('default: two callers take turns, however many runs one of them has', () => {
  const { add, runAll } = scene()
  for (let i = 0; i < 6; i++) add('a')
  for (let i = 0; i < 3; i++) add('b')
  expect(runAll({ a: 1, b: 1 })).toBe('abababaaa')
})

test('a run is charged by its time: a caller of long runs gets fewer of them', () => {
  const { add, runAll } = scene()
  for (let i = 0; i < 4; i++) add('a')
  for (let i = 0; i < 12; i++) add('b')
  expect(runAll({ a: 4, b: 1 })).toBe('abbbbabbbbabbbba')
})

test('a caller who used much waits behind one who comes new, until it is forgotten', () => {
  const { add, runAll, wait } = scene()
  add('a')
  runAll({ a: 2000 })
  for (let i = 0; i < 2; i++) add('a')
  for (let i = 0; i < 3; i++) add('b')
  expect(runAll({ a: 5, b: 5 })).toBe('bbbaa')
  wait(600_000)
  for (const caller of ['a', 'a', 'b', 'b']) add(caller)
  expect(runAll({ a: 5, b: 5 })).toMatch(/^(?:ab|ba){2}$/)
})

test('slow runs never have all threads, and an unknown caller does not either', () => {
  const { add, start, queue } = scene({ slowLimit: 2 })
  for (let i = 0; i < 3; i++) for (const caller of ['a', 'b']) add(caller)
  const unknown = [start(), start(), start(), start()]
  expect(unknown.map((job) => job?.share.name)).toEqual(['a', 'b', 'a', 'b'])
  expect(start()).toBeNull()
  for (const job of unknown) if (job !== null) queue.finish(job, 2000)
  // Both are known to be slow now: two of their runs at once, not two of each.
  const slow = [start(), start()]
  expect(slow.map((job) => job?.share.name)).toEqual(['a', 'b'])
  expect(start()).toBeNull()
  const quick = add('c')
  expect(start()).toBe(quick)
  queue.finish(quick, 0.3)
  for (let i = 0; i < 5; i++) add('c')
  expect(Array.from({ length: 5 }, start).every((job) => job?.share.name === 'c')).toBe(true)
})

test('cheap runs in between do not make a slow caller a quick one', () => {
  const { add, runAll, start, queue } = scene()
  add('a')
  runAll({ a: 2000 })
  for (let i = 0; i < 50; i++) add('a')
  runAll({ a: 0.1 })
  for (let i = 0; i < 2; i++) add('a')
  expect([start()?.share.name, start()]).toEqual(['a', null])
  expect(queue.size).toBe(1)
})

test('error: too many runs of one caller are refused to this caller alone', () => {
  const { add, queue } = scene({ shareLimit: 3 })
  for (let i = 0; i < 4; i++) add('a')
  expect(() => add('a')).toThrow(TvmBusy)
  expect(() => add('a')).toThrow(/over 3 TVM runs of one caller wait/)
  add('b')
  expect(queue.size).toBe(5)
})

test('error: a full queue drops the last run of the largest caller, unless the new caller would then have more of it', () => {
  const { add, rejected, runAll } = scene({ limit: 4 })
  for (let i = 0; i < 4; i++) add('a')
  add('b')
  add('c')
  expect(rejected).toEqual(['a4: TVM queue is full (4 runs)', 'a3: TVM queue is full (4 runs)'])
  expect(() => add('b')).toThrow(TvmBusy)
  expect(runAll({})).toBe('abca')
})

test('runs that come back are the next ones of their caller again, in their order', () => {
  const { add, start, queue, runAll } = scene()
  const first = add('a')
  runAll({ a: 1 })
  const jobs = [add('a'), add('a'), add('a'), add('a')]
  const sent = [start(), start(), start()]
  expect(sent).toEqual(jobs.slice(0, 3))
  queue.putBack(jobs.slice(1, 3))
  expect([queue.next(), queue.size, first.share.running]).toEqual([jobs[1], 3, 1])
})

test('callers that are done are forgotten: what is known stays bounded', () => {
  const { add, runAll, wait, queue } = scene()
  for (let i = 0; i < 5000; i++) {
    add(`caller ${i}`)
    runAll({}, 1)
    wait(10)
  }
  expect(queue.shares).toBeLessThan(3000)
  wait(600_000)
  add('last')
  expect(queue.shares).toBe(1)
})
