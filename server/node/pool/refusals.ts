// What servers refused to one call, and what becomes of them when another one answers it.

import { LiteError } from '../liteErrors.ts'
import type { AttemptOptions } from '../liteServer.ts'
import { ProofError } from '../verify/index.ts'
import { OLD_BLOCKS } from './blockCall.ts'
import type { PoolMember } from './poolMember.ts'
import { bestRefusal, nameCall, verdictOn } from './retrying.ts'
import type { ServerTry } from './serverTry.ts'
import type { Suspect, Suspects } from './suspects.ts'

/** So many servers are believed that a query is wrong. */
const MOST_DOUBTED = 2
/** So many if it is about a block on the chain; fewer than are searched for it, or a wrong query would be made at all of them. */
const MOST_DOUBTED_ON_CHAIN = 3

type Failed = Pick<ServerTry<unknown>, 'member' | 'call' | 'lacking'>

export class Refusals {
  readonly #exists: boolean
  readonly #believed: number
  readonly #options: AttemptOptions
  readonly #suspects: Suspects
  readonly #all: unknown[] = []
  readonly #unproven: Suspect[] = []
  /** Those that would lack a block if it exists. */
  readonly #lacking: { readonly member: PoolMember; readonly age: number }[] = []
  /** Those that lack part of a block that exists. It counts once another server has it: all may have removed an old state. */
  readonly #missing: PoolMember[] = []
  /** Refusals that every server would give. */
  readonly #final: { readonly member: PoolMember; readonly error: LiteError }[] = []

  constructor(suspects: Suspects, options: AttemptOptions) {
    this.#suspects = suspects
    this.#exists = options.exists === true
    this.#options = options
    this.#believed = options.isWide === true ? MOST_DOUBTED_ON_CHAIN : MOST_DOUBTED
  }

  /** Whether a server said that the query is at fault, which others may contradict. */
  get isDoubted(): boolean {
    return this.#final.length > 0
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
        this.#final.push({ member, error })
        if (this.#final.length >= this.#believed) throw this.#final[0]?.error
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
    for (const one of this.#final) this.#suspects.contradict(one)
  }

  /** None has answered. `isLate`: those that were not tried may have it. `limit`: why calls wait. */
  unanswered(isLate: boolean, limit: string | null): unknown {
    for (const suspect of this.#unproven) this.#suspects.warn(suspect)
    const [first] = this.#final
    if (first !== undefined) return first.error
    const words = this.#all.length === 0 && limit !== null ? limit : 'lite servers took too long'
    const late = this.#exists && isLate ? [new LiteError('timeout', words)] : []
    return bestRefusal([...this.#all, ...late], this.#exists)
  }
}
