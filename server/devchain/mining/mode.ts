import { isInterval, LONGEST_INTERVAL, type MiningMode, SHORTEST_INTERVAL } from '../../../shared/mining.ts'

export type { MiningMode }

/** Throws RangeError for an interval out of bounds. */
export function checkMode(mode: MiningMode): MiningMode {
  if (typeof mode === 'string' || isInterval(mode.everyMs)) return mode
  throw new RangeError(
    `An interval between blocks is ${SHORTEST_INTERVAL} to ${LONGEST_INTERVAL} milliseconds, not ${mode.everyMs}`,
  )
}
