// Lists of the TVM are pairs of an item and the rest; every other tuple is one.

import type { TupleItem } from '@ton/core'
import { expect, test } from 'vitest'
import { fromEntry, toEntry } from '../../../client/ton/stackEntries.ts'

const int = (value: bigint): TupleItem => ({ type: 'int', value })
const pair = (item: TupleItem, rest: TupleItem): TupleItem => ({ type: 'tuple', items: [item, rest] })
const END: TupleItem = { type: 'null' }

test.each<[string, TupleItem, string]>([
  ['a list', pair(int(1n), pair(int(2n), END)), 'tvm.stackEntryList'],
  ['the empty list', END, 'tvm.stackEntryList'],
  ['a list of lists', pair(pair(int(1n), END), pair(END, END)), 'tvm.stackEntryList'],
  ['a pair', pair(int(1n), int(2n)), 'tvm.stackEntryTuple'],
  [
    'three items, of which two would be a list',
    { type: 'tuple', items: [int(1n), END, int(2n)] },
    'tvm.stackEntryTuple',
  ],
  ['one item', { type: 'tuple', items: [int(1n)] }, 'tvm.stackEntryTuple'],
])('%s comes back as it was', (_, item, type) => {
  const entry = toEntry(item)
  expect(entry['@type']).toBe(type)
  expect(fromEntry(entry)).toEqual(item)
})
