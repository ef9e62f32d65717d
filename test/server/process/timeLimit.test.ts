// Bounds in time, where nothing but their listener knows them.

import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { afterReading, afterRunning, boundedTime, timeLimit, waitAtMost } from '../../../server/process/index.ts'

/** Waits for a signal while garbage is collected again and again. */
async function reasonOf(begin: () => AbortSignal): Promise<unknown> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const collecting = setInterval(collect, 10)
  const reason = await new Promise((resolve) => {
    const signal = begin()
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true })
  })
  clearInterval(collecting)
  return reason
}

test('behavior: a bound outlives the collection of garbage, also next to another signal', async () => {
  const unused = () => new AbortController().signal
  expect(await reasonOf(() => timeLimit(200))).toMatchObject({ name: 'TimeoutError' })
  expect(await reasonOf(() => boundedTime(200, unused(), unused()).signal)).toMatchObject({ name: 'TimeoutError' })
})

test('behavior: another signal ends it first, with its own reason', () => {
  const other = new AbortController()
  const later = boundedTime(3_600_000, other.signal).signal
  other.abort('enough')
  expect(later.reason).toBe('enough')
  expect(boundedTime(3_600_000, other.signal).signal.reason).toBe('enough')
})

test('behavior: after its work it listens to nothing, and never aborts', async () => {
  const other = new AbortController()
  const bound = boundedTime(10, other.signal)
  expect(getEventListeners(other.signal, 'abort')).toHaveLength(1)
  bound.done()
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
  await new Promise((resolve) => setTimeout(resolve, 20))
  other.abort('enough')
  expect(bound.signal.aborted).toBe(false)
})

test('behavior: when the time is over it listens to nothing', async () => {
  const other = new AbortController()
  const { signal } = boundedTime(1, other.signal)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  expect(getEventListeners(other.signal, 'abort')).toEqual([])
})

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('behavior: work that is done leaves no timer, for which a process would stay', async () => {
  fakeTime()
  await waitAtMost(Promise.resolve(), 60_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('behavior: what is called off once the time is over does not come in the next turn', () => {
  fakeTime()
  const late = vi.fn()
  const cancel = afterReading(100, late)
  vi.advanceTimersToNextTimer()
  cancel()
  vi.runAllTimers()
  expect(late).not.toHaveBeenCalled()
})

test('behavior: time in which a process ran is over when all of it has passed', () => {
  fakeTime()
  const over = vi.fn()
  afterRunning(1_000, over)
  vi.advanceTimersByTime(999)
  expect(over).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(over).toHaveBeenCalledTimes(1)
})
