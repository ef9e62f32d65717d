// One subscription of one connection, and the unfinished traces that its connection has received.

import { RecentSet } from './recentSet.ts'
import type { Subscription } from './streamSubscription.ts'

/** A connection as the notifications see it. */
export interface Sink {
  /** Sends one notification; the cursor is null where a stream cannot be resumed. */
  send(text: string, cursor: string | null): void
  /** Resolves when the reader has taken most of what was sent, or is gone. Disconnects a slow one, unless `ms` bounds the wait. */
  drained(ms?: number): Promise<void>
  /** Ends the connection after a fault of the service. */
  fail(): void
  readonly isClosed: boolean
}

export class Subscriber {
  readonly sink: Sink
  readonly #unfinished: RecentSet
  #subscription: Subscription
  #version = 0
  #cursor = ''
  /** Hashes of traces reported while it is sent the present state of the traces it named; null at other times. */
  #heard: Set<string> | null = null

  /** `unfinished` is kept by a connection over its subscriptions. */
  constructor(sink: Sink, subscription: Subscription, unfinished = new RecentSet()) {
    this.sink = sink
    this.#subscription = subscription
    this.#unfinished = unfinished
  }

  get subscription(): Subscription {
    return this.#subscription
  }

  /** Changes with the subscription. */
  get version(): number {
    return this.#version
  }

  /** Whether nothing is sent to it any more. */
  get isGone(): boolean {
    return this.sink.isClosed || this.#subscription.types.size === 0
  }

  /** Removes some of the names it subscribed to. */
  narrow(addresses: Iterable<string>, hashes: Iterable<string>): void {
    for (const raw of addresses) this.#subscription.addresses.delete(raw)
    for (const hash of hashes) this.#subscription.hashes.delete(hash)
    this.#version++
  }

  replace(subscription: Subscription): void {
    this.#subscription = subscription
    this.#cursor = ''
    this.#version++
  }

  /** From now on nothing is sent to it. */
  end(): void {
    this.#subscription = { ...this.#subscription, types: new Set() }
    this.#version++
  }

  /** Sends a cursor to resume from, unless it was the last one. */
  sendProgress(cursor: string): void {
    if (cursor === this.#cursor) return
    this.#cursor = cursor
    this.sink.send(JSON.stringify({ type: 'progress', cursor }), cursor)
  }

  /** Starts or stops noting which traces are reported to it. */
  hear(isNoted: boolean): void {
    this.#heard = isNoted ? new Set() : null
  }

  noteHeard(hash: string): void {
    this.#heard?.add(hash)
  }

  hasHeard(hash: string): boolean {
    return this.#heard?.has(hash) ?? false
  }

  /** Notes a trace that may still turn out not to happen. */
  noteUnfinished(hash: string): void {
    this.#unfinished.add(hash)
  }

  /** Forgets a trace; true when it was noted. */
  forgetUnfinished(hash: string): boolean {
    return this.#unfinished.delete(hash)
  }
}
