// A reader that does not take what it is sent.

import { expect, test } from 'vitest'
import { pacedSink } from '../../../server/http/streams/paced.ts'
import { HandClock } from '../../setup/handClock.ts'

function scene(streamBytes: number, streamBytesPerSecond = 1000) {
  const log: string[] = []
  const clock = new HandClock()
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
    clock.after,
  )
  return { sink, log, state, clock, take: () => taken?.() }
}

test('what is unread is bounded: the connection is closed with nothing left out before', () => {
  const { sink, log } = scene(8)
  for (const text of ['one', 'two', 'three', 'four']) sink.send(text, null)
  expect(log).toEqual(['one', 'two', 'three', 'counted', 'closed'])
  expect(sink.isClosed).toBe(true)
})

test('a notification that is larger than the bound alone reaches a reader that has taken what came before', () => {
  const { sink, log, state } = scene(8)
  sink.send('one', null)
  sink.send('a very large one', null)
  expect(sink.isClosed).toBe(false)
  state.unread = 0
  sink.send('two', null)
  expect(log).toEqual(['one', 'a very large one', 'two'])
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
  const { sink, log, state, take, clock } = scene(100, 10)
  sink.send('x'.repeat(80), null)
  const drained = sink.drained()
  // A byte a second: less than ten.
  for (let seconds = 1; seconds < 8; seconds++) {
    await clock.advance(1000)
    state.unread--
    take()
  }
  expect(log.slice(1)).toEqual([])
  await clock.advance(1000)
  await drained
  expect(log.slice(1)).toEqual(['counted', 'closed'])
  expect([sink.isClosed, clock.limits.size]).toEqual([true, 0])
})

test('a reader that takes what it missed fast enough is waited for each time anew', async () => {
  const { sink, log, state, take, clock } = scene(100, 10)
  for (let i = 0; i < 5; i++) {
    sink.send('x'.repeat(60), null)
    const drained = sink.drained()
    expect(clock.limits.size).toBe(1)
    await clock.advance(5000)
    state.unread = 0
    take()
    await drained
  }
  expect(log).toHaveLength(5)
  expect([sink.isClosed, clock.limits.size]).toEqual([false, 0])
})
