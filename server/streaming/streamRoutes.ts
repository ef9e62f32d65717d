// Subscribers by the addresses and hashes they named: a notification looks at no others.

import { FINALITIES, type Finality, isAtLeast } from '../methods/index.ts'
import { NamedMembers } from './namedMembers.ts'
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

/** What emitting looks up: the same for many subscribers and for one. */
export abstract class Routes {
  /** Whether there is a subscriber for notifications of this finality. */
  abstract wants(finality: Finality): boolean
  abstract get hasHashes(): boolean
  abstract ofType(type: string): ReadonlySet<Subscriber>
  abstract hasAddress(raw: string): boolean
  abstract ofAddress(raw: string): ReadonlySet<Subscriber>
  abstract ofHash(hash: string): ReadonlySet<Subscriber>

  /**
   * Subscribers by the parts of a subject they named, whose accounts are listed: as much work as there are receivers. All that named
   * one account of the subject share one list.
   */
  ofParts(parts: readonly (readonly string[])[]): Audience {
    const byAccount = new Map<string, number[]>()
    for (const [part, accounts] of parts.entries())
      for (const raw of accounts) {
        if (!this.hasAddress(raw)) continue
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

export class RoutesToMany extends Routes {
  readonly #byAddress = new NamedMembers<string, Subscriber>()
  readonly #byHash = new NamedMembers<string, Subscriber>()
  readonly #byType = new NamedMembers<string, Subscriber>()
  readonly #byFinality = new NamedMembers<Finality, Subscriber>()
  readonly #all = new Set<Subscriber>()

  get all(): ReadonlySet<Subscriber> {
    return this.#all
  }

  add(subscriber: Subscriber): void {
    const { addresses, hashes, types, minFinality } = subscriber.subscription
    this.#all.add(subscriber)
    this.#byFinality.add(minFinality, subscriber)
    for (const type of types) this.#byType.add(type, subscriber)
    for (const raw of addresses) this.#byAddress.add(raw, subscriber)
    for (const hash of hashes) this.#byHash.add(hash, subscriber)
  }

  remove(subscriber: Subscriber): void {
    this.drop(subscriber)()
  }

  /**
   * The same for one that ends: its names, of which there may be thousands, are removed by the returned function. Until then it is
   * still found by them.
   */
  drop(subscriber: Subscriber): () => void {
    const { addresses, hashes, types, minFinality } = subscriber.subscription
    this.#all.delete(subscriber)
    this.#byFinality.remove(minFinality, subscriber)
    for (const type of types) this.#byType.remove(type, subscriber)
    return () => {
      for (const raw of addresses) this.#byAddress.remove(raw, subscriber)
      for (const hash of hashes) this.#byHash.remove(hash, subscriber)
    }
  }

  override wants(finality: Finality): boolean {
    return FINALITIES.some((least) => isAtLeast(finality, least) && this.#byFinality.has(least))
  }

  override get hasHashes(): boolean {
    return this.#byHash.size > 0
  }

  override ofType(type: string): ReadonlySet<Subscriber> {
    return this.#byType.of(type)
  }

  override hasAddress(raw: string): boolean {
    return this.#byAddress.has(raw)
  }

  override ofAddress(raw: string): ReadonlySet<Subscriber> {
    return this.#byAddress.of(raw)
  }

  override ofHash(hash: string): ReadonlySet<Subscriber> {
    return this.#byHash.of(hash)
  }
}

/** By the names of its subscription as they are: to enter thousands of them took ten milliseconds for each block. */
class RoutesToOne extends Routes {
  readonly #subscriber: Subscriber
  readonly #only: ReadonlySet<Subscriber>

  constructor(subscriber: Subscriber) {
    super()
    this.#subscriber = subscriber
    this.#only = new Set([subscriber])
  }

  override wants(finality: Finality): boolean {
    return isAtLeast(finality, this.#subscriber.subscription.minFinality)
  }

  override get hasHashes(): boolean {
    return this.#subscriber.subscription.hashes.size > 0
  }

  override ofType(type: string): ReadonlySet<Subscriber> {
    return this.#subscriber.subscription.types.has(type) ? this.#only : NONE
  }

  override hasAddress(raw: string): boolean {
    return this.#subscriber.subscription.addresses.has(raw)
  }

  override ofAddress(raw: string): ReadonlySet<Subscriber> {
    return this.hasAddress(raw) ? this.#only : NONE
  }

  override ofHash(hash: string): ReadonlySet<Subscriber> {
    return this.#subscriber.subscription.hashes.has(hash) ? this.#only : NONE
  }
}

/** Routes to one subscriber only. */
export const routesToOne = (subscriber: Subscriber): Routes => new RoutesToOne(subscriber)
