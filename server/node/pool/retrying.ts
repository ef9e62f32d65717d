// What an error from one server means for trying others.

import { LiteError } from '../liteErrors.ts'

/**
 * `elsewhere`: another server may answer. `slowDown`: likewise, and this one needs a pause. `final`: every server would
 * refuse.
 */
export type RetryVerdict = 'elsewhere' | 'slowDown' | 'final'

export function verdictOn(error: unknown): RetryVerdict {
  // Anything else is an unreadable answer.
  if (!(error instanceof LiteError)) return 'elsewhere'
  if (error.isRateLimit) return 'slowDown'
  return error.isTransient || error.isMissing ? 'elsewhere' : 'final'
}

/** Whether the error is a failure of the server, not of the query. */
export const isFailure = (error: unknown): boolean =>
  !(error instanceof LiteError) || (error.isTransient && !error.isMissing && !error.isRateLimit)

/** The most informative of several errors: one about the query, before failures of servers. */
export function bestRefusal(refusals: readonly unknown[]): unknown {
  return refusals.find((one) => !isFailure(one) && verdictOn(one) !== 'slowDown') ?? refusals.at(-1)
}
