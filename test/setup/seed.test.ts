import fc from 'fast-check'
import { expect, test } from 'vitest'

test('random lists are as long as their tests allow', () => {
  const lists = fc.sample(fc.array(fc.nat(), { maxLength: 60 }), 100)
  expect(Math.max(...lists.map(({ length }) => length))).toBeGreaterThan(50)
})
