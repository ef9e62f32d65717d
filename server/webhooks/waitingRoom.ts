// Webhooks that have delivered all there is wait here, and follow the index together: a block wakes those it concerns, and the
// others cost nothing.

import { SlicedWork } from '../fairness/index.ts'
import type { BlockRows, BlockRowsFeed } from '../store/index.ts'
import { type BlockNotices, type Cursor, endOfBlock } from '../streaming/index.ts'
import { Concerns } from './concerns.ts'
import type { WebhookFilter } from './webhookEvent.ts'

/** Why the waiting is over. */
type Reason =
  /** A block that may hold something, or after which the cursor is to be stored. */
  | { readonly kind: 'block'; readonly rows: BlockRows }
  /** Blocks were undone that were delivered, or held nothing. */
  | { readonly kind: 'reverted' }
  /** The room does not follow the index, or was not reached. */
  | { readonly kind: 'ended' }

/** With the last block that held nothing; null for none. */
export type Woken = Reason & { readonly passed: Cursor | null }

export interface WaitingWebhook {
  /** The last block that was delivered. */
  readonly deliveredTo: number
  /** It is woken by this block at the latest. */
  readonly storedBy: number
}

/** Of one webhook, from its begin to its end. */
export interface RoomSeat {
  /** Resolves when there may be something to do, or the signal aborts. */
  wait(webhook: WaitingWebhook, signal: AbortSignal): Promise<Woken>
  leave(): Promise<void>
}

interface Waiting extends WaitingWebhook {
  readonly seat: RoomSeat
  wake(why: Reason): void
}

export class WaitingRoom {
  readonly #feed: BlockRowsFeed
  readonly #concerns: Concerns<RoomSeat>
  readonly #waiting = new Set<Waiting>()
  #inside = 0
  #following: AbortController | null = null
  /** The block that is being matched, or the last one that was. */
  #at = Number.POSITIVE_INFINITY
  /** The last block all webhooks waiting here have passed. */
  #passed: Cursor | null = null
  #reverts = 0

  constructor({ feed, notices }: { readonly feed: BlockRowsFeed; readonly notices: BlockNotices }) {
    this.#feed = feed
    this.#concerns = new Concerns(notices)
  }

  /**
   * The index is followed until all who entered have left. What a webhook waits for is entered once: it may be a hundred thousand
   * accounts, and took most of a second each time.
   */
  async enter(filter: WebhookFilter): Promise<RoomSeat> {
    this.#inside++
    const seat: RoomSeat = {
      wait: (webhook, signal) => this.#wait(seat, webhook, signal),
      leave: async () => {
        this.#inside--
        if (this.#inside === 0) this.#end()
        await forget()
      },
    }
    const forget = await this.#concerns.add(seat, filter)
    return seat
  }

  /** Rises with every revert: a block that was part of the chain before may not be any more. */
  get reverts(): number {
    return this.#reverts
  }

  /** Whether a webhook that has delivered this block may wait here without missing the next one. */
  isReachedBy(mcSeqno: number): boolean {
    if (this.#following === null) this.#begin()
    return mcSeqno >= this.#at
  }

  #wait(seat: RoomSeat, webhook: WaitingWebhook, signal: AbortSignal): Promise<Woken> {
    if (signal.aborted || !this.isReachedBy(webhook.deliveredTo))
      return Promise.resolve({ kind: 'ended', passed: null })
    return new Promise((resolve) => {
      const leave = (): void => one.wake({ kind: 'ended' })
      const one: Waiting = {
        ...webhook,
        seat,
        wake: (why) => {
          if (!this.#waiting.delete(one)) return
          signal.removeEventListener('abort', leave)
          const passed = this.#passed
          resolve({ ...why, passed: passed !== null && passed.mcSeqno > webhook.deliveredTo ? passed : null })
        },
      }
      this.#waiting.add(one)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #begin(): void {
    const head = this.#feed.head()
    if (head === null) return
    const following = new AbortController()
    this.#following = following
    this.#at = head.seqno
    void this.#follow(head.seqno + 1, following)
  }

  async #follow(next: number, following: AbortController): Promise<void> {
    try {
      for await (const item of this.#feed.from(next, { signal: following.signal })) {
        if (following.signal.aborted) return
        if (item.kind === 'reverted') this.#reverted(item.mcSeqno)
        else await this.#look(item.rows, following.signal)
      }
    } catch {
      // Each goes on alone, meets the same failure, and reports it.
    } finally {
      if (this.#following === following) this.#end()
    }
  }

  async #look(rows: BlockRows, signal: AbortSignal): Promise<void> {
    this.#at = rows.mcSeqno
    const concerned = await this.#concerns.of(rows)
    const slices = new SlicedWork({ subject: 'webhooks' })
    for (const one of [...this.#waiting]) {
      // All who waited have left: the block may be undone for those who came since.
      if (signal.aborted) return
      if (one.deliveredTo >= rows.mcSeqno || !(concerned.has(one.seat) || rows.mcSeqno >= one.storedBy)) continue
      one.wake({ kind: 'block', rows })
      if (slices.isDue) await slices.rest()
    }
    if (!signal.aborted) this.#passed = endOfBlock(rows)
  }

  #reverted(mcSeqno: number): void {
    this.#reverts++
    this.#at = mcSeqno
    for (const one of [...this.#waiting])
      if (Math.max(one.deliveredTo, this.#passed?.mcSeqno ?? 0) > mcSeqno) one.wake({ kind: 'reverted' })
    this.#passed = null
  }

  #end(): void {
    this.#following?.abort()
    this.#following = null
    this.#at = Number.POSITIVE_INFINITY
    for (const one of [...this.#waiting]) one.wake({ kind: 'ended' })
    this.#passed = null
  }
}
