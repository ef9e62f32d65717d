// What is kept of the content of a token on chain, which has up to megabytes: every list that has the token repeats it.

import { expect, test } from 'vitest'
import { contentRow } from '../../../../server/indexer/assets/rows/values.ts'

const long = (kilobytes: number): string => 'x'.repeat(kilobytes << 10)

test('all of it, up to 128 KB together; of more the longest values are left out', () => {
  const picture = { name: 'a', image_data: long(100), description: long(20) }
  expect(contentRow({ kind: 'onchain', values: picture })).toEqual(picture)
  const { image_data: _, ...rest } = picture
  expect(contentRow({ kind: 'onchain', values: { ...picture, image_data: long(120) } })).toEqual(rest)
  expect(contentRow({ kind: 'offchain', uri: long(1024) })).toEqual({})
})

test('its size is that of its JSON', () => {
  const controls = '\u0001'.repeat(40 << 10)
  expect(contentRow({ kind: 'onchain', values: { name: 'a', description: controls } })).toEqual({ name: 'a' })
})
