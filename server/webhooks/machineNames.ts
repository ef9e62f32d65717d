// Names as this machine has them: its own, and those of its network. The system looks them up in few threads, and a name server
// that does not answer keeps one for ten seconds, which nothing can cut short: whose names hang must not hold up the others.

import { lookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { Lanes } from '../fairness/index.ts'
import type { HostAddress } from '../outbound/index.ts'

/** As many threads as Node has for look-ups. One at most is taken by names of which nobody knows that they are answered. */
const LANES = {
  total: 2,
  perCaller: 2,
  ofKind: { doubtful: 1 },
  perTurn: 2,
  waitingPerCaller: Number.POSITIVE_INFINITY,
}
const PROMPT_MS = 1_000
const MOST_KNOWN = 10_000

type LookUp = (name: string) => Promise<readonly HostAddress[]>

/** Names of endpoints in a private network, whose owners take turns. */
export class MachineNames {
  readonly #lookUp: LookUp
  readonly #now: () => number
  readonly #lanes = new Lanes(LANES)
  /** Answered within a moment when they were last looked up. */
  readonly #prompt = new LRUCache<string, true>({ max: MOST_KNOWN })

  constructor(lookUp: LookUp = (name) => lookup(name, { all: true }), now = (): number => performance.now()) {
    this.#lookUp = lookUp
    this.#now = now
  }

  /** Rejects as the look-up does, or with the reason of a signal that aborts before it begins. */
  async resolve(owner: string, name: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
    const kind = this.#prompt.has(name) ? 'prompt' : 'doubtful'
    await this.#lanes.enter(owner, signal, kind)
    const began = this.#now()
    // Until then the thread is taken, though nobody may wait for it any more.
    try {
      const addresses = await this.#lookUp(name)
      this.#note(name, this.#now() - began < PROMPT_MS)
      return addresses
    } catch (error) {
      this.#note(name, false)
      throw error
    } finally {
      this.#lanes.leave(owner, { kind, cost: 1 + this.#now() - began })
    }
  }

  #note(name: string, isPrompt: boolean): void {
    if (isPrompt) this.#prompt.set(name, true)
    else this.#prompt.delete(name)
  }
}
