// Subscribers by the addresses and hashes they named: a notification looks at no others.

import { type Finality, isAtLeast } from '../methods/index.ts'
import type { Subscriber } from './subscriber.ts'

const NONE: ReadonlySet<Subscriber> = new Set()

function add(map: Map<string, Set<Subscriber>>, names: Iterable<string>, subscriber: Subscriber): void {
  for (const name of names) {
    const known = map.get(name)
    if (known === undefined) map.set(name, new Set([subscriber]))
    else known.add(subscriber)
  }
}

function remove(map: Map<string, Set<Subscriber>>, names: Iterable<string>, subscriber: Subscriber): void {
  for (const name of names) {
    const known = map.get(name)
    known?.delete(subscriber)
    if (known?.size === 0) map.delete(name)
  }
}

export class Routes {
  readonly #byAddress = new Map<string, Set<Subscriber>>()
  readonly #byHash = new Map<string, Set<Subscriber>>()
  readonly #byType = new Map<string, Set<Subscriber>>()
  readonly #all = new Set<Subscriber>()

  get all(): ReadonlySet<Subscriber> {
    return this.#all
  }

  add(subscriber: Subscriber): void {
    const { addresses, hashes, types } = subscriber.subscription
    this.#all.add(subscriber)
    add(this.#byType, types, subscriber)
    add(this.#byAddress, addresses, subscriber)
    add(this.#byHash, hashes, subscriber)
  }

  remove(subscriber: Subscriber): void {
    const { addresses, hashes, types } = subscriber.subscription
    this.#all.delete(subscriber)
    remove(this.#byType, types, subscriber)
    remove(this.#byAddress, addresses, subscriber)
    remove(this.#byHash, hashes, subscriber)
  }

  /** Whether there is a subscriber for notifications of this finality. */
  wants(finality: Finality): boolean {
    for (const { subscription } of this.#all) if (isAtLeast(finality, subscription.minFinality)) return true
    return false
  }

  get hasHashes(): boolean {
    return this.#byHash.size > 0
  }

  ofType(type: string): ReadonlySet<Subscriber> {
    return this.#byType.get(type) ?? NONE
  }

  ofAddress(raw: string): ReadonlySet<Subscriber> {
    return this.#byAddress.get(raw) ?? NONE
  }

  ofHash(hash: string): ReadonlySet<Subscriber> {
    return this.#byHash.get(hash) ?? NONE
  }

  ofAddresses(all: Iterable<string>): ReadonlySet<Subscriber> {
    const found = new Set<Subscriber>()
    for (const raw of all) for (const one of this.ofAddress(raw)) found.add(one)
    return found
  }
}
