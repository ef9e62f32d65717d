// Who may fetch a picture now. Callers have shares by the time their fetches took; within a caller sites have, and within a site its
// hosts: a page of tokens whose hosts are silent keeps neither its own other pictures nor those of others waiting.

import { LaneQueueFull, Lanes } from '../fairness/index.ts'
import type { LinkShare } from './linkShare.ts'
import { WaitingLinks } from './waitingLinks.ts'

/** For whom a picture is, by the id of a key or by an address, and for how long that one waits. */
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
  /** Each site of each caller by itself: what has a place here waits for one of all. */
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
