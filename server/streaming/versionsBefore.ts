// The subscriptions that subscribers were found by: others are served while that work rests, and some of them change.

import type { Routes } from './streamRoutes.ts'
import type { Subscriber } from './subscriber.ts'

/** Of one that came during a rest. */
const NONE = -1

export class VersionsBefore {
  readonly #routes: Pick<Routes, 'ofType'>
  readonly #type: string
  /** Null before the first rest. */
  #all: ReadonlyMap<Subscriber, number> | null = null

  constructor(routes: Pick<Routes, 'ofType'>, type: string) {
    this.#routes = routes
    this.#type = type
  }

  /** Passes on what work has made, or is a promise of what rests now. */
  note<T>(made: T): T {
    if (made instanceof Promise)
      this.#all ??= new Map(Array.from(this.#routes.ofType(this.#type), (one) => [one, one.version]))
    return made
  }

  of(subscriber: Subscriber): number {
    return this.#all === null ? subscriber.version : (this.#all.get(subscriber) ?? NONE)
  }
}
