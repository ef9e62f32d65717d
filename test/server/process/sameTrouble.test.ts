import { expect, test } from 'vitest'
import { SameTrouble } from '../../../server/process/index.ts'

test('trouble is news when it begins, when it is another one, and after ten minutes', () => {
  let now = 5_000
  const trouble = new SameTrouble(() => now)
  const isNew = (text: string, ms = 0): boolean => {
    now += ms
    return trouble.isNew(text)
  }
  expect([isNew('full'), isNew('full', 599_999), isNew('full', 1), isNew('full')]).toEqual([true, false, true, false])
  expect([isNew('broken'), isNew('full')]).toEqual([true, true])
  trouble.end()
  expect(isNew('full')).toBe(true)
})
