// Readers of a trace that is too large for one notification: they are sent its block beside all others, who do not wait for it. What
// comes meanwhile they miss, and are sent afterwards as those are who come back.

import type { BlockRows, Reverts } from '../store/index.ts'
import { concernedByLarge } from './concernedByLarge.ts'
import { type BlockEmission, emitBlock } from './emitBlock.ts'
import type { HubParts } from './hubParts.ts'
import { ReportPace, TAKING_ASIDE_MS } from './reportPace.ts'
import { endOfBlock } from './streamCursor.ts'
import { type Routes, RoutesToMany } from './streamRoutes.ts'
import type { Subscriber } from './subscriber.ts'

/** All readers that are not aside. */
interface Others {
  readonly routes: RoutesToMany
  /** Those that were reported. */
  readonly reverts: Reverts
  /** Follows the feed until the returned function is called. */
  hold(): () => void
}

export class ReadersAside {
  readonly #parts: Pick<HubParts, 'resume' | 'log'>
  readonly #others: Others
  readonly #emission: (routes: Routes) => BlockEmission
  readonly #all = new Set<Subscriber>()
  readonly #routes = new WeakMap<Subscriber, RoutesToMany>()

  constructor(parts: Pick<HubParts, 'resume' | 'log'>, others: Others, emission: (routes: Routes) => BlockEmission) {
    this.#parts = parts
    this.#others = others
    this.#emission = emission
  }

  get all(): ReadonlySet<Subscriber> {
    return this.#all
  }

  /** What finds a subscriber by its names: that of all others, or of those it was taken aside with. */
  #routesOf(subscriber: Subscriber): RoutesToMany | undefined {
    const { routes } = this.#others
    return routes.all.has(subscriber) ? routes : this.#routes.get(subscriber)
  }

  /** Changes a subscriber, and how it is found by its names; not one that is found by none. */
  change(subscriber: Subscriber, change: () => void): boolean {
    const routes = this.#routesOf(subscriber)
    if (routes === undefined) return false
    routes.remove(subscriber)
    change()
    routes.add(subscriber)
    return true
  }

  /** For one that is with all others again, or has left. */
  delete(subscriber: Subscriber): void {
    this.#all.delete(subscriber)
    this.#routes.delete(subscriber)
  }

  /** Takes those aside whom the large traces of a block concern, and begins to send it to them. */
  async take(rows: BlockRows): Promise<void> {
    const routes = new RoutesToMany()
    const emission = this.#emission(this.#others.routes)
    for (const one of await concernedByLarge(emission, rows)) {
      if (!this.#others.routes.all.has(one)) continue
      this.#others.routes.remove(one)
      this.#all.add(one)
      this.#routes.set(one, routes)
      routes.add(one)
    }
    if (routes.all.size > 0) void this.#send(rows, routes)
  }

  async #send(rows: BlockRows, routes: RoutesToMany): Promise<void> {
    const { resume, log } = this.#parts
    const { reverts } = this.#others
    const release = this.#others.hold()
    const before = reverts.count
    const isUndone = (): boolean => (reverts.lowestSince(before) ?? rows.mcSeqno) < rows.mcSeqno
    const isEnough = (): boolean => isUndone() || [...routes.all].every(({ isGone }) => isGone)
    // A prediction would come late.
    const isLate = (): boolean => true
    const pace = new ReportPace(undefined, TAKING_ASIDE_MS)
    const how = { finality: 'finalized', after: -1, isLate, isBehind: isLate, isEnough } as const
    try {
      await emitBlock({ ...this.#emission(routes), pace }, rows, how)
    } catch (error) {
      log.warn({ err: error, mcSeqno: rows.mcSeqno }, 'large trace not reported to all streams')
      // Their readers resume from their cursors, so nothing is lost.
      for (const { sink } of routes.all) sink.fail()
    }
    await Promise.all([...routes.all].map((one) => resume(one, endOfBlock(rows), before)))
    release()
  }
}
