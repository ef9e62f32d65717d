import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sorting } from '../../../server/fairness/index.ts'

/** The list, and how many times it paused. */
function run<T>(work: Generator<void, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next()
    if (done === true) return { value, pauses }
  }
}

test('default: as Array.prototype.sort, equal ones in their order', () => {
  const item = fc.record({ name: fc.nat(40), at: fc.nat() })
  const compare = (a: { name: number }, b: { name: number }) => a.name - b.name
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), fc.nat(400), (some, times) => {
      const items = Array.from({ length: times }, () => some)
        .flat()
        .map((one, at) => ({ ...one, at }))
      expect(run(sorting(items, compare)).value).toEqual([...items].sort(compare))
    }),
    { numRuns: 60 },
  )
})

test('behavior: texts; a long list is sorted in pieces of a thousand', () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 19_997}`)
  const { value, pauses } = run(sorting(texts, (a, b) => (a < b ? -1 : 1)))
  expect(value).toEqual([...texts].sort())
  // 20 lists, merged in five rounds.
  expect(pauses).toBeGreaterThanOrEqual(20 + 4 * 20)
})
