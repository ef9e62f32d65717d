// What a refusal by one server means for the others.

import { LiteError } from '../errors.ts'

/**
 * `elsewhere`: another server may answer. `slowDown`: likewise, and this one wants a pause. `final`: every server would
 * refuse.
 */
export type Verdict = 'elsewhere' | 'slowDown' | 'final'

/** Rate limits, of servers and of the proxies in front of them. */
const SLOW_DOWN: ReadonlySet<number> = new Set([228, 429])
/** Unknown block, collected state, not in time, cancelled, gateway without a backend. */
const ELSEWHERE: ReadonlySet<number> = new Set([651, 602, 652, -503, 502, 503, 653])
/** Codes 0 and -400 come with anything; older servers send with them what newer ones send with 651. */
const NOT_HERE = /not in db|cannot load block|state already gc'd|Failed to get account state|block is not applied/i
/** How the server itself is doing, other than the question. */
const FAILURES: ReadonlySet<number> = new Set([652, -503, 502, 503, 653])

export function verdictOn(error: unknown): Verdict {
  // Anything else is an answer that could not be read.
  if (!(error instanceof LiteError)) return 'elsewhere'
  if (SLOW_DOWN.has(error.code)) return 'slowDown'
  if (ELSEWHERE.has(error.code)) return 'elsewhere'
  return (error.code === 0 || error.code === -400) && NOT_HERE.test(error.message) ? 'elsewhere' : 'final'
}

/** Whether it speaks against the server, not against the question. */
export const isFailure = (error: unknown): boolean => !(error instanceof LiteError) || FAILURES.has(error.code)

/** Whether the server lacks the block, or the state after it. */
export const isMissing = (error: unknown): boolean =>
  error instanceof LiteError &&
  (error.code === 651 ||
    error.code === 602 ||
    ((error.code === 0 || error.code === -400) && NOT_HERE.test(error.message)))

/** The one of several refusals a caller learns most from: what a server said of the question, before what went wrong. */
export function worthiest(refusals: readonly unknown[]): unknown {
  return refusals.find((one) => !isFailure(one) && verdictOn(one) !== 'slowDown') ?? refusals.at(-1)
}
