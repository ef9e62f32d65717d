import { expect, test } from 'vitest'
import { KEYLESS, MAX_PER_SECOND, tierOf } from '../../../server/access/plans.ts'

test('default: the rates of the plans and of callers without a key', () => {
  expect(tierOf('free', null)).toEqual({ name: 'free', perSecond: 10 })
  expect(tierOf('plus', null)).toEqual({ name: 'plus', perSecond: 25 })
  expect(tierOf('advanced', null)).toEqual({ name: 'advanced', perSecond: 100 })
  expect(KEYLESS).toEqual({ name: 'keyless', perSecond: 1 })
})

test('args: a custom plan has the rate it was given', () => {
  expect(tierOf('custom', 1).perSecond).toBe(1)
  expect(tierOf('custom', MAX_PER_SECOND)).toEqual({ name: 'custom', perSecond: 1_000_000 })
})

test.each([null, 0, -1, 1.5, MAX_PER_SECOND + 1, Number.NaN, Number.POSITIVE_INFINITY])(
  'error: a custom plan of %s per second',
  (perSecond) => {
    expect(() => tierOf('custom', perSecond)).toThrow(/1 to 1000000/)
  },
)

test('error: a rate for a plan that has its own', () => {
  expect(() => tierOf('free', 5)).toThrow(/free has its own rate/)
})
