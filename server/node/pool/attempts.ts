// Work on a server that is likely to answer, and on others when it does not.

import { LiteError } from '../liteErrors.ts'
import type { AttemptOptions, LiteServer } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'
import { ProofError } from '../verify/index.ts'
import { hedgedTry } from './hedgedTry.ts'
import type { Hedging } from './hedging.ts'
import type { NextServer } from './nextServer.ts'
import type { PoolMember } from './poolMember.ts'
import { Refusals } from './refusals.ts'
import { ServerTry } from './serverTry.ts'
import type { Suspects } from './suspects.ts'

interface Parts {
  readonly clock: Clock
  readonly hedging: Hedging
  readonly next: NextServer
  readonly suspects: Suspects
  /** Whether there are others than the one that was called first. */
  readonly hasSeveral: () => boolean
  /** What a call rejects with that no server has answered. */
  readonly refusal: (found: unknown) => unknown
}

interface Wanted<T> {
  readonly work: (server: LiteServer) => Promise<T>
  readonly options: AttemptOptions
  /** On the clock. */
  readonly deadline: number
}

/** Maximum servers tried for one answer. */
const MOST_TRIES = 3
/** And for what is proven to exist, or is part of it: few servers keep all of the past. */
const MOST_SEARCHED = 6
export const DEADLINE_MS = 15_000
/** For so long a second server is waited for, where the first one calls the query wrong. */
const SECOND_MS = 1_000

const NO_OPTIONS: AttemptOptions = {}

export class Attempts {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Nearly every call gets a server at once, and an answer of it soon: that takes nothing but what it needs. */
  run<T>(work: (server: LiteServer) => Promise<T>, options: AttemptOptions = NO_OPTIONS): Promise<T> {
    const { clock, next } = this.#parts
    const deadline = clock.now() + (options.timeoutMs ?? DEADLINE_MS)
    const member = next.takeFree(options)
    if (member === null) return this.#search({ work, options, deadline }, null)
    return new Promise((resolve) => {
      const first = this.#begin(member, work)
      first.onNews(() => {
        if (first.result === null || !('value' in first.result)) {
          resolve(this.#search({ work, options, deadline }, first))
          return
        }
        next.charge(options, first.calls - 1)
        resolve(first.result.value)
      })
    })
  }

  #begin<T>(member: PoolMember, work: (server: LiteServer) => Promise<T>): ServerTry<T> {
    const { hedging, hasSeveral } = this.#parts
    return new ServerTry<T>(member, hasSeveral() ? hedging : null).begin(work)
  }

  /** `begun`: it has failed, or takes long. */
  async #search<T>({ work, options, deadline }: Wanted<T>, begun: ServerTry<T> | null): Promise<T> {
    const { clock, hedging, next, suspects, refusal } = this.#parts
    const { signal } = options
    const tried = new Set<PoolMember>(begun === null ? [] : [begun.member])
    const most = options.exists === true || options.isWide === true ? MOST_SEARCHED : MOST_TRIES
    let tries = tried.size
    const another = async (until: number): Promise<PoolMember | null> => {
      const member = tries < most ? await next.take(tried, options, until) : null
      if (member === null) return null
      tries++
      tried.add(member)
      return member
    }
    const tryNext = async (until: number): Promise<ServerTry<T> | null> => {
      const member = await another(until)
      return member === null ? null : this.#begin(member, work)
    }
    const refusals = new Refusals(suspects, options)
    // What one server calls wrong another one may answer: it is not waited for as long.
    const until = (): number => (refusals.isDoubted ? Math.min(deadline, clock.now() + SECOND_MS) : deadline)
    for (let first = begun ?? (await tryNext(deadline)); first !== null; first = await tryNext(until())) {
      for (const one of await hedgedTry({ clock, hedging, first, deadline, second: () => another(0), work })) {
        next.charge(options, one.calls - 1)
        if (one.result === null) continue
        if ('value' in one.result) {
          refusals.answered()
          return one.result.value
        }
        const { error } = one.result
        if (!(error instanceof ProofError) && signal?.aborted === true) throw error
        refusals.add(one, error)
        // It did not answer because its connection ended: once it is back it may.
        if (!one.member.isUsable) tried.delete(one.member)
      }
      if (clock.now() >= deadline) break
    }
    const found = refusals.unanswered(clock.now() >= deadline, next.limitText)
    throw signal?.aborted === true ? new LiteError('cancelled', 'the query was cancelled') : refusal(found)
  }
}
