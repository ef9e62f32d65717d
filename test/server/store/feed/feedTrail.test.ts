// Reverts that a process has noticed: a reader that has heard of few of many is answered all the same, and few are kept.

import { expect, test } from 'vitest'
import { Trail } from '../../../../server/store/feed/feedTrail.ts'

const HASH = new Uint8Array(32)

function trailOf(seqnos: Iterable<number>): Trail {
  const trail = new Trail()
  for (const seqno of seqnos) {
    trail.add(seqno + 1, HASH)
    trail.revertTo(seqno)
  }
  return trail
}

test('the lowest block that stayed since any of some reverts', () => {
  const seqnos = [50, 20, 70, 70, 30, 90, 40, 60]
  const trail = trailOf(seqnos)
  expect(trail.reverts).toBe(seqnos.length)
  const lowest = seqnos.map((_, i) => Math.min(...seqnos.slice(i)))
  expect(seqnos.map((_, i) => trail.lowestSince(i))).toEqual(lowest)
  expect(trail.lowestSince(seqnos.length)).toBeNull()
})

test('a reader that is 200,000 reverts behind', () => {
  const COUNT = 200_000
  const trail = trailOf(Array.from({ length: COUNT }, (_, i) => 1000 + 2 * i))
  expect(trail.reverts).toBe(COUNT)
  expect(trail.lowestSince(0)).toBe(1000)
  // One that is so far behind may go back further than it has to, never less.
  expect(trail.lowestSince(COUNT / 2)).toBeLessThanOrEqual(1000 + COUNT)
  for (const behind of [1, 2, 500]) expect(trail.lowestSince(COUNT - behind)).toBe(1000 + 2 * (COUNT - behind))
})
