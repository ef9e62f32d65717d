// Resolves host names as this machine does. The system uses few threads for that, and a name server that does not answer blocks
// one for ten seconds. Owners of webhooks take turns, so that unresponsive names of one do not delay the others.

import { lookup } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { Lanes } from '../fairness/index.ts'
import type { HostAddress } from '../outbound/index.ts'

/** As many as Node has threads for lookups. Names that have not been answered promptly before take one of them at most. */
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

export class MachineNames {
  readonly #lookUp: LookUp
  readonly #now: () => number
  readonly #lanes = new Lanes(LANES)
  /** Names whose last lookup was answered within `PROMPT_MS`. */
  readonly #prompt = new LRUCache<string, true>({ max: MOST_KNOWN })

  constructor(lookUp: LookUp = (name) => lookup(name, { all: true }), now = (): number => performance.now()) {
    this.#lookUp = lookUp
    this.#now = now
  }

  /** Rejects as the lookup does, or with the reason of a signal that aborts before the lookup begins. */
  async resolve(owner: string, name: string, signal: AbortSignal): Promise<readonly HostAddress[]> {
    const kind = this.#prompt.has(name) ? 'prompt' : 'doubtful'
    await this.#lanes.enter(owner, signal, kind)
    const began = this.#now()
    // A lookup cannot be cancelled: its thread is free again only when it settles, also after the caller has aborted.
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
