import { expect, test } from 'vitest'
import { Quotas } from '../../../server/access/index.ts'

test('a quota ends with its month, in UTC, and what was not sent of it is sent', () => {
  let now = Date.UTC(2026, 10, 30, 23, 59, 50)
  const quotas = new Quotas(() => now)
  expect(quotas.spend('k', 10, 4)).toBeNull()
  expect(quotas.state('k', 10)).toEqual({ limit: 10, used: 4, resetAfter: 10 })
  now += 10_000
  expect(quotas.state('k', 10)).toEqual({ limit: 10, used: 0, resetAfter: 31 * 86_400 })
  quotas.spend('k', 10, 1)
  expect(quotas.take()).toEqual([
    { month: '2026-11', keyId: 'k', weight: 4 },
    { month: '2026-12', keyId: 'k', weight: 1 },
  ])
  expect(quotas.take()).toEqual([])
})

// A statement that adds to one row twice is refused, and the batch with it, however often it is tried again.
test('a clock that is set back over the end of a month leaves one amount of each month and key', () => {
  let now = Date.UTC(2026, 11, 1) - 1
  const quotas = new Quotas(() => now)
  quotas.spend('k', 100, 4)
  for (const [by, used] of [
    [1, 0],
    [-1, 4],
    [1, 1],
  ] as const) {
    now += by
    expect(quotas.state('k', 100).used).toBe(used)
    quotas.spend('k', 100, 1)
    quotas.spend('l', 100, 2)
  }
  expect(quotas.take().toSorted((a, b) => (a.month + a.keyId < b.month + b.keyId ? -1 : 1))).toEqual([
    { month: '2026-11', keyId: 'k', weight: 5 },
    { month: '2026-11', keyId: 'l', weight: 2 },
    { month: '2026-12', keyId: 'k', weight: 2 },
    { month: '2026-12', keyId: 'l', weight: 4 },
  ])
  expect(quotas.take()).toEqual([])
})

test('warnings at 80, 95 and 100 percent come once each', () => {
  const quotas = new Quotas(() => 0)
  const warnings = Array.from({ length: 12 }, () => quotas.spend('k', 10, 1))
  expect(warnings).toEqual([null, null, null, null, null, null, null, 80, null, 100, null, null])
})

test('the shared total is added to what was not sent', () => {
  const quotas = new Quotas(() => 0)
  quotas.spend('k', 100, 5)
  quotas.take()
  quotas.spend('k', 100, 2)
  quotas.learn(quotas.month, 'k', 50)
  expect(quotas.state('k', 100).used).toBe(52)
  quotas.learn('1969-12', 'k', 90)
  expect(quotas.state('k', 100).used).toBe(52)
})

test('with a new month the totals of a key are to be read again, for that month', () => {
  let now = Date.UTC(2026, 11, 1) - 1
  const quotas = new Quotas(() => now)
  quotas.learn(quotas.month, 'k', 5)
  expect([quotas.month, quotas.knows('k')]).toEqual(['2026-11', true])
  now++
  expect(quotas.knows('k')).toBe(false)
  now += 31 * 86_400_000
  expect(quotas.month).toBe('2027-01')
})

test('a clock that jumps gives no month back, whether that was sent or not, and warns of it once', () => {
  const november = Date.UTC(2026, 10, 20)
  let now = november
  const quotas = new Quotas(() => now)
  const stored = new Map<string, number>()
  const spentIn = new Map<string, number>()
  const warnings: (number | null)[] = []
  for (const [i, days] of [0, 31, 0, -31, 0, 62, 31, 92, -31, -62, 0, 0].entries()) {
    now = november + days * 86_400_000
    const { month } = quotas
    if (!quotas.knows('k')) quotas.learn(month, 'k', stored.get(month) ?? 0)
    const spent = spentIn.get(month) ?? 0
    expect([month, quotas.state('k', 10).used]).toEqual([month, spent])
    const cost = i === 0 ? 8 : i === 11 ? 2 : 0.5
    warnings.push(quotas.spend('k', 10, cost))
    spentIn.set(month, spent + cost)
    if (i % 2 === 0) continue
    for (const { month: name, weight } of quotas.take()) stored.set(name, (stored.get(name) ?? 0) + weight)
  }
  expect(warnings.filter((percent) => percent !== null)).toEqual([80, 95, 100])
})

test('the total of a month is to be read also after calls in it, and one read too early takes nothing away', () => {
  const quotas = new Quotas(() => 0)
  quotas.spend('k', 100, 5)
  expect(quotas.knows('k')).toBe(false)
  quotas.take()
  quotas.learn(quotas.month, 'k', 0)
  expect([quotas.knows('k'), quotas.state('k', 100).used]).toEqual([true, 5])
})
