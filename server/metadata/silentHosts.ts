// Hosts that lately took all the time they had, several times in a row: for a while nothing is requested from them. Otherwise ten
// thousand tokens that name one silent host would hold connections for hours.

import { LRUCache } from 'lru-cache'

const MOST_KEPT = 10_000
const LATE_IN_A_ROW = 3
const REST_MS = 600_000

/** The name a host is noted by. On an IPFS gateway each content counts apart: a missing one must not bar the others. */
export const hostOf = ({ hostname, pathname }: URL): string =>
  hostname + (/^\/ip[fn]s\/[^/]+/.exec(pathname)?.[0] ?? '')

export class SilentHosts {
  readonly #late = new LRUCache<string, { readonly times: number; readonly at: number }>({ max: MOST_KEPT })
  readonly #now: () => number

  /** `now`: milliseconds; only differences count. */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  isResting(host: string): boolean {
    const found = this.#late.get(host)
    return found !== undefined && found.times >= LATE_IN_A_ROW && this.#now() < found.at + REST_MS
  }

  /** It took all the time it had. */
  wasLate(host: string): void {
    this.#late.set(host, { times: (this.#late.get(host)?.times ?? 0) + 1, at: this.#now() })
  }

  answered(host: string): void {
    this.#late.delete(host)
  }
}
