// Pings that stay unanswered: a peer that is gone is noticed, and one is not taken for gone because this process stood still.

import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SocketPulse } from '../../../../server/http/connections/socketLife.ts'
import { ApiError } from '../../../../shared/errors.ts'

const EVERY_MS = 30_000
let stoodMs = 0

beforeEach(() => {
  vi.useFakeTimers()
  stoodMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + stoodMs)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function scene(identify: () => unknown = () => undefined) {
  const ws = Object.assign(new EventEmitter(), { isPaused: false, ping: () => undefined })
  const silence: boolean[] = []
  const left: string[] = []
  const pulse = new SocketPulse(ws, {
    everyMs: EVERY_MS,
    identify,
    onSilence: (isSilent) => void silence.push(isSilent),
    leave: (_, reason) => void left.push(reason),
  })
  return { ws, silence, left, pulse }
}

/** The timers do not run meanwhile: each that is due runs once, afterwards. */
function standStill(ms: number): void {
  stoodMs += ms
  vi.advanceTimersByTime(EVERY_MS)
}

test('default: who leaves one ping unanswered is silent, and with two its connection ends', () => {
  const { silence, left, pulse } = scene()
  vi.advanceTimersByTime(EVERY_MS)
  expect(silence).toEqual([false])
  vi.advanceTimersByTime(EVERY_MS)
  expect(silence).toEqual([false, true])
  expect(left).toEqual([])
  vi.advanceTimersByTime(EVERY_MS)
  expect(left).toEqual(['pings were not answered'])
  pulse.stop()
})

test.each(['pong', 'message'])('behavior: a %s ends the silence', (heard) => {
  const { ws, silence, left, pulse } = scene()
  vi.advanceTimersByTime(2 * EVERY_MS)
  ws.emit(heard)
  vi.advanceTimersByTime(EVERY_MS)
  expect(silence).toEqual([false, true, false, false])
  expect(left).toEqual([])
  pulse.stop()
})

test('behavior: a process that stood still has read no answers, and takes nobody for silent', () => {
  const { silence, left, pulse } = scene()
  vi.advanceTimersByTime(EVERY_MS)
  for (let i = 0; i < 3; i++) standStill(2 * EVERY_MS)
  expect(silence).toEqual([false, false, false, false])
  expect(left).toEqual([])
  vi.advanceTimersByTime(EVERY_MS)
  expect(silence.at(-1)).toBe(true)
  pulse.stop()
})

test.each([
  ['was revoked', new ApiError('unauthorized'), ['API key does not exist']],
  ['cannot be read for a while', new ApiError('busy'), []],
  ['cannot be read', new Error('no store'), []],
])('behavior: one whose key %s', async (_, error, reasons) => {
  const { left, pulse } = scene(() => Promise.reject(error))
  await vi.advanceTimersByTimeAsync(EVERY_MS)
  expect(left).toEqual(reasons)
  pulse.stop()
})
