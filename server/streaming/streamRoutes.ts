// Subscribers by the addresses and hashes they named: a notification looks at no others.

import { FINALITIES, type Finality, isAtLeast } from '../methods/index.ts'
import { NamedMembers } from './namedMembers.ts'
import { EVERY_ACCOUNT, isOfAnyAccount, type Subscription } from './streamSubscription.ts'
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

/** A message as subscriptions name it. */
interface MessageNames {
  /** Null for a body that is too short. */
  readonly opcode: number | null
  /** Raw: of its sender and its recipient. */
  readonly accounts: readonly string[]
}

/** Lists of parts by the subscribers that named them. */
class PartLists {
  readonly #lists: (readonly number[])[] = []
  /** Numbers of lists. */
  readonly #own = new Map<Subscriber, number[]>()

  add(subscribers: Iterable<Subscriber>, parts: readonly number[]): void {
    const number = this.#lists.push(parts) - 1
    for (const one of subscribers) {
      const known = this.#own.get(one)
      if (known === undefined) this.#own.set(one, [number])
      else known.push(number)
    }
  }

  /** Subscribers of the same lists share one: it may be as long as a trace. */
  *joining(): Generator<void, Map<Subscriber, readonly number[]>> {
    const known = new Map<string, readonly number[]>()
    const audience = new Map<Subscriber, readonly number[]>()
    for (const [one, numbers] of this.#own) {
      const name = numbers.join()
      const parts = known.get(name) ?? joined(numbers.map((number) => this.#lists[number] ?? NO_PARTS))
      known.set(name, parts)
      audience.set(one, parts)
      yield
    }
    return audience
  }
}

/** The numbers of the parts with each name. */
function partsByName<K>(
  parts: readonly (readonly K[])[],
  isNamed: (name: K) => boolean,
): ReadonlyMap<K, readonly number[]> {
  const byName = new Map<K, number[]>()
  for (const [part, all] of parts.entries())
    for (const name of all) {
      if (!isNamed(name)) continue
      const own = byName.get(name)
      if (own === undefined) byName.set(name, [part])
      else if (own.at(-1) !== part) own.push(part)
    }
  return byName
}

/** All pieces in this turn. */
export function atOnce<R>(pieces: Generator<void, R>): R {
  for (let piece = pieces.next(); ; piece = pieces.next()) if (piece.done === true) return piece.value
}

/** What emitting looks up: the same for many subscribers and for one. */
export abstract class Routes {
  /** Whether there is a subscriber for notifications of this finality. */
  abstract wants(finality: Finality): boolean
  abstract get hasHashes(): boolean
  abstract ofType(type: string): ReadonlySet<Subscriber>
  abstract ofHash(hash: string): ReadonlySet<Subscriber>
  /** Subscribers of messages with an opcode, of any account. */
  abstract ofOpcode(opcode: number): ReadonlySet<Subscriber>
  abstract hasOpcode(opcode: number): boolean
  /** Whether one listed just this, which may be `EVERY_ACCOUNT`. */
  protected abstract isListed(address: string): boolean
  protected abstract listing(address: string): ReadonlySet<Subscriber>

  /** Whether there is a subscriber to whom an account matters. */
  hasAddress(raw: string): boolean {
    return this.isListed(EVERY_ACCOUNT) || this.isListed(raw)
  }

  /** Subscribers to whom it matters. */
  ofAddress(raw: string): ReadonlySet<Subscriber> {
    const own = this.listing(raw)
    return this.isListed(EVERY_ACCOUNT) ? new Set([...own, ...this.listing(EVERY_ACCOUNT)]) : own
  }

  /**
   * Subscribers by the parts of a subject they named, whose accounts are listed: as much work as there are receivers. All that named
   * one account of the subject share one list.
   */
  ofParts(parts: readonly (readonly string[])[]): Audience {
    return atOnce(this.#findingParts(parts))
  }

  *#findingParts(parts: readonly (readonly string[])[]): Generator<void, Audience> {
    const lists = new PartLists()
    const byAccount = partsByName(parts, (raw) => this.isListed(raw))
    for (const [raw, own] of byAccount) {
      lists.add(this.listing(raw), own)
      yield
    }
    if (this.isListed(EVERY_ACCOUNT)) {
      const all = [...parts.entries()].flatMap(([part, accounts]) => (accounts.length > 0 ? [part] : []))
      if (all.length > 0) lists.add(this.listing(EVERY_ACCOUNT), all)
    }
    return yield* lists.joining()
  }

  /**
   * Subscribers by the messages whose opcodes they named; where they named accounts as well, one of them has to be at an end. In
   * pieces: thousands may each have named the opcodes of a thousand messages of a trace.
   */
  *findingByMessages(messages: readonly MessageNames[]): Generator<void, Audience> {
    const lists = new PartLists()
    const opcodes = messages.map(({ opcode }) => (opcode === null ? [] : [opcode]))
    for (const [opcode, own] of partsByName(opcodes, (one) => this.hasOpcode(one))) {
      lists.add(this.ofOpcode(opcode), own)
      yield
    }
    const found = yield* lists.joining()
    const known = new Map<string, readonly number[]>()
    for (const [one, parts] of yield* this.#findingParts(messages.map(({ accounts }) => accounts))) {
      const { subscription } = one
      if (subscription.opcodes.size === 0 || isOfAnyAccount(subscription)) continue
      const own = parts.filter((part) => subscription.opcodes.has(messages[part]?.opcode ?? Number.NaN))
      const name = own.join()
      if (own.length > 0) found.set(one, known.get(name) ?? own)
      if (!known.has(name)) known.set(name, own)
      yield
    }
    return found
  }
}

const NO_OPCODES: ReadonlySet<number> = new Set()

/** Those of a subscription to messages of any account. */
const opcodesOf = (subscription: Subscription): ReadonlySet<number> =>
  isOfAnyAccount(subscription) ? subscription.opcodes : NO_OPCODES

export class RoutesToMany extends Routes {
  readonly #byAddress = new NamedMembers<string, Subscriber>()
  readonly #byHash = new NamedMembers<string, Subscriber>()
  /** Those to whom messages of any account matter. */
  readonly #byOpcode = new NamedMembers<number, Subscriber>()
  readonly #byType = new NamedMembers<string, Subscriber>()
  readonly #byFinality = new NamedMembers<Finality, Subscriber>()
  readonly #all = new Set<Subscriber>()

  get all(): ReadonlySet<Subscriber> {
    return this.#all
  }

  add(subscriber: Subscriber): void {
    const { addresses, hashes, types, minFinality } = subscriber.subscription
    for (const opcode of opcodesOf(subscriber.subscription)) this.#byOpcode.add(opcode, subscriber)
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
    const opcodes = opcodesOf(subscriber.subscription)
    return () => {
      for (const opcode of opcodes) this.#byOpcode.remove(opcode, subscriber)
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

  protected override isListed(address: string): boolean {
    return this.#byAddress.has(address)
  }

  protected override listing(address: string): ReadonlySet<Subscriber> {
    return this.#byAddress.of(address)
  }

  override hasOpcode(opcode: number): boolean {
    return this.#byOpcode.has(opcode)
  }

  override ofOpcode(opcode: number): ReadonlySet<Subscriber> {
    return this.#byOpcode.of(opcode)
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

  protected override listing(address: string): ReadonlySet<Subscriber> {
    return this.isListed(address) ? this.#only : NONE
  }

  protected override isListed(address: string): boolean {
    return this.#subscriber.subscription.addresses.has(address)
  }

  override hasOpcode(opcode: number): boolean {
    return opcodesOf(this.#subscriber.subscription).has(opcode)
  }

  override ofOpcode(opcode: number): ReadonlySet<Subscriber> {
    return this.hasOpcode(opcode) ? this.#only : NONE
  }

  override ofHash(hash: string): ReadonlySet<Subscriber> {
    return this.#subscriber.subscription.hashes.has(hash) ? this.#only : NONE
  }
}

/** Routes to one subscriber only. */
export const routesToOne = (subscriber: Subscriber): Routes => new RoutesToOne(subscriber)
