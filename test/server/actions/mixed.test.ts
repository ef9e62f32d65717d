// Traces that mix protocols as no recorded one does: what is shown as done was done, and what moved is what is said.

import { expect, test } from 'vitest'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { mixedTraces } from './made/mixed.ts'
import { judged } from './untrueActions.ts'

/** `TRACES=2000 SEED=7` tries new traces. */
const { SEED = '1000000', TRACES = '300' } = process.env

test('what is shown as done was done, and its amounts and assets are those that moved', () => {
  const untrue: string[] = []
  const done = new Set<string>()
  let count = 0
  for (const { name, file } of mixedTraces(SEED, Number(TRACES))) {
    const found = judged(traceOfFile(file))
    count++
    for (const type of found.types) done.add(type)
    for (const one of found.untrue) untrue.push(`${name}: ${one}`)
  }
  expect(untrue).toEqual([])
  expect(count).toBe(Number(TRACES))
  expect(done.size).toBeGreaterThan(40)
})
