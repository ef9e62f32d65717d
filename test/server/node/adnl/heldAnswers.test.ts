// Large answers that wait for their turn, and those of a connection that has ended.

import { expect, test } from 'vitest'
import type { Turns } from '../../../../server/fairness/index.ts'
import { HeldAnswers } from '../../../../server/node/adnl/heldAnswers.ts'

test('the answers of a connection that has ended are let go at once, not when their turn comes', () => {
  const turns: (() => void)[] = []
  // The cast: a turn is added, and nothing else.
  const held = new HeldAnswers(
    { add: (_: string, step: () => void) => turns.push(step) } as unknown as Turns,
    'network',
  )
  const settled: (Uint8Array | null)[] = []
  const answer = new Uint8Array(200_000)
  for (let i = 0; i < 2; i++) held.hold(answer, (one) => settled.push(one))
  expect(held.bytes).toBe(2 * answer.length)
  turns.shift()?.()
  expect(held.bytes).toBe(answer.length)
  held.drop()
  expect(held.bytes).toBe(0)
  turns.shift()?.()
  expect(settled).toEqual([answer, null])
  expect(held.bytes).toBe(0)
})
