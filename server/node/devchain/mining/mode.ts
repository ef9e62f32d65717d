// When blocks are made.

/**
 * - `auto`: a message makes a block at once, and so do messages it leads to, until nothing is on its way.
 * - `everyMs`: one step whenever so many milliseconds have passed.
 * - `manual`: only when asked.
 */
export type MiningMode = 'auto' | 'manual' | { readonly everyMs: number }

const FASTEST = 10
const SLOWEST = 86_400_000

/** Throws RangeError for an interval nobody can mean. */
export function checkMode(mode: MiningMode): MiningMode {
  if (typeof mode === 'string') return mode
  if (!Number.isInteger(mode.everyMs) || mode.everyMs < FASTEST || mode.everyMs > SLOWEST)
    throw new RangeError(`An interval between blocks is ${FASTEST} to ${SLOWEST} milliseconds, not ${mode.everyMs}`)
  return mode
}
