// How many rows of a history fit what a person chose.

import { expect, test, vi } from 'vitest'

test('of a single trace that was read nothing is counted', async () => {
  vi.stubGlobal('document', { getElementById: () => null, baseURI: 'http://localhost/' })
  vi.stubGlobal('location', { href: 'http://localhost/?show=failed' })
  vi.stubGlobal('history', { state: { step: 1 } })
  const { Chosen } = await import('../../../client/explorer/account/HistoryFilters.tsx')
  const wordsOf = (of: number, all: number | null) =>
    [Chosen({ of, all, what: 'traces' })?.props.children].flat().join('')
  expect(wordsOf(3, 50)).toBe('3 of the 50 newest traces')
  expect(wordsOf(1, 1)).toBe('')
  expect(wordsOf(0, null)).toBe('')
  vi.unstubAllGlobals()
})
