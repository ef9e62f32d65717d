// What an error from one server means for trying others.

import { LiteError } from '../liteErrors.ts'
import type { CoolDown, ErrorScore } from './health.ts'
import type { VerbCall } from './verbs.ts'

/**
 * `elsewhere`: another server may answer. `slowDown`: likewise, and this one needs a pause. `final`: every server would
 * refuse.
 */
export type RetryVerdict = 'elsewhere' | 'slowDown' | 'final'

/** Codes that mean many things: what a server refuses with them, and what it no longer has in the words of an old one. */
const isVague = ({ kind }: LiteError): boolean => kind === 'failed' || kind === 'badQuery'

/** `exists`: what it was called for is proven to exist, so that the query is not at fault. */
export function verdictOn(error: unknown, exists = false): RetryVerdict {
  if (!(error instanceof LiteError) || error.isUnreadable) return 'elsewhere'
  if (error.isRateLimit) return 'slowDown'
  return error.isTransient || error.isMissing || (exists && isVague(error)) ? 'elsewhere' : 'final'
}

/** Whether the error is a failure of the server, not of the query. */
export const isFailure = (error: unknown): boolean =>
  !(error instanceof LiteError) || error.isUnreadable || (error.isTransient && !error.isMissing && !error.isRateLimit)

/**
 * The most informative of several errors: one about the query, before failures of servers. That something is gone is believed only
 * when all say so: of what is proven to exist, any other refusal is a fault.
 */
export function bestRefusal(refusals: readonly unknown[], exists = false): unknown {
  const other = exists ? refusals.find((one) => one instanceof LiteError && !one.isMissing) : undefined
  if (other !== undefined) return other
  return refusals.find((one) => !isFailure(one) && verdictOn(one) !== 'slowDown') ?? refusals.at(-1)
}

/** What a failed call means for its server. */
export function noteFailure(
  { cool, score }: { readonly cool: CoolDown; readonly score: ErrorScore },
  error: unknown,
): void {
  const wantsPause = verdictOn(error) === 'slowDown'
  const failed = isFailure(error)
  if (wantsPause) cool.begin()
  if (failed) score.add(1)
  if (failed || wantsPause) score.note(error)
}

/** Notes the server and the call in its refusal, unless they are noted. */
export function nameCall(error: unknown, server: string, call: Pick<VerbCall, 'verb' | 'about'> | null): void {
  if (error instanceof LiteError)
    error.asked ??= { server, verb: call?.verb ?? null, seqno: call?.about?.seqno ?? null }
}
