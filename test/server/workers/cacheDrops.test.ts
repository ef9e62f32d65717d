import { expect, test } from 'vitest'
import { CacheDrops } from '../../../server/workers/cacheDrops.ts'

/** Whether a promise has resolved, once everything that can happen now has. */
async function isOver(waiting: Promise<void> | null): Promise<boolean> {
  let over = waiting === null
  void waiting?.then(() => {
    over = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return over
}

test('a result waits until every worker has seen the event before it', async () => {
  const moments = new CacheDrops()
  expect(moments.settled()).toBeNull()
  const moment = moments.begin([1, 2])
  const waiting = moments.settled()
  moments.seen(1, moment)
  expect(await isOver(waiting)).toBe(false)
  moments.seen(2, moment)
  expect(await isOver(waiting)).toBe(true)
  expect(moments.settled()).toBeNull()
})

test('an earlier event is not taken for a later one, and settles with it', async () => {
  const moments = new CacheDrops()
  const first = moments.begin([1])
  const ofFirst = moments.settled()
  const second = moments.begin([1])
  moments.seen(1, first)
  expect(await isOver(moments.settled())).toBe(false)
  moments.seen(1, second)
  expect(await isOver(ofFirst)).toBe(true)
})

test('a worker that has ended, or is stuck, is not waited for', async () => {
  const moments = new CacheDrops()
  moments.begin([1, 2])
  const waiting = moments.settled()
  moments.leave(1)
  expect(await isOver(waiting)).toBe(false)
  // Worker 2 never answers.
  await waiting
  expect(moments.settled()).toBeNull()
})

test('without workers nothing waits', () => {
  const moments = new CacheDrops()
  moments.begin([])
  expect(moments.settled()).toBeNull()
})

test('a stuck worker is waited for once, and again when it has caught up', async () => {
  const moments = new CacheDrops()
  moments.begin([1])
  await moments.settled()
  const missed = moments.begin([1])
  expect(moments.settled()).toBeNull()
  moments.seen(1, missed)
  moments.begin([1])
  expect(moments.settled()).not.toBeNull()
})

test('the newest event is reported once all have seen it, after those before it', async () => {
  const reported: number[] = []
  const moments = new CacheDrops((moment) => reported.push(moment))
  const first = moments.begin([1, 2])
  const second = moments.begin([1, 2])
  moments.seen(1, second)
  moments.seen(2, first)
  expect(reported).toEqual([])
  moments.seen(2, second)
  expect(reported).toEqual([second])
  const third = moments.begin([])
  expect(reported).toEqual([second, third])
})
