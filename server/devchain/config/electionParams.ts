// The parameters elections go by.

import type { Cell } from '../../cell/index.ts'
import { storeConfigParam } from '../../tlb/index.ts'
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
export function electionParams({ times, counts, stakes }: ElectionRules) {
  const [electedFor, startBefore, endBefore, stakeHeldFor] = times
  const [max, maxMain, min] = counts
  return [
    [15, storeConfigParam(15, { electedFor, startBefore, endBefore, stakeHeldFor })],
    [16, storeConfigParam(16, { max, maxMain, min })],
    [17, storeConfigParam(17, { ...stakes, maxFactor: values.maxStakeFactor * 65536 })],
  ] as const satisfies readonly (readonly [number, Cell])[]
}
