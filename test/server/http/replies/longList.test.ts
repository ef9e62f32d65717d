// Lists written in slices.

import { expect, test } from 'vitest'
import { longList } from '../../../../server/http/replies/longList.ts'

test.each([0, 1, 1000, 2501])('%i items: the text is the one of JSON.stringify', async (length) => {
  const items = Array.from({ length }, (_, i) => i)
  const toJson = (n: number) => ({ n, text: `"${n}"`, absent: undefined })
  expect(await longList('items', items, { toJson, subject: 'a' })).toBe(JSON.stringify({ items: items.map(toJson) }))
})
