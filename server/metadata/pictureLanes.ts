// Who may fetch a picture now. Callers share the places by the time their fetches took, the sites of a caller share its part, and
// the hosts of a site that of the site: tokens with silent hosts keep neither other pictures waiting nor other callers.

import { LaneQueueFull, Lanes } from '../fairness/index.ts'
import type { LinkShare } from './linkShare.ts'
import { WaitingLinks } from './waitingLinks.ts'

/** The caller of a picture: `subject` is the id of a key or an address, `signal` ends the wait. */
export interface PictureCaller {
  readonly subject: string
  readonly signal: AbortSignal
}

const QUEUE = { perTurn: 8, waitingPerCaller: Number.POSITIVE_INFINITY }
const OF_ALL = { total: 8, reserve: 8, perCaller: 4, ...QUEUE }
const OF_SITE = { total: Number.POSITIVE_INFINITY, perCaller: 3, perKind: 2, ...QUEUE }
/** Of one caller. */
const WAITING = { most: 800, ofSite: 200 }

export class PictureLanes {
  readonly #all = new Lanes(OF_ALL)
  /** For each site of each caller. Who has a place here waits for one in `#all`. */
  readonly #ofSite = new Lanes(OF_SITE)
  readonly #waiting = new Map<string, WaitingLinks>()

  /** Rejects with LaneQueueFull, or with the reason of the caller's signal while the work has not begun. */
  async run<T>(share: LinkShare, { subject, signal }: PictureCaller, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(subject) ?? new WaitingLinks(WAITING)
    if (!waiting.hasRoom(share)) throw new LaneQueueFull(WAITING.ofSite / 2)
    this.#waiting.set(subject, waiting)
    waiting.enter(share)
    try {
      return await this.#inTurn(share, { subject, signal }, work)
    } finally {
      waiting.leave(share)
      if (waiting.isEmpty) this.#waiting.delete(subject)
    }
  }

  async #inTurn<T>({ site, host }: LinkShare, { subject, signal }: PictureCaller, work: () => Promise<T>): Promise<T> {
    const own = `${site} ${subject}`
    let cost = 0
    await this.#ofSite.enter(own, signal, host)
    try {
      await this.#all.enter(subject, signal, site)
      const began = performance.now()
      try {
        return await work()
      } finally {
        cost = performance.now() - began
        this.#all.leave(subject, { cost, kind: site })
      }
    } finally {
      this.#ofSite.leave(own, { cost, kind: host })
    }
  }
}
