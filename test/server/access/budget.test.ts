import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../server/access/access.ts'
import { Budgets } from '../../../server/access/budget.ts'

const tier = (perSecond: number): Tier => ({ name: 'test', perSecond })

function setup(capacity?: number) {
  const clock = { ms: 1_700_000_000_000 }
  const budgets = new Budgets({ now: () => clock.ms, ...(capacity === undefined ? {} : { capacity }) })
  return { clock, budgets }
}

describe('spend', () => {
  test("default: one second's worth at once, then evenly", () => {
    const { clock, budgets } = setup()
    const ten = tier(10)
    for (let left = 9; left >= 0; left--)
      expect(budgets.spend('a', ten, 1)).toEqual({
        allowed: true,
        tier: ten,
        remaining: left,
        resetAfter: 1,
        retryAfter: 0,
      })
    expect(budgets.spend('a', ten, 1)).toEqual({
      allowed: false,
      tier: ten,
      remaining: 0,
      resetAfter: 1,
      retryAfter: 1,
    })
    clock.ms += 99
    expect(budgets.spend('a', ten, 1).allowed).toBe(false)
    clock.ms += 1
    expect(budgets.spend('a', ten, 1).allowed).toBe(true)
    expect(budgets.spend('a', ten, 1).allowed).toBe(false)
    clock.ms += 10_000
    expect(budgets.spend('a', ten, 10)).toMatchObject({ allowed: true, remaining: 0 })
  })

  test('behavior: a look at it, at any time, says what a call would find, and takes nothing', () => {
    const { clock, budgets } = setup()
    const two = { ...tier(2), burst: 4 }
    clock.ms += 5_000
    expect(budgets.peek('a', two)).toMatchObject({ allowed: true, remaining: 4, resetAfter: 0, retryAfter: 0 })
    budgets.spend('a', two, 3)
    expect(budgets.peek('a', two)).toMatchObject({ allowed: true, remaining: 1, resetAfter: 2, retryAfter: 0 })
    budgets.spend('a', two, 1)
    for (let i = 0; i < 2; i++)
      expect(budgets.peek('a', two)).toMatchObject({ allowed: false, remaining: 0, resetAfter: 2, retryAfter: 1 })
    clock.ms += 500
    expect(budgets.peek('a', two)).toMatchObject({ allowed: true, remaining: 1, resetAfter: 2 })
  })

  test('behavior: what others have spent lowers it, and never gives back what was spent here', () => {
    const { clock, budgets } = setup()
    const ten = tier(10)
    clock.ms += 5_000
    budgets.raise('a', 1_000)
    expect(budgets.spend('a', ten, 1)).toMatchObject({ allowed: false, resetAfter: 1 })
    budgets.raise('a', 200)
    expect(budgets.peek('a', ten)).toMatchObject({ allowed: false, resetAfter: 1 })
    budgets.raise('a', 3_000)
    expect(budgets.peek('a', ten)).toMatchObject({ allowed: false, resetAfter: 3, retryAfter: 3 })
  })

  test('behavior: subjects do not share', () => {
    const { budgets } = setup()
    expect(budgets.spend('a', tier(1), 1).allowed).toBe(true)
    expect(budgets.spend('b', tier(1), 1).allowed).toBe(true)
    expect(budgets.spend('a', tier(1), 1).allowed).toBe(false)
  })

  test('behavior: a call dearer than the bucket passes when it is full and is paid off by waiting', () => {
    const { clock, budgets } = setup()
    const ten = tier(10)
    expect(budgets.spend('a', ten, 35)).toMatchObject({ allowed: true, remaining: 0, resetAfter: 4, retryAfter: 0 })
    expect(budgets.spend('a', ten, 1)).toMatchObject({ allowed: false, resetAfter: 4, retryAfter: 3 })
    expect(budgets.spend('a', ten, 35)).toMatchObject({ allowed: false, retryAfter: 4 })
    clock.ms += 2_500
    expect(budgets.spend('a', ten, 1)).toMatchObject({ allowed: false, remaining: 0, retryAfter: 1 })
    clock.ms += 100
    expect(budgets.spend('a', ten, 1).allowed).toBe(true)
  })

  test('behavior: a dear call waits for a full bucket', () => {
    const { clock, budgets } = setup()
    budgets.spend('a', tier(10), 1)
    expect(budgets.spend('a', tier(10), 35)).toMatchObject({ allowed: false, remaining: 9, retryAfter: 1 })
    clock.ms += 100
    expect(budgets.spend('a', tier(10), 35).allowed).toBe(true)
  })

  test('behavior: a refused call costs nothing', () => {
    const { clock, budgets } = setup()
    budgets.spend('a', tier(1), 1)
    for (let i = 0; i < 100; i++) budgets.spend('a', tier(1), 1)
    clock.ms += 1_000
    expect(budgets.spend('a', tier(1), 1).allowed).toBe(true)
  })

  test('behavior: however soon the next call passes, one that is refused comes again after a second', () => {
    const clock = { ms: 0 }
    const budgets = new Budgets({ now: () => clock.ms })
    const fast = tier(1_000_000)
    budgets.spend('a', fast, 1_000_000)
    clock.ms = 0.0009995
    expect(budgets.spend('a', fast, 1)).toMatchObject({ allowed: false, retryAfter: 1 })
  })

  test('args: cost 0 passes unless there is a debt, and leaves nothing behind', () => {
    const { budgets } = setup()
    expect(budgets.spend('a', tier(1), 0)).toMatchObject({ allowed: true, remaining: 1, resetAfter: 0 })
    expect(budgets.size).toBe(0)
    budgets.spend('a', tier(1), 3)
    expect(budgets.spend('a', tier(1), 0).allowed).toBe(false)
  })

  test('args: fractions of a call', () => {
    const { budgets } = setup()
    for (let i = 0; i < 10; i++) expect(budgets.spend('a', tier(1), 0.1).allowed).toBe(true)
    expect(budgets.spend('a', tier(1), 0.1).allowed).toBe(false)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('error: a cost of %s', (cost) => {
    expect(() => setup().budgets.spend('a', tier(1), cost)).toThrow(RangeError)
  })

  test.each([1, 3, 7, 10, 333, 999_983, 1_000_000])(
    'args: %s per second is neither more nor less, also years in',
    (rate) => {
      const { clock, budgets } = setup()
      clock.ms += 3 * 365 * 86_400_000
      let passed = 0
      for (let i = 0; i < 4_000; i++) {
        clock.ms += 0.25
        for (let call = 0; call < Math.ceil(rate / 4_000) + 1; call++)
          passed += budgets.spend('a', tier(rate), 1).allowed ? 1 : 0
      }
      expect(Math.abs(passed - Math.min(2 * rate, 4_000 * (Math.ceil(rate / 4_000) + 1)))).toBeLessThanOrEqual(
        1 + rate / 50,
      )
    },
  )

  test('behavior: a clock set back refuses for no longer than it was set back', () => {
    const { clock, budgets } = setup()
    budgets.spend('a', tier(1), 1)
    clock.ms -= 5_000
    expect(budgets.spend('a', tier(1), 1)).toMatchObject({ allowed: false, retryAfter: 6 })
    clock.ms += 6_000
    expect(budgets.spend('a', tier(1), 1).allowed).toBe(true)
  })
})

test('peek: the state without taking anything', () => {
  const { budgets } = setup()
  expect(budgets.peek('a', tier(2))).toEqual({
    allowed: true,
    tier: tier(2),
    remaining: 2,
    resetAfter: 0,
    retryAfter: 0,
  })
  expect(budgets.size).toBe(0)
  budgets.spend('a', tier(2), 2)
  for (let i = 0; i < 3; i++)
    expect(budgets.peek('a', tier(2))).toEqual({
      allowed: false,
      tier: tier(2),
      remaining: 0,
      resetAfter: 1,
      retryAfter: 1,
    })
})

test('over any window no more is spent than capacity, rate times time and the last overdraft', () => {
  const step = fc.record({
    wait: fc.nat(1_500),
    cost: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 200 })),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.array(step, { maxLength: 60 }), (rate, steps) => {
      const { clock, budgets } = setup()
      const spent: { at: number; cost: number }[] = []
      for (const { wait, cost } of steps) {
        clock.ms += wait
        if (budgets.spend('a', tier(rate), cost).allowed) spent.push({ at: clock.ms, cost })
      }
      for (const [first, { at: from }] of spent.entries()) {
        let sum = 0
        for (const { at, cost } of spent.slice(first)) {
          sum += cost
          const overdraft = Math.max(0, cost - rate)
          expect(sum).toBeLessThanOrEqual(rate + (rate * (at - from)) / 1000 + overdraft + 1e-4)
        }
      }
    }),
  )
})

describe('memory', () => {
  test('behavior: a million fresh addresses at once stay within the bound', () => {
    const { budgets } = setup()
    for (let i = 0; i < 1_000_000; i++) budgets.spend(`address-${i}`, tier(1), 1)
    expect(budgets.size).toBe(100_000)
  })

  test('behavior: who is full again is forgotten while others call', () => {
    const { clock, budgets } = setup()
    for (let i = 0; i < 5_000; i++) budgets.spend(`address-${i}`, tier(1), 1)
    expect(budgets.size).toBe(5_000)
    clock.ms += 1_000
    for (let i = 0; i < 6_000; i++) budgets.spend('steady', tier(1_000_000), 1)
    expect(budgets.size).toBe(1)
  })

  test('behavior: after a flood that was forgotten each fresh address is limited as before it', () => {
    const { clock, budgets } = setup()
    for (let i = 0; i < 5_000; i++) budgets.spend(`address-${i}`, tier(1), 1)
    clock.ms += 1_000
    for (let i = 0; i < 6_000; i++) budgets.spend('free', tier(1), 0)
    expect(budgets.size).toBe(0)
    const fresh = Array.from({ length: 5_000 }, (_, i) => `fresh-${i}`)
    for (const passed of [fresh, []]) {
      expect(fresh.filter((subject) => budgets.spend(subject, tier(1), 1).allowed)).toEqual(passed)
    }
  })

  test('behavior: a stream of fresh addresses keeps no more than those of the last moments', () => {
    const { clock, budgets } = setup()
    for (let i = 0; i < 200_000; i++) {
      if (i % 10 === 0) clock.ms += 1
      budgets.spend(`address-${i}`, tier(1), 1)
    }
    expect(budgets.size).toBeLessThan(25_000)
  })

  test('behavior: a flood does not wash away a debt that outlives it', () => {
    for (let capacity = 90; capacity <= 110; capacity++) {
      const { budgets } = setup(capacity)
      budgets.spend('debtor', tier(10), 10_000)
      for (let i = 0; i < 5_000; i++) budgets.spend(`address-${i}`, tier(1), 1)
      expect(budgets.size).toBe(capacity)
      expect(budgets.peek('debtor', tier(10)).allowed).toBe(false)
    }
  })

  test('behavior: forgetting changes nothing for anybody', () => {
    const names = ['', 'a', 'b', 'c', 'd', 'e', 'f']
    const step = fc.record({
      wait: fc.nat(400),
      subject: fc.constantFrom(...names),
      cost: fc.integer({ min: 1, max: 12 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const shared = setup()
        const alone = new Map(names.map((name) => [name, setup()]))
        for (const { wait, subject, cost } of steps) {
          shared.clock.ms += wait
          for (const own of alone.values()) own.clock.ms += wait
          expect(shared.budgets.spend(subject, tier(5), cost)).toEqual(
            alone.get(subject)?.budgets.spend(subject, tier(5), cost),
          )
        }
      }),
    )
  })

  test.each(['__proto__', 'constructor', '', '\0'])('args: the subject %j is like any other', (subject) => {
    const { budgets } = setup()
    expect(budgets.spend(subject, tier(1), 1).allowed).toBe(true)
    expect(budgets.spend(subject, tier(1), 1).allowed).toBe(false)
  })
})
