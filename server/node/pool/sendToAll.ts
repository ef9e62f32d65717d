// Sends a message to several servers at once: one that accepts it is enough, and one that drops it does no harm.

import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import type { PoolMember } from './poolMember.ts'
import { bestRefusal, isFailure, verdictOn } from './retrying.ts'

const TAKEN_ALREADY = /duplicate message/i
const EXIT_CODE = /exitcode=(-?\d+)/

/** Equal reasons from two servers come from the contract. */
const reasonOf = ({ message }: LiteError): string => EXIT_CODE.exec(message)?.[1] ?? message

const isJudgement = (error: unknown): error is LiteError =>
  error instanceof LiteError && !isFailure(error) && verdictOn(error) === 'final'

/** Resolves once a server has accepted it; rejects when all refused, or two for the same reason. */
export function sendToAll(members: readonly PoolMember[], message: Uint8Array, options: LiteOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refusals: unknown[] = []
    const reasons = new Set<string>()
    const refused = (error: unknown): void => {
      if (error instanceof LiteError && TAKEN_ALREADY.test(error.message)) resolve()
      refusals.push(error)
      const isSecond = isJudgement(error) && reasons.has(reasonOf(error))
      if (isJudgement(error)) reasons.add(reasonOf(error))
      if (isSecond) reject(error)
      else if (refusals.length === members.length) reject(bestRefusal(refusals))
    }
    for (const member of members) member.send(message, options).then(resolve, refused)
  })
}
