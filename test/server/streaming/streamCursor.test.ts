// Places of notifications that come in parts: between two whole numbers, and none is rounded.

import { expect, test } from 'vitest'
import {
  partBehind,
  positionOf,
  positionOfPart,
  readStreamCursor,
  writeStreamCursor,
} from '../../../server/streaming/streamCursor.ts'

const MOST_SUBJECTS = 2 ** 30
const MOST_PARTS = 2 ** 17
const parts = [0, 1, 2, 3, 99, 65_535, 65_537, MOST_PARTS - 2, MOST_PARTS - 1]

test.each([
  [0, 0],
  [0, 1],
  [0, MOST_SUBJECTS - 1],
  [2, MOST_SUBJECTS - 1],
])('of kind %i and index %i', (kind, index) => {
  const first = positionOf(kind, index, 0)
  const positions = parts.map((part) => positionOfPart(first, part))
  expect(new Set([...positions, first + 1]).size).toBe(parts.length + 1)
  expect(positions.toSorted((a, b) => a - b)).toEqual(positions)
  expect(Math.max(...positions)).toBeLessThan(positionOf(kind, index, 1))
  for (const [i, position] of positions.entries()) {
    const cursor = { mcSeqno: 4_294_967_295, position, block: '0123abcd' }
    expect(readStreamCursor(writeStreamCursor(cursor))).toEqual(cursor)
    expect(partBehind(first, position)).toBe((parts[i] ?? 0) + 1)
  }
  expect(partBehind(first, first - 1)).toBe(0)
  expect(partBehind(first, first + 1)).toBeGreaterThanOrEqual(MOST_PARTS)
})
