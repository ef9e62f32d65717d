// Subscriptions as the transports use them.

import { toBase64 } from '../../shared/base64.ts'
import { ApiError } from '../../shared/errors.ts'
import type { Caller } from '../access/index.ts'
import { streamLimitsOf } from '../access/index.ts'
import { inPieces, SlicedWork } from '../fairness/index.ts'
import { asReadError, type LiveBooks, type LiveTrace, type LiveTraces, type SentMessages } from '../methods/index.ts'
import type { Log, Metrics } from '../observe/index.ts'
import { allActionsRead, type BlockRowsFeed, readAll, type Sql, sentRead } from '../store/index.ts'
import { BlockWatch } from './blockWatch.ts'
import { StreamHub } from './hub.ts'
import type { HubLimits } from './hubLimits.ts'
import type { HubParts } from './hubParts.ts'
import { MissedReads } from './missedReads.ts'
import { noticePending, type PendingCount } from './pendingNotices.ts'
import { hasManyNames, readingSubscription, type StreamTransport } from './readSubscription.ts'
import { RecentSet } from './recentSet.ts'
import { findCursor, resume, type StreamResumeParts } from './resume.ts'
import { StreamCounts } from './streamCounts.ts'
import type { Cursor } from './streamCursor.ts'
import { StreamSeats } from './streamSeats.ts'
import { isOfAnyAccount, NOT_ALL_ACCOUNTS, type Subscription } from './streamSubscription.ts'
import { type Sink, Subscriber } from './subscriber.ts'

export interface StreamingParts {
  readonly feed: BlockRowsFeed
  readonly store: Sql
  readonly traces: LiveTraces
  readonly books: LiveBooks
  readonly sent: SentMessages
  /** Whether a message waits for a block after a revert, by its normalised hash; absent where none does, as far as is known. */
  readonly waits?: ((hashNorm: Uint8Array) => boolean) | undefined
  /** Absent where not all of them can be known. */
  readonly pending?: PendingCount | undefined
  readonly log: Pick<Log, 'warn'>
  readonly metrics: Pick<Metrics, 'gauge' | 'total' | 'sums'>
  readonly limits?: Partial<HubLimits>
  readonly reach: StreamResumeParts['reach']
  readonly health: () => Promise<StreamHealth>
}

export interface StreamHealth {
  readonly ok: boolean
  readonly now: number
  readonly components: Readonly<Record<string, { readonly ok: boolean; readonly error?: string }>>
}

/** A subscription that was read and may be begun. */
export interface ReadySubscription {
  readonly subscription: Subscription
  readonly cursor: Cursor | null
  /** Whose it is. */
  readonly subject: string
}

export interface Request {
  readonly transport: StreamTransport
  readonly caller: Caller
  /** Of the header of that name. */
  readonly actionsVersion: string | null
  /** Whether the connection has ended. */
  readonly isGone: () => boolean
}

const DEFAULTS: HubLimits = { predictedMs: 30_000, sweepMs: 10_000, predictionMs: 250 }

/** Seconds for which a finished trace is sent to a new subscriber that names it. */
const RECENT_S = 600
/** Traces whose present state is sent to one subscriber before other subscribers have their turn. */
const PRESENT_AT_ONCE = 100

export class Streaming {
  readonly seats = new StreamSeats()
  readonly counts = new StreamCounts()
  readonly watch: BlockWatch
  readonly health: StreamingParts['health']
  readonly #parts: StreamingParts
  readonly #hub: StreamHub
  readonly #missed = new MissedReads()
  readonly #subjects = new WeakMap<Subscriber, string>()
  readonly #forgetPending: () => void

  constructor(parts: StreamingParts) {
    this.#parts = parts
    this.health = parts.health
    this.watch = new BlockWatch(parts)
    const { pending, waits: stillWaits } = parts
    const waits = (hash: string): boolean => stillWaits?.(Buffer.from(hash, 'base64')) === true
    const resume: HubParts['resume'] = (...how) => this.#resume(...how)
    this.#hub = new StreamHub({
      ...parts,
      waits,
      resume,
      counts: this.counts,
      limits: { ...DEFAULTS, ...parts.limits },
    })
    this.#forgetPending = pending === undefined ? () => undefined : noticePending(pending, this.#hub.routes.all)
    this.counts.measure(parts.metrics, {
      connections: () => this.seats.count,
      subscriptions: () => this.#hub.subscriptions,
    })
  }

  /** Throws SubscriptionRefused for a request that breaks a rule, or a cursor that is not known; ApiError where it cannot be read now. */
  async read(value: unknown, request: Request): Promise<ReadySubscription> {
    const { transport, caller, actionsVersion } = request
    const { addresses: maxAddresses } = streamLimitsOf(caller.tier)
    const slices = new SlicedWork({ subject: caller.subject })
    if (hasManyNames(value)) await slices.ownTurn()
    const { allAccounts } = caller
    const rules = { transport, actionsVersion, maxAddresses, allAccounts }
    const subscription = await inPieces(readingSubscription(value, rules), slices)
    const { after } = subscription
    const { subject } = caller
    return { subscription, subject, cursor: after === null ? null : await this.#find(after, subscription, request) }
  }

  /** Begins to send; `unfinished` is kept by a connection over its subscriptions. */
  begin({ subscription, cursor, subject }: ReadySubscription, sink: Sink, unfinished = new RecentSet()): Subscriber {
    const subscriber = new Subscriber(sink, subscription, unfinished)
    this.#subjects.set(subscriber, subject)
    subscriber.hear(subscription.hashes.size > 0)
    // Finished traces come with the blocks after the cursor.
    if (cursor !== null) void this.#resume(subscriber, cursor).then(() => this.#present(subscriber, false))
    else {
      this.#hub.add(subscriber)
      void this.#present(subscriber, true)
    }
    return subscriber
  }

  /** Whether a subscriber has another subscription now; one that is sent what it missed, or will be, begins anew. */
  replace(subscriber: Subscriber, { subscription, cursor }: ReadySubscription): boolean {
    const isDone = cursor === null && this.#hub.change(subscriber, () => subscriber.replace(subscription))
    if (!isDone) return false
    subscriber.hear(subscription.hashes.size > 0)
    this.#hub.welcome(subscriber)
    void this.#present(subscriber, true)
    return true
  }

  async #resume(subscriber: Subscriber, cursor: Cursor, reverts?: number): Promise<void> {
    const parts = this.#resumeParts(this.#subjects.get(subscriber) ?? '', () => subscriber.isGone)
    await resume(parts, subscriber, cursor, reverts).catch((error: unknown) => this.#failed(subscriber, error))
  }

  #failed({ sink }: Subscriber, error: unknown): void {
    this.#parts.log.warn({ err: error }, 'stream not resumed')
    sink.fail()
  }

  /** Throws ApiError `forbidden` where the caller, as it is now, may not have such a subscription any more. */
  demandRight({ subscription }: Subscriber, { allAccounts = false }: Caller): void {
    if (isOfAnyAccount(subscription) && !allAccounts) throw new ApiError('forbidden', NOT_ALL_ACCOUNTS)
  }

  narrow(subscriber: Subscriber, addresses: Iterable<string>, hashes: Iterable<string>): void {
    const narrow = (): void => subscriber.narrow(addresses, hashes)
    if (!this.#hub.change(subscriber, narrow)) narrow()
  }

  end(subscriber: Subscriber): void {
    this.#hub.remove(subscriber)
  }

  close(): void {
    this.#forgetPending()
    this.watch.close()
    this.#hub.close()
  }

  async #find(after: string, subscription: Subscription, { caller, isGone }: Request): Promise<Cursor> {
    try {
      return await findCursor(this.#resumeParts(caller.subject, isGone), after, subscription)
    } catch (error) {
      throw asReadError(error)
    }
  }

  #resumeParts(subject: string, isGone: () => boolean): StreamResumeParts {
    const { feed, store, reach } = this.#parts
    return { feed, store, reach, hub: this.#hub, inTurn: (read) => this.#missed.read(subject, read, isGone) }
  }

  /** Sends the present state of the traces that a subscriber named; of finished ones only `withEnded`. */
  #present(subscriber: Subscriber, withEnded: boolean): Promise<void> {
    return this.#presentAll(subscriber, withEnded).catch((error: unknown) => this.#failed(subscriber, error))
  }

  async #presentAll(subscriber: Subscriber, withEnded: boolean): Promise<void> {
    const { subscription } = subscriber
    const isOver = (): boolean => subscriber.isGone || subscriber.subscription !== subscription
    const hashes = [...subscription.hashes]
    for (let at = 0; at < hashes.length && !isOver(); at += PRESENT_AT_ONCE) {
      const some = hashes.slice(at, at + PRESENT_AT_ONCE)
      const ended = await this.#hub.run(() => this.#presentUnfinished(subscriber, some))
      if (withEnded) await this.#presentEnded(subscriber, ended)
      await subscriber.sink.drained()
    }
    if (!isOver()) subscriber.hear(false)
  }

  /** Returns the hashes of those that have ended. */
  async #presentUnfinished(subscriber: Subscriber, hashes: readonly string[]): Promise<readonly string[]> {
    const hub = this.#hub
    const ends = await this.#endsOf(hashes)
    // The index may be ahead of what is reported: then the end comes with its block.
    const hasEnded = (hash: string): boolean => (ends.get(hash) ?? Number.POSITIVE_INFINITY) <= (hub.processed ?? -1)
    for (const hash of hashes) {
      if (hasEnded(hash)) continue
      const trace = hub.unfinished(hash)
      if (trace === null && !ends.has(hash)) await this.#recall(subscriber, hash)
      else await hub.present(subscriber, trace)
    }
    return hashes.filter(hasEnded)
  }

  /** Predicts what was sent while no stream waited for it. */
  async #recall(subscriber: Subscriber, hash: string): Promise<void> {
    const { sent, waits } = this.#parts
    const hashNorm = Buffer.from(hash, 'base64')
    if (subscriber.subscription.minFinality !== 'pending' || waits?.(hashNorm) === false) return
    const subject = this.#subjects.get(subscriber) ?? ''
    const message = await inPieces(sent.finding(hashNorm), { subject })
    if (message !== null) this.#hub.predict(message)
  }

  /** Each is read while others are sent what blocks bring: to read a hundred takes longer than a block. */
  async #presentEnded(subscriber: Subscriber, hashes: readonly string[]): Promise<void> {
    const hub = this.#hub
    for (const hash of hashes) {
      if (subscriber.isGone) return
      const reverts = hub.reverts.count
      const trace = await this.#recent(hash)
      // One that was undone meanwhile goes on.
      await hub.run(() => hub.present(subscriber, reverts === hub.reverts.count ? trace : hub.unfinished(hash)))
    }
  }

  /** The blocks with the ends of traces that are in blocks, by the hashes of their messages; infinite for those that go on. */
  async #endsOf(hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await readAll(this.#parts.store, sentRead(hashes.map((hash) => Buffer.from(hash, 'base64'))))
    return new Map(
      found.flatMap(({ hash, hashNorm, state, mcSeqnoEnd }) => {
        const end = state === 'complete' ? mcSeqnoEnd : Number.POSITIVE_INFINITY
        return [hash, hashNorm ?? hash].map((name): [string, number] => [toBase64(name), end])
      }),
    )
  }

  async #recent(hash: string): Promise<LiveTrace | null> {
    const { traces, store, feed } = this.#parts
    const head = feed.head()
    const newest = head === null ? null : await feed.block(head.seqno)
    if (newest === null) return null
    return await traces.ofHash(Buffer.from(hash, 'base64'), newest.utime - RECENT_S, (traceId) =>
      readAll(store, allActionsRead([traceId])),
    )
  }
}
