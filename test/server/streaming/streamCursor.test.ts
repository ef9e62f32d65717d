// Where a notification is in its block, also one of many parts in which a trace is reported.

import { expect, test } from 'vitest'
import {
  END_OF_BLOCK,
  partBehind,
  positionOf,
  positionOfPart,
  readStreamCursor,
  writeStreamCursor,
} from '../../../server/streaming/streamCursor.ts'

const INDEXES = [0, 1, 99_999, 2 ** 30 - 1]
const PARTS = [0, 1, 2, 703, 99_999, 2 ** 17 - 1]

test('parts come in their order, before what follows them, and a cursor names each', () => {
  for (const index of INDEXES) {
    const first = positionOf(0, index, 0)
    const positions = PARTS.map((part) => positionOfPart(first, part))
    const all = [...positions, positionOf(0, index, 1), positionOf(0, index + 1, 0), END_OF_BLOCK]
    expect(all.toSorted((a, b) => a - b)).toEqual(all)
    expect(new Set(all).size).toBe(PARTS.length + 3)
    for (const position of all) {
      const cursor = { mcSeqno: 4_000_000_000, position, block: '0123abcd' }
      expect(readStreamCursor(writeStreamCursor(cursor))).toEqual(cursor)
    }
    expect(PARTS.map((part) => partBehind(first, positionOfPart(first, part)))).toEqual(PARTS.map((part) => part + 1))
    expect([partBehind(first, -1), partBehind(first, first - 1)]).toEqual([0, 0])
  }
})
