// What servers refused to one call, and what becomes of them when another one answers it.

import { LiteError } from '../liteErrors.ts'
import type { AttemptOptions } from '../liteServer.ts'
import { ProofError } from '../verify/index.ts'
import { OLD_BLOCKS } from './blockCall.ts'
import type { PoolMember } from './poolMember.ts'
import { bestRefusal, nameCall, verdictOn } from './retrying.ts'
import type { ServerTry } from './serverTry.ts'
import type { Suspect, Suspects } from './suspects.ts'

type Failed = Pick<ServerTry<unknown>, 'member' | 'call' | 'lacking'>

export class Refusals {
  readonly #exists: boolean
  readonly #options: AttemptOptions
  readonly #suspects: Suspects
  readonly #all: unknown[] = []
  readonly #unproven: Suspect[] = []
  /** Those that would lack a block if it exists. */
  readonly #lacking: { readonly member: PoolMember; readonly age: number }[] = []
  /** Those that lack part of a block that exists. It counts once another server has it: all may have removed an old state. */
  readonly #missing: PoolMember[] = []
  /** The first refusal that every server would give. */
  #final: { readonly member: PoolMember; readonly error: LiteError } | null = null

  constructor(suspects: Suspects, options: AttemptOptions) {
    this.#suspects = suspects
    this.#exists = options.exists === true
    this.#options = options
  }

  /** Whether one server said that the query is at fault: it is believed when a second one says so. */
  get isDoubted(): boolean {
    return this.#final !== null
  }

  /** Throws when no other server would do better. */
  add({ member, call, lacking }: Failed, error: unknown): void {
    if (error instanceof ProofError) {
      error.server ??= member.address.name
      this.#unproven.push({ member, error, call })
    } else if (error instanceof LiteError) {
      if (error.isMissing && lacking !== null) this.#lacking.push({ member, age: lacking })
      if (error.isMissing && this.#exists) this.#misses(member)
      else if (error.isMissing && this.#options.isWide === true) this.#missing.push(member)
      nameCall(error, member.address.name, call)
      if (verdictOn(error, this.#exists) === 'final') {
        if (this.#final !== null) throw this.#final.error
        this.#final = { member, error }
      }
    }
    this.#all.push(error)
  }

  /** It lacks what is proven to exist. */
  #misses({ past, head }: PoolMember): void {
    this.#blame()
    const { lt, mcSeqno } = this.#options
    if (lt !== undefined) past.missesLt(lt)
    const age = mcSeqno === undefined || head === null ? 0 : head.seqno - mcSeqno
    if (age > OLD_BLOCKS) past.misses(age)
  }

  /** What they do not have exists. */
  #blame(): void {
    for (const { member, age } of this.#lacking.splice(0)) member.lacks(age)
  }

  /** Another server has answered. */
  answered(): void {
    for (const member of this.#missing) this.#misses(member)
    this.#blame()
    for (const suspect of this.#unproven) this.#suspects.convict(suspect)
    if (this.#final !== null) this.#suspects.contradict(this.#final)
  }

  /** None has answered. `isLate`: those that were not tried may have it. `limit`: why calls wait. */
  unanswered(isLate: boolean, limit: string | null): unknown {
    for (const suspect of this.#unproven) this.#suspects.warn(suspect)
    if (this.#final !== null) return this.#final.error
    const words = this.#all.length === 0 && limit !== null ? limit : 'lite servers took too long'
    const late = this.#exists && isLate ? [new LiteError('timeout', words)] : []
    return bestRefusal([...this.#all, ...late], this.#exists)
  }
}
