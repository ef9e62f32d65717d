// A message goes to several servers at once: one that takes it is enough, and a server that keeps it to itself does no harm.

import { LiteError } from '../errors.ts'
import type { LiteOptions } from '../liteServer.ts'
import type { PoolMember } from './poolMember.ts'
import { isFailure, verdictOn, worthiest } from './retrying.ts'

const TAKEN_ALREADY = /duplicate message/i
const EXIT_CODE = /exitcode=(-?\d+)/

/** The same words of two servers: that is what the contract says. */
const reasonOf = ({ message }: LiteError): string => EXIT_CODE.exec(message)?.[1] ?? message

const isJudgement = (error: unknown): error is LiteError =>
  error instanceof LiteError && !isFailure(error) && verdictOn(error) === 'final'

/** Resolves once a server has taken it; rejects when all refused, or two for the same reason. */
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
      else if (refusals.length === members.length) reject(worthiest(refusals))
    }
    for (const member of members) member.send(message, options).then(resolve, refused)
  })
}
