// A reader that does not take what it is sent.

import { expect, test } from 'vitest'
import { pacedSink } from '../../../server/http/streams/paced.ts'

function scene(mostBytes: number) {
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
    mostBytes,
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
