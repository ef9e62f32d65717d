// Messages of recorded traces behind each other at random: nothing is shown as done that was not, or that did not move.

import { expect, test } from 'vitest'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { shuffledTraces } from './made/shuffled.ts'
import { judged } from './untrueActions.ts'

/** `TRACES=2000 SEED=another` tries new traces. */
const { SEED = 'shuffled', TRACES = '300' } = process.env

test('what is shown as done was done, and its amounts and assets are those that moved', () => {
  const untrue: string[] = []
  const done = new Set<string>()
  for (const { name, file } of shuffledTraces(SEED, Number(TRACES))) {
    const found = judged(traceOfFile(file))
    for (const type of found.types) done.add(type)
    for (const one of found.untrue) untrue.push(`${name}: ${one}`)
  }
  expect(untrue).toEqual([])
  // Otherwise rules that show nothing would pass.
  expect(done.size).toBeGreaterThan(40)
})
