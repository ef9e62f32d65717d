import { expect, test } from 'vitest'
import { Availability } from '../../../../server/node/pool/availability.ts'
import type { Clock } from '../../../../server/node/systemClock.ts'

/** A clock that stands at zero, with the timers that are set. */
function openClock() {
  const timers = new Map<() => void, number>()
  const clock: Clock = {
    now: () => 0,
    after: (ms, run) => {
      timers.set(run, ms)
      return () => timers.delete(run)
    },
  }
  return { timers, availability: new Availability(clock) }
}

test('default: each loss of the last server is reported once', () => {
  const { availability } = openClock()
  let losses = 0
  const leave = availability.onAway(() => losses++)
  for (const isAnyUsable of [true, false, false, true, false, false]) availability.changed(isAnyUsable)
  expect(losses).toBe(2)
  leave()
  availability.changed(true)
  availability.changed(false)
  expect(losses).toBe(2)
})

test('behavior: who waits for a change leaves no timer, whether it came in time or not', async () => {
  const { timers, availability } = openClock()
  const inTime = availability.change(5)
  const late = availability.change(7)
  expect([...timers.values()]).toEqual([5, 7])
  for (const [run, ms] of timers) if (ms === 7) run()
  expect(await late).toBe(false)
  availability.changed(true)
  expect(await inTime).toBe(true)
  expect([...timers.values()].filter((ms) => ms === 5)).toEqual([])
  expect(await availability.change(0)).toBe(false)
})
