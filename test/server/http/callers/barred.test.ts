import { expect, test } from 'vitest'
import { Barred, RefusalWindow } from '../../../../server/http/callers/barred.ts'

test('as many refusals as are allowed end nothing, one more does; each window begins anew', () => {
  const refusals = new RefusalWindow(2, 100)
  const seen = [0, 50, 99, 100, 150, 199, 200].map((now) => refusals.isTooMany(1_000 + now))
  expect(seen).toEqual([false, false, true, false, false, true, false])
})

test('a caller may come again when its time is over, which is said in whole seconds, rounded up', () => {
  const barred = new Barred()
  barred.add('me', 2_001)
  expect([0, 1, 2_000, 2_001, 0].map((now) => barred.secondsFor('me', now))).toEqual([3, 2, 1, 0, 0])
  expect(barred.secondsFor('another', 0)).toBe(0)
})

test('of more than ten thousand the one that was barred the longest ago is let in', () => {
  const barred = new Barred()
  for (let i = 0; i < 10_000; i++) barred.add(`caller ${i}`, 1_000)
  barred.add('caller 0', 1_000)
  barred.add('one more', 1_000)
  const isBarred = (subject: string) => barred.secondsFor(subject, 0) > 0
  expect(['caller 0', 'caller 1', 'caller 2', 'one more'].map(isBarred)).toEqual([true, false, true, true])
})
