// What servers refused to one call, and what becomes of them when another one answers it.

import { LiteError } from '../liteErrors.ts'
import type { AttemptOptions } from '../liteServer.ts'
import { ProofError } from '../verify/index.ts'
import type { Try } from './hedgedTry.ts'
import type { PoolMember } from './poolMember.ts'
import { bestRefusal, verdictOn } from './retrying.ts'
import type { Suspect, Suspects } from './suspects.ts'

type Failed = Omit<Try<unknown>, 'result'>

export class Refusals {
  readonly #exists: boolean
  readonly #lt: bigint | undefined
  readonly #suspects: Suspects
  readonly #all: unknown[] = []
  readonly #unproven: Suspect[] = []
  /** The first refusal that every server would give. */
  #final: { readonly member: PoolMember; readonly error: LiteError } | null = null

  constructor(suspects: Suspects, { exists = false, lt }: AttemptOptions) {
    this.#suspects = suspects
    this.#exists = exists
    this.#lt = lt
  }

  /** Whether one server said that the query is at fault: it is believed when a second one says so. */
  get isDoubted(): boolean {
    return this.#final !== null
  }

  /** Throws when no other server would do better. */
  add({ member, call }: Failed, error: unknown): void {
    if (error instanceof ProofError) {
      error.server ??= member.address.name
      this.#unproven.push({ member, error, call })
    } else if (error instanceof LiteError) {
      if (this.#exists && this.#lt !== undefined && error.isMissing) member.past.missesLt(this.#lt)
      error.asked ??= { server: member.address.name, verb: call?.verb ?? null, seqno: call?.about?.seqno ?? null }
      if (verdictOn(error, this.#exists) === 'final') {
        if (this.#final !== null) throw this.#final.error
        this.#final = { member, error }
      }
    }
    this.#all.push(error)
  }

  /** Another server has answered. */
  answered(): void {
    for (const suspect of this.#unproven) this.#suspects.convict(suspect)
    if (this.#final !== null) this.#suspects.contradict(this.#final)
  }

  /** None has answered. `isLate`: those that were not tried may have it. */
  unanswered(isLate: boolean): unknown {
    for (const suspect of this.#unproven) this.#suspects.warn(suspect)
    if (this.#final !== null) return this.#final.error
    const late = this.#exists && isLate ? [new LiteError('timeout', 'lite servers took too long')] : []
    return bestRefusal([...this.#all, ...late], this.#exists)
  }
}
