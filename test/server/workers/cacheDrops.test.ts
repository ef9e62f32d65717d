import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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

/** Two ends of a connection. */
async function pipe(): Promise<{ readonly readable: Socket; readonly writable: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const writable = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  const [readable]: Socket[] = await once(server, 'connection')
  onTestFinished(() => {
    writable.destroy()
    server.close()
  })
  if (readable === undefined) throw new Error('no connection')
  return { readable, writable }
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

test('a worker that takes the place of a stuck one is waited for', async () => {
  const moments = new CacheDrops()
  moments.begin([1])
  await moments.settled()
  moments.leave(1)
  moments.begin([1])
  expect(moments.settled()).not.toBeNull()
})

test('an event is reported once all have seen it and those before it', async () => {
  const reported: number[] = []
  const moments = new CacheDrops((moment) => reported.push(moment))
  const first = moments.begin([1, 2])
  const second = moments.begin([1, 2])
  moments.seen(1, second)
  moments.seen(2, first)
  expect(reported).toEqual([first])
  moments.seen(2, second)
  expect(reported).toEqual([first, second])
  const third = moments.begin([])
  expect(reported).toEqual([first, second, third])
})

test('a result waits for the event before it, and not for events that come while it waits', async () => {
  const reported: number[] = []
  const drops = new CacheDrops((moment) => reported.push(moment))
  const first = drops.begin([1, 2])
  const ofFirst = drops.settled()
  const second = drops.begin([1, 2])
  const ofSecond = drops.settled()
  drops.seen(1, first)
  drops.seen(2, first)
  expect(await isOver(ofFirst)).toBe(true)
  expect(await isOver(ofSecond)).toBe(false)
  expect(reported).toEqual([first])
  drops.seen(1, second)
  drops.seen(2, second)
  expect(await isOver(ofSecond)).toBe(true)
  expect(reported).toEqual([first, second])
})

test('a process that has seen a later event is not late for an earlier one because another is stuck', async () => {
  const drops = new CacheDrops()
  drops.begin([1, 2])
  const second = drops.begin([1, 2])
  drops.seen(1, second)
  // Process 2 never answers.
  await drops.settled()
  expect(drops.settled()).toBeNull()
  drops.begin([1, 2])
  expect(drops.settled()).not.toBeNull()
})

test('what arrived while this process was busy is read before anyone is late', async () => {
  const drops = new CacheDrops()
  const moment = drops.begin([1])
  const { readable, writable } = await pipe()
  readable.once('data', () => drops.seen(1, moment))
  await new Promise<void>((resolve) => writable.write('seen', () => resolve()))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  await drops.settled()
  drops.begin([1])
  expect(drops.settled()).not.toBeNull()
})

test('a worker that has caught up is waited for with what it has not seen yet', async () => {
  const drops = new CacheDrops()
  const missed = drops.begin([1, 2])
  drops.seen(1, missed)
  await drops.settled()
  drops.begin([1, 2])
  const waiting = drops.settled()
  drops.seen(2, missed)
  drops.seen(1, drops.moment)
  expect(await isOver(waiting)).toBe(false)
  drops.seen(2, drops.moment)
  expect(await isOver(waiting)).toBe(true)
})
