import { expect, test } from 'vitest'
import { rateHeaders } from '../../../server/access/headers.ts'

const tier = { name: 'free', perSecond: 10 }

/** Names and values in turn, as pairs. */
const pairs = (fields: readonly string[]) =>
  fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ''] as const] : []))

test('default: both families of fields, nothing to wait for', () => {
  expect(pairs(rateHeaders({ allowed: true, tier, remaining: 7, resetAfter: 1, retryAfter: 0 }))).toEqual([
    ['RateLimit-Policy', '"free";q=10;w=1'],
    ['RateLimit', '"free";r=7;t=1'],
    ['RateLimit-Limit', '10'],
    ['RateLimit-Remaining', '7'],
    ['RateLimit-Reset', '1'],
  ])
})

test('behavior: an empty budget says when it is full again, and leaves Retry-After to the refusal', () => {
  const budget = { allowed: false, tier, remaining: 0, resetAfter: 4, retryAfter: 3 }
  const fields = Object.fromEntries(pairs(rateHeaders(budget)))
  expect(fields).toMatchObject({ RateLimit: '"free";r=0;t=4' })
  expect(fields).not.toHaveProperty('Retry-After')
})

test('behavior: tiers of one name and different rates are distinguished', () => {
  const budget = { allowed: true, remaining: 0, resetAfter: 0, retryAfter: 0 }
  const limitOf = (perSecond: number) =>
    Object.fromEntries(pairs(rateHeaders({ ...budget, tier: { name: 'custom', perSecond } })))['RateLimit-Limit']
  expect([limitOf(5), limitOf(500)]).toEqual(['5', '500'])
})
