// Messages of recorded traces behind each other at random: nothing is shown as done that was not, or that did not move.

import { expect, test } from 'vitest'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { shuffledTraces } from './made/shuffled.ts'
import { judged } from './untrueActions.ts'

/** `TRACES=2000 SEED=7` tries new traces. */
const { SEED, TRACES = '300' } = process.env

const TRIED: readonly (readonly [seed: string, traces: number])[] =
  SEED === undefined
    ? [
        ['shuffled', 300],
        ['m', 600],
      ]
    : [[SEED, Number(TRACES)]]

test.each(TRIED)(
  'seed %s, %i traces: what is shown as done was done, and its amounts and assets are those that moved',
  (seed, count) => {
    const untrue: string[] = []
    const done = new Set<string>()
    for (const { name, file } of shuffledTraces(seed, count)) {
      const found = judged(traceOfFile(file))
      for (const type of found.types) done.add(type)
      for (const one of found.untrue) untrue.push(`${name}: ${one}`)
    }
    expect(untrue).toEqual([])
    // Otherwise rules that show nothing would pass.
    expect(done.size).toBeGreaterThan(40)
  },
)
