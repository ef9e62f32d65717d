import { expect, test } from 'vitest'
import { ChainClock } from '../../../server/devchain/chain/chainClock.ts'

/** Of the machine, in seconds. */
const NOW = 1_800_000_000

const openClock = (): ChainClock => new ChainClock(() => NOW * 1000)

test('default: it counts from the newest block or from now, whichever is later', () => {
  const clock = openClock()
  clock.increase(10, 0)
  expect([clock.movedTo, clock.time, clock.offset]).toEqual([NOW + 10, NOW + 10, 10])
  clock.increase(5, NOW + 100)
  expect([clock.movedTo, clock.time, clock.offset]).toEqual([NOW + 105, NOW + 105, 105])
})

test('behavior: a distance that was stored moves it, and none makes it follow the machine', () => {
  const clock = openClock()
  clock.offset = 3600
  expect([clock.movedTo, clock.time]).toEqual([NOW + 3600, NOW + 3600])
  clock.reset()
  expect([clock.movedTo, clock.time]).toEqual([0, NOW])
})

test('behavior: restored, it is where it was, with the time of the next block', () => {
  const clock = openClock()
  clock.setNext(NOW + 50, NOW)
  const restore = clock.save()
  clock.passed()
  clock.increase(1000, NOW)
  restore()
  expect([clock.movedTo, clock.time, clock.upcoming(NOW)]).toEqual([NOW + 50, NOW + 50, NOW + 50])
  clock.passed()
  clock.hold(NOW + 7)
  expect([clock.time, clock.running]).toEqual([NOW + 7, NOW + 50])
  clock.release()
  expect(clock.time).toBe(NOW + 50)
})
