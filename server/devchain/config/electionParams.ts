// The parameters elections go by.

import type { Cell } from '../../cell/index.ts'
import { numbers, stakeLimits } from './configCells.ts'
import * as values from './configValues.ts'

export interface ElectionRules {
  /** Seconds: elected for, elections start before, end before, stake held for. */
  readonly times: readonly [number, number, number, number]
  /** Greatest number of validators, of those of the masterchain, and the smallest. */
  readonly counts: readonly [number, number, number]
  /** Nanotons: of each at least and at most, of all together. */
  readonly stakes: Readonly<Record<'min' | 'max' | 'minTotal', bigint>>
}

export const usualElections: ElectionRules = {
  times: values.electionTimes,
  counts: values.validatorCounts,
  stakes: values.stakes,
}

/** Each with its number. */
export const electionParams = ({ times, counts, stakes }: ElectionRules) =>
  [
    [15, numbers(times, 32)],
    [16, numbers(counts, 16)],
    [17, stakeLimits(stakes, values.maxStakeFactor)],
  ] as const satisfies readonly (readonly [number, Cell])[]
