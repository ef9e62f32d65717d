import { expect, test } from 'vitest'
import type { Plan } from '../../../server/access/access.ts'
import {
  BUILT_IN,
  checkPlan,
  connectionsOf,
  KEYLESS,
  PLAN_BOUNDS,
  planNamed,
  streamLimitsOf,
  tierOf,
} from '../../../server/access/plans.ts'

const [FREE] = BUILT_IN
const gold: Plan = { ...FREE, name: 'gold', perSecond: 50 }
const refused = expect.objectContaining({ reason: 'refused' })

test('default: the rates of the plans and of callers without a key', () => {
  const rate = (name: string) => tierOf({ plan: name, perSecond: null }, planNamed(BUILT_IN, name)).perSecond
  expect(['free', 'plus', 'advanced'].map(rate)).toEqual([10, 25, 100])
  expect(KEYLESS).toEqual({ name: 'keyless', perSecond: 1 })
  expect(tierOf({ plan: 'custom', perSecond: 7 }, planNamed(BUILT_IN, 'custom'))).toMatchObject({ perSecond: 7 })
})

test('default: connections and streams of the plans', () => {
  const limits = BUILT_IN.map((plan) => {
    const tier = tierOf({ plan: plan.name, perSecond: 5 }, plan)
    return [connectionsOf(tier), ...Object.values(streamLimitsOf(tier))]
  })
  const most = Number.POSITIVE_INFINITY
  expect(limits).toEqual([
    [50, 5, 200, 5],
    [100, 20, 1000, 20],
    [250, 100, 10_000, 100],
    [most, most, most, 1000],
  ])
  expect(streamLimitsOf(KEYLESS)).toEqual({ connections: 2, addresses: 50, webhooks: 0 })
  expect(streamLimitsOf(null)).toEqual({ connections: most, addresses: most, webhooks: 1000 })
})

test('behavior: a key whose plan is missing is limited like a caller without a key, but for a rate of its own', () => {
  const tier = tierOf({ plan: 'gone', perSecond: null }, null)
  expect([tier, streamLimitsOf(tier).webhooks]).toEqual([KEYLESS, 0])
  expect(tierOf({ plan: 'custom', perSecond: 7 }, null)).toEqual({ name: 'keyless', perSecond: 7 })
})

test('args: each limit at its ends, and without one', () => {
  for (const [name, { least, most, unlimited }] of Object.entries(PLAN_BOUNDS)) {
    for (const value of [least, most]) expect(() => checkPlan({ ...gold, [name]: value })).not.toThrow()
    const wrong = [
      least - 1,
      most + 1,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e300,
      ...(unlimited ? [] : [null]),
    ]
    for (const value of wrong) expect(() => checkPlan({ ...gold, [name]: value }), `${name} ${value}`).toThrow(refused)
  }
})

test.each(['', 'Gold', '-gold', 'g'.repeat(10_000), 'a b', 'gold\n', '__proto__', 'x\u202ey', 'keyless', 'page'])(
  'error: a plan named %j',
  (name) => {
    expect(() => checkPlan({ ...gold, name })).toThrow(refused)
  },
)

test('error: a rate for all keys of the plan custom', () => {
  expect(() => checkPlan({ ...gold, name: 'custom' })).toThrow(/have each a rate of their own/)
})
