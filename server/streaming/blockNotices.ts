// What one indexed block means to one subscription, and which of many it concerns, for deliveries that read blocks by themselves.

import { inPieces, SlicedWork, type Slicing } from '../fairness/index.ts'
import type { LiveBooks, LiveTraces } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRows, Sql } from '../store/index.ts'
import { concernedByLarge } from './concernedByLarge.ts'
import { emitBlock, type Visit, visitBlock } from './emitBlock.ts'
import { readingSubscription, SubscriptionRefused } from './readSubscription.ts'
import { type Concerning, concerningBlocks } from './resume.ts'
import { SharedTexts } from './sharedTexts.ts'
import { StreamCounts } from './streamCounts.ts'
import { type Cursor, endOfBlock, readStreamCursor } from './streamCursor.ts'
import { RoutesToMany, routesToOne } from './streamRoutes.ts'
import type { Subscription } from './streamSubscription.ts'
import { Subscriber } from './subscriber.ts'

export interface BlockNoticesParts {
  readonly store: Sql
  readonly traces: LiveTraces
  readonly books: LiveBooks
  readonly log: Pick<Log, 'warn'>
}

export interface BlockNotice {
  readonly position: number
  readonly text: string
}

/** The first of the notifications behind a position. */
export interface SomeNotices {
  readonly notices: readonly BlockNotice[]
  /** Whether there are no more of them. */
  readonly isAll: boolean
}

/** Characters of notifications that are in memory at once, but for the last of them. */
const MOST_TEXT = 8 << 20

/** Subscriptions that wait for a block that concerns them. */
export interface WaitingSubscriptions<T> {
  /** Adds one under a name, until the returned function is called. */
  add(name: T, subscription: Subscription): () => void
  /** The names of those a block may concern: of all that it has a notification for, and few others. */
  concernedBy(rows: BlockRows): Promise<ReadonlySet<T>>
}

/** For subscribers that are only matched. */
const NO_SINK = {
  isClosed: true,
  send: () => undefined,
  drained: () => Promise.resolve(),
  fail: () => undefined,
}

/** All of them share their slices of the event loop. */
const WEBHOOKS = 'webhooks'

const ONLY_FINALIZED =
  'min_finality: only finalized notifications are delivered by a webhook; pending and confirmed ones are on streams'

export class BlockNotices {
  readonly #parts: BlockNoticesParts
  readonly #counts = new StreamCounts()

  constructor(parts: BlockNoticesParts) {
    this.#parts = parts
  }

  /** Rejects with SubscriptionRefused. */
  async read(
    value: unknown,
    maxAddresses: number,
    { allAccounts = false, ...slicing }: Slicing & { readonly allAccounts?: boolean } = { subject: WEBHOOKS },
  ): Promise<Subscription> {
    const rules = { transport: 'sse', actionsVersion: null, maxAddresses, allAccounts } as const
    const subscription = await inPieces(readingSubscription(value, rules), slicing)
    if (subscription.minFinality !== 'finalized') throw new SubscriptionRefused(ONLY_FINALIZED)
    return subscription
  }

  /** Seqnos of blocks that may hold something for a subscription, ascending. */
  concerning(
    subscription: Concerning,
    range: { readonly first: number; readonly last: number; readonly limit: number },
  ): Promise<number[]> {
    return concerningBlocks(this.#parts.store, subscription, range)
  }

  /** Subscriptions that are matched together: a block costs what it concerns, however many there are. */
  waiting<T>(): WaitingSubscriptions<T> {
    const { traces, log } = this.#parts
    const routes = new RoutesToMany()
    const names = new Map<Subscriber, T>()
    return {
      add(name, subscription) {
        const subscriber = new Subscriber(NO_SINK, subscription)
        names.set(subscriber, name)
        routes.add(subscriber)
        return () => {
          names.delete(subscriber)
          routes.remove(subscriber)
        }
      },
      async concernedBy(rows) {
        const found = new Set<T>()
        if (names.size === 0) return found
        const left = new Set(names.keys())
        const note = (subscriber: Subscriber): void => {
          const name = names.get(subscriber)
          if (name !== undefined) found.add(name)
          left.delete(subscriber)
        }
        const visit: Visit = async (type, subject) => {
          if (routes.ofType(type.name).size === 0) return
          const audience = type.audience(subject, routes)
          for (const subscriber of ('next' in audience ? await inPieces(audience, pace) : audience).keys())
            if (subscriber.subscription.types.has(type.name)) note(subscriber)
        }
        const pace = new SlicedWork({ subject: WEBHOOKS })
        const parts = { routes, traces, log, pace, onTrace: () => undefined }
        const isEnough = (): boolean => left.size === 0
        for (const subscriber of await concernedByLarge(parts, rows)) note(subscriber)
        await visitBlock(parts, rows, { finality: 'finalized', after: -1, isEnough, isWithoutLarge: true, visit })
        return found
      },
    }
  }

  /** The finalized notifications of a block behind a position, in their order: as many as may be in memory. */
  async ofBlock(rows: BlockRows, subscription: Subscription, after: number): Promise<SomeNotices> {
    const notices: BlockNotice[] = []
    let left = MOST_TEXT
    const isEnough = (): boolean => left <= 0
    const sink = {
      isClosed: false,
      send(text: string, cursor: string | null) {
        const position = cursor === null ? undefined : readStreamCursor(cursor)?.position
        if (position === undefined) return
        notices.push({ position, text })
        left -= text.length
      },
      drained: () => Promise.resolve(),
      fail: () => undefined,
    }
    const routes = routesToOne(new Subscriber(sink, subscription))
    const { traces, books, log } = this.#parts
    const pace = new SlicedWork({ subject: WEBHOOKS })
    const texts = new SharedTexts()
    const parts = { routes, traces, books, log, pace, texts, counts: this.#counts, onTrace: () => undefined }
    await emitBlock(parts, rows, { finality: 'finalized', after, isEnough })
    return { notices, isAll: !isEnough() }
  }
}

export const cursorOf = (rows: Pick<BlockRows, 'mcSeqno' | 'rootHash'>, position: number): Cursor => ({
  ...endOfBlock(rows),
  position,
})
