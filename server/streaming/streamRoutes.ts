// Subscribers by the addresses and hashes they named: a notification looks at no others.

import { type Finality, isAtLeast } from '../methods/index.ts'
import type { Subscriber } from './subscriber.ts'

const NONE: ReadonlySet<Subscriber> = new Set()

/** Subscribers that may want a subject, each with the numbers of the parts it named, ascending. */
export type Audience = ReadonlyMap<Subscriber, readonly number[]>

const NO_PARTS: readonly number[] = []

const joined = ([first = NO_PARTS, ...others]: readonly (readonly number[])[]): readonly number[] =>
  others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b)

const names = new WeakMap<readonly number[], string>()

/** Parts as a text, made once for all that share the list. */
export function nameOfParts(parts: readonly number[]): string {
  const name = names.get(parts) ?? parts.join()
  names.set(parts, name)
  return name
}

/** The audience of a subject that has no parts. */
export const audienceOf = (subscribers: Iterable<Subscriber>): Audience =>
  new Map(Array.from(subscribers, (one) => [one, NO_PARTS]))

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
    this.drop(subscriber)()
  }

  /**
   * The same for one that ends: its names, of which there may be thousands, are removed by the returned function. Until then it is
   * still found by them.
   */
  drop(subscriber: Subscriber): () => void {
    const { addresses, hashes, types } = subscriber.subscription
    this.#all.delete(subscriber)
    remove(this.#byType, types, subscriber)
    return () => {
      remove(this.#byAddress, addresses, subscriber)
      remove(this.#byHash, hashes, subscriber)
    }
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

  /**
   * Subscribers by the parts of a subject they named, whose accounts are listed: as much work as there are receivers. All that named
   * one account of the subject share one list.
   */
  ofParts(parts: readonly (readonly string[])[]): Audience {
    const byAccount = new Map<string, number[]>()
    for (const [part, accounts] of parts.entries())
      for (const raw of accounts) {
        if (!this.#byAddress.has(raw)) continue
        const own = byAccount.get(raw)
        if (own === undefined) byAccount.set(raw, [part])
        else if (own.at(-1) !== part) own.push(part)
      }
    const lists = new Map<Subscriber, (readonly number[])[]>()
    for (const [raw, own] of byAccount)
      for (const one of this.ofAddress(raw)) {
        const known = lists.get(one)
        if (known === undefined) lists.set(one, [own])
        else known.push(own)
      }
    return new Map(Array.from(lists, ([one, all]) => [one, joined(all)]))
  }
}

/** Routes to one subscriber only. */
export function routesToOne(subscriber: Subscriber): Routes {
  const routes = new Routes()
  routes.add(subscriber)
  return routes
}
