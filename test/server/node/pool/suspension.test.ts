// How long a server is left out that gives wrong answers of several kinds.

import { expect, onTestFinished, test } from 'vitest'
import { Suspension } from '../../../../server/node/pool/suspension.ts'
import { VirtualClock } from './virtualClock.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

function open() {
  const clock = new VirtualClock()
  onTestFinished(() => clock.close())
  return { clock, suspension: new Suspension(clock, true) }
}

const neverMissed = (): boolean => false

test('behavior: what it was left out for besides makes its next pause for a lie no shorter', async () => {
  const { clock, suspension } = open()
  const pauses: (number | null)[] = []
  for (let i = 0; i < 3; i++) {
    pauses.push(suspension.begin('a lie', 'lie'))
    expect(await suspension.wait(neverMissed)).toBe(true)
    pauses.push(suspension.begin('another network', 'network'))
    expect(await suspension.wait(neverMissed)).toBe(false)
    suspension.end()
  }
  expect(pauses).toEqual([10 * MINUTE_MS, 1_000, 20 * MINUTE_MS, 1_000, 40 * MINUTE_MS, 1_000])
  await clock.sleep(DAY_MS)
  expect(suspension.begin('a lie', 'lie')).toBe(10 * MINUTE_MS)
})

test('behavior: a lie of one that is left out for its network counts from then on', async () => {
  const { clock, suspension } = open()
  expect(suspension.begin('another network', 'network')).toBe(1_000)
  const waited = suspension.wait(neverMissed)
  expect(suspension.begin('a lie', 'lie')).toBeNull()
  expect(suspension.isLie).toBe(true)
  expect(await waited).toBe(true)
  expect(clock.now()).toBe(10 * MINUTE_MS)
  expect(suspension.reason).toBeNull()
})

test('behavior: a lie that is found while it is left out for another one makes the pause no longer', async () => {
  const { clock, suspension } = open()
  suspension.begin('a lie', 'lie')
  await clock.sleep(5 * MINUTE_MS)
  expect(suspension.begin('another lie', 'lie')).toBeNull()
  expect(await suspension.wait(neverMissed)).toBe(true)
  expect(clock.now()).toBe(10 * MINUTE_MS)
  expect(suspension.begin('a lie', 'lie')).toBe(20 * MINUTE_MS)
})

test('behavior: a liar is left out as long where no other server can be called', async () => {
  const { clock, suspension } = open()
  suspension.begin('a lie', 'lie')
  expect(await suspension.wait(() => true)).toBe(true)
  expect(clock.now()).toBe(10 * MINUTE_MS)
})

test('behavior: one that is closed meanwhile has not served its time', async () => {
  const { suspension } = open()
  suspension.begin('a lie', 'lie')
  const waited = suspension.wait(neverMissed)
  suspension.end()
  expect(await waited).toBe(false)
})

test('behavior: one that goes on naming another network is looked at ever less often, every ten minutes in the end', async () => {
  const { clock, suspension } = open()
  const pauses: number[] = []
  for (let look = 0; look < 12; look++) {
    suspension.begin('another network', 'network')
    const begun = clock.now()
    expect(await suspension.wait(neverMissed)).toBe(false)
    pauses.push((clock.now() - begun) / 1_000)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
})
