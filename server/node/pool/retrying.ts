// What a refusal by one server means for the others.

import { LiteError } from '../errors.ts'

/**
 * `elsewhere`: another server may answer. `slowDown`: likewise, and this one wants a pause. `final`: every server would
 * refuse.
 */
export type Verdict = 'elsewhere' | 'slowDown' | 'final'

/** Rate limits, of servers and of the proxies in front of them. */
const SLOW_DOWN: ReadonlySet<number> = new Set([228, 429])
export function verdictOn(error: unknown): Verdict {
  // Anything else is an answer that could not be read.
  if (!(error instanceof LiteError)) return 'elsewhere'
  if (SLOW_DOWN.has(error.code)) return 'slowDown'
  return error.isTransient || error.isMissing ? 'elsewhere' : 'final'
}

/** Whether it speaks against the server, not against the question. */
export const isFailure = (error: unknown): boolean =>
  !(error instanceof LiteError) || (error.isTransient && !error.isMissing && !SLOW_DOWN.has(error.code))

/** The one of several refusals a caller learns most from: what a server said of the question, before what went wrong. */
export function worthiest(refusals: readonly unknown[]): unknown {
  return refusals.find((one) => !isFailure(one) && verdictOn(one) !== 'slowDown') ?? refusals.at(-1)
}
