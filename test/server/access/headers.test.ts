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

test('behavior: a burst is over no window in which the rate allows less', () => {
  const budget = { allowed: true, remaining: 0, resetAfter: 0, retryAfter: 0 }
  const page = { name: 'page', perSecond: 3, burst: 40 }
  const fields = Object.fromEntries(pairs(rateHeaders({ ...budget, tier: page })))
  expect(fields).toMatchObject({ 'RateLimit-Policy': '"page";q=40;w=14', 'RateLimit-Limit': '40' })
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

test('behavior: a key with a quota sees what is left of it, and is warned before it is used up', () => {
  const fieldsAt = (used: number) => {
    const quota = { limit: 100, used, resetAfter: 60 }
    const fields = pairs(rateHeaders({ allowed: true, tier, remaining: 1, resetAfter: 0, retryAfter: 0, quota }))
    return Object.fromEntries(fields.slice(5))
  }
  const field = (remaining: string) => ({
    'X-Quota-Limit': '100',
    'X-Quota-Remaining': remaining,
    'X-Quota-Reset': '60',
  })
  const warning = (words: string) => ({ 'X-Quota-Warning': `monthly quota of this key: ${words}` })
  expect(fieldsAt(79)).toEqual(field('21'))
  expect(fieldsAt(80)).toEqual({ ...field('20'), ...warning('80 percent used') })
  expect(fieldsAt(99)).toEqual({ ...field('1'), ...warning('95 percent used') })
  expect(fieldsAt(100)).toEqual({ ...field('0'), ...warning('used up') })
  expect(fieldsAt(103)).toEqual({ ...field('0'), ...warning('used up') })
})
