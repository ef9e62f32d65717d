// A reader that does not take what it is sent.

import { afterEach, expect, test, vi } from 'vitest'
import { pacedSink } from '../../../server/http/streams/paced.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Tells which time limits of so many milliseconds still run: what else lives in this process has limits of its own. */
function limitsOf(ms: number): () => number {
  const running = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, delay) => {
    const timer = set(callback, delay)
    if (delay === ms) running.add(timer)
    return timer
  })
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    clear(timer)
    running.delete(timer)
  })
  return () => running.size
}

function scene(streamBytes: number, streamBytesPerSecond = 1000) {
  const log: string[] = []
  const state = { unread: 0, isClosed: false }
  let taken: (() => void) | null = null
  const sink = pacedSink(
    {
      get isClosed() {
        return state.isClosed
      },
      write(text) {
        log.push(text)
        state.unread += text.length
      },
      unread: () => state.unread,
      onTaken(callback) {
        taken = callback
      },
      tooSlow: () => log.push('closed'),
      fail: () => log.push('failed'),
    },
    { streamBytes, streamBytesPerSecond },
    () => log.push('counted'),
  )
  return { sink, log, state, take: () => taken?.() }
}

test('what is unread is bounded: the connection is closed with nothing left out before', () => {
  const { sink, log } = scene(8)
  for (const text of ['one', 'two', 'three', 'four']) sink.send(text, null)
  expect(log).toEqual(['one', 'two', 'three', 'counted', 'closed'])
  expect(sink.isClosed).toBe(true)
})

test('a replay waits for its reader, and ends its wait when the reader is gone', async () => {
  const { sink, log, state, take } = scene(100)
  sink.send('x'.repeat(60), null)
  let isDrained = false
  const drained = sink.drained().then(() => {
    isDrained = true
  })
  await Promise.resolve()
  take()
  await Promise.resolve()
  expect(isDrained).toBe(false)
  state.unread = 0
  take()
  await drained
  state.unread = 90
  state.isClosed = true
  await sink.drained()
  sink.send('late', null)
  expect(log).toHaveLength(1)
})

test('a replay waits no longer than a reader of the least speed needs, and then ends the connection', async () => {
  vi.useFakeTimers()
  const running = limitsOf(8000)
  const { sink, log, state, take } = scene(100, 10)
  sink.send('x'.repeat(80), null)
  const drained = sink.drained()
  // A byte a second: less than ten.
  for (let seconds = 1; seconds < 8; seconds++) {
    await vi.advanceTimersByTimeAsync(1000)
    state.unread--
    take()
  }
  expect(log.slice(1)).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  await drained
  expect(log.slice(1)).toEqual(['counted', 'closed'])
  expect([sink.isClosed, running()]).toEqual([true, 0])
})

test('a reader that takes what it missed fast enough is waited for each time anew', async () => {
  vi.useFakeTimers()
  const running = limitsOf(6000)
  const { sink, log, state, take } = scene(100, 10)
  for (let i = 0; i < 5; i++) {
    sink.send('x'.repeat(60), null)
    const drained = sink.drained()
    expect(running()).toBe(1)
    await vi.advanceTimersByTimeAsync(5000)
    state.unread = 0
    take()
    await drained
  }
  expect(log).toHaveLength(5)
  expect([sink.isClosed, running()]).toEqual([false, 0])
})
