// Delivers one webhook: block by block from its cursor on, one event after the other.

import type { Log } from '../observe/index.ts'
import { pause } from '../process/index.ts'
import { BlockNotIndexed, type BlockRows, type BlockRowsFeed, type WebhookAttempt } from '../store/index.ts'
import { type BlockNotices, type Cursor, cursorOf, END_OF_BLOCK, endOfBlock } from '../streaming/index.ts'
import { type AfterFailure, afterFailure, pauseAfter } from './backoff.ts'
import { Superseded, Suspended } from './deliveryEnds.ts'
import { DeliveryPlace, isAt, isIn } from './deliveryPlace.ts'
import type { DeliveryWrites } from './deliveryWrites.ts'
import type { Post } from './postWebhook.ts'
import type { RoomSeat, WaitingRoom } from './waitingRoom.ts'
import type { ClaimedWebhook } from './webhook.ts'
import { blocksFor, chainEvent, isOfEveryBlock, type ReadEvents, type WebhookEvent } from './webhookEvent.ts'

export interface RunnerParts {
  readonly feed: BlockRowsFeed
  readonly notices: BlockNotices
  readonly room: WaitingRoom
  readonly writes: Pick<DeliveryWrites, 'store' | 'note'>
  readonly post: Post
  readonly events: ReadEvents
  readonly canRewind: boolean
  readonly pauseAfter?: (failures: number) => number
  readonly log: Pick<Log, 'warn'>
}

/** A webhook that is more blocks behind the head than this skips those without an event. */
const FAR = 32
const BLOCKS_AT_ONCE = 256
/** Blocks without an event after which the cursor is stored all the same. */
const STORED_EVERY = 256
/** Attempts of a webhook after which old ones are deleted. */
const PRUNED_EVERY = 100
const WAIT_MS = 500

export class Runner {
  readonly #parts: RunnerParts
  readonly #webhook: ClaimedWebhook
  readonly #signal: AbortSignal
  readonly #place: DeliveryPlace
  #failures: number
  #nextAt: number
  #attempts = 0
  /** Reverts the feed had noticed when the cursor was last known to be in the chain. */
  #reverts: number

  constructor(parts: RunnerParts, webhook: ClaimedWebhook, signal: AbortSignal) {
    this.#parts = parts
    this.#webhook = webhook
    this.#signal = signal
    const { row } = webhook
    this.#place = new DeliveryPlace(row)
    this.#reverts = parts.feed.reverts
    this.#failures = row.failures
    this.#nextAt = Number(row.next_at)
  }

  /** Resolves at the end, with true when the webhook is gone or another process has claimed it. Rejects with StoreError. */
  async run(): Promise<boolean> {
    const seat = await this.#parts.room.enter(this.#webhook.filter)
    try {
      while (!this.#signal.aborted) await this.#follow(seat)
      // What had nothing for it may be removed from the index before it goes on.
      if ((this.#place.cursor?.mcSeqno ?? 0) > this.#place.storedSeqno) await this.#store()
      return false
    } catch (error) {
      if (error instanceof Suspended || this.#signal.aborted) return false
      if (error instanceof Superseded) return true
      throw error
    } finally {
      await seat.leave()
    }
  }

  async #follow(seat: RoomSeat): Promise<void> {
    const { feed, room } = this.#parts
    await this.#rest()
    if (!(await this.#locate())) return await this.#pause(WAIT_MS)
    try {
      if (!(await this.#catchUp()) || !(await this.#waitWithOthers(seat))) return
      const first = this.#place.cursor?.mcSeqno ?? -1
      let isFirst = true
      for await (const item of feed.from(Math.max(first, 0), { signal: this.#signal })) {
        if (item.kind === 'reverted') return
        // Blocks may have been undone before the feed was followed.
        if (isFirst && !(await this.#place.isKnown(this.#parts.feed))) return
        isFirst = false
        if (!(await this.#deliver(item.rows))) return
        if (room.isReachedBy(item.rows.mcSeqno)) return
      }
    } catch (error) {
      if (!(error instanceof BlockNotIndexed)) throw error
      await this.#lost()
    }
  }

  /** Waits with the other webhooks that have caught up, until this one has to follow the feed on its own; false as for `#deliver`. */
  async #waitWithOthers(seat: RoomSeat): Promise<boolean> {
    const { feed, room } = this.#parts
    while (!this.#signal.aborted) {
      const cursor = this.#place.cursor
      const { reverts } = room
      if (cursor === null || cursor.position !== END_OF_BLOCK) return true
      if (!(await this.#place.isKnown(feed).catch(() => false))) return true
      if (reverts !== room.reverts || !room.isReachedBy(cursor.mcSeqno)) return true
      const storedBy = this.#place.storedSeqno + STORED_EVERY
      const woken = await seat.wait({ deliveredTo: cursor.mcSeqno, storedBy }, this.#signal)
      this.#place.cursor = woken.passed ?? cursor
      if (woken.kind === 'block') {
        if (!(await this.#deliver(woken.rows))) return false
      } else return woken.kind === 'ended'
    }
    return false
  }

  /** Goes back to where the chain and what was delivered agree. False while the index is behind. */
  async #locate(): Promise<boolean> {
    const { feed, canRewind } = this.#parts
    const head = feed.head()
    if (head === null) return false
    if (this.#place.cursor === null) return await this.#lost()
    if (!canRewind && head.seqno < this.#place.cursor.mcSeqno) return false
    const { reverts } = feed
    try {
      if (!(await this.#place.isKnown(feed))) {
        const last = await this.#lastThatStayed(this.#place.cursor)
        if (last === undefined) return await this.#lost()
        // What was undone meanwhile may reach below it.
        if (last === null || feed.reverts !== reverts || !(await this.#reverted(last))) return false
      }
      this.#reverts = reverts
      return true
    } catch (error) {
      if (!(error instanceof BlockNotIndexed)) throw error
    }
    return await this.#lost()
  }

  /** The last block that what was delivered and the chain have in common: null while it cannot be read, undefined when it is not known. */
  async #lastThatStayed(cursor: Cursor): Promise<Cursor | null | undefined> {
    const { feed } = this.#parts
    // What lies between it and the cursor has nothing for this webhook.
    if (await isIn({ feed, at: cursor })) return cursor
    const lowest = feed.lowestSince(this.#reverts)
    if (lowest !== null) {
      const last = await feed.block(lowest)
      return last === null ? null : endOfBlock(last)
    }
    for (const one of this.#place.trail) {
      const rows = await feed.block(one.mcSeqno)
      if (rows !== null && isAt(rows, one)) return endOfBlock(rows)
    }
    return undefined
  }

  /** Reads only blocks with an event, while they are far behind. False when blocks were undone since they were looked for. */
  async #catchUp(): Promise<boolean> {
    const { feed, notices, room } = this.#parts
    const { filter } = this.#webhook
    while (!this.#signal.aborted && this.#place.cursor !== null) {
      const head = feed.head()
      const first = this.#place.cursor.mcSeqno
      // The room follows the feed from here on, which notices what is undone only while it is followed.
      if (head === null || room.isReachedBy(first) || head.seqno - first <= FAR || isOfEveryBlock(filter)) return true
      const { reverts } = feed
      const last = head.seqno - 1
      const found = await blocksFor(notices, filter, { first, last, limit: BLOCKS_AT_ONCE })
      const isAll = found.length < BLOCKS_AT_ONCE
      for (const seqno of isAll ? [...found, last] : found) {
        const rows = await feed.block(seqno)
        if (feed.reverts !== reverts) return false
        if (rows === null) return true
        if (!(await this.#deliver(rows))) return false
      }
    }
    return true
  }

  /** False when the block was undone before all of it was posted, or an event was not taken. */
  async #deliver(rows: BlockRows): Promise<boolean> {
    const { filter } = this.#webhook
    let after = rows.mcSeqno === this.#place.cursor?.mcSeqno ? this.#place.cursor.position : -1
    for (let hasMore = true; hasMore; ) {
      const { events, isAll } = await this.#parts.events(rows, { filter, after })
      for (const event of events) {
        const cursor = cursorOf(rows, event.position)
        if (!(await this.#willPost(cursor)) || !(await this.#send(event, cursor))) return false
        after = event.position
      }
      hasMore = !isAll
    }
    if (this.#place.cursor !== null && rows.mcSeqno < this.#place.cursor.mcSeqno) return true
    this.#place.cursor = endOfBlock(rows)
    if (rows.mcSeqno - this.#place.storedSeqno >= STORED_EVERY) await this.#store()
    return true
  }

  /** Stores that a block is about to be posted of: when it is undone, that is reported after a restart, too. False when it is. */
  async #willPost(cursor: Cursor): Promise<boolean> {
    if (!this.#parts.canRewind) return true
    if (!(await this.#place.isKnown(this.#parts.feed))) return false
    if (this.#place.tries(cursor)) await this.#write(this.#place.written())
    return true
  }

  /** Reports that blocks above the cursor were undone, and goes on from there. */
  async #reverted(cursor: Cursor): Promise<boolean> {
    return await this.#report(chainEvent('chain_reverted', cursor), cursor)
  }

  /** Reports that the index no longer has what came after the cursor, and goes on from the newest block. */
  async #lost(): Promise<boolean> {
    const { feed } = this.#parts
    const head = feed.head()
    const rows = head === null ? null : await feed.block(head.seqno)
    if (rows === null) return false
    const cursor = endOfBlock(rows)
    const from_mc_seqno = this.#place.cursor?.mcSeqno ?? null
    return await this.#report(chainEvent('events_lost', cursor, { from_mc_seqno }), cursor)
  }

  /** A receiver drops what it has by such an event: one that another process posted and went on from must not come again. */
  async #report(event: WebhookEvent, cursor: Cursor): Promise<boolean> {
    await this.#write(this.#place.written())
    return await this.#send(event, cursor)
  }

  async #store(): Promise<void> {
    const place = this.#place
    if (place.cursor === null) return
    await this.#write(place.writtenAt(place.cursor))
    place.stored(place.cursor)
  }

  async #write(written: ReturnType<DeliveryPlace['written']>): Promise<void> {
    const { id, epoch } = this.#webhook.row
    if (!(await this.#parts.writes.store({ id, epoch, ...written }))) throw new Superseded()
  }

  /** The pause after a failure, which may be an hour: what the block has is read again after it. */
  async #rest(): Promise<void> {
    // The clock may have been set back since: no pause is longer than it was meant.
    await this.#pause(Math.min(this.#nextAt - Date.now(), this.#pauseAfter(this.#failures)))
    this.#signal.throwIfAborted()
    // During a pause another process may have gone on with it.
    if (this.#failures > 0) await this.#write(this.#place.written())
  }

  /** Posts an event; false when it was not taken, or its block was undone. Throws Suspended, Superseded. */
  async #send(event: WebhookEvent, cursor: Cursor): Promise<boolean> {
    this.#signal.throwIfAborted()
    if (this.#parts.canRewind && !(await isIn({ feed: this.#parts.feed, at: cursor }))) return false
    const { owner, endpoint, token, secret, id, epoch } = this.#webhook.row
    const at = BigInt(Date.now())
    const posting = { owner, endpoint, token, secret, name: event.name, body: event.body }
    const { status, ms, error } = await this.#parts.post(posting, this.#signal)
    const isTaken = error === ''
    const attempt = this.#failures + 1
    this.#failures = isTaken ? 0 : attempt
    const next = isTaken ? null : this.#afterFailure(error)
    this.#nextAt = Number(next?.at ?? 0n)
    const written = isTaken ? this.#place.writtenAt(cursor) : this.#place.written()
    const outcome = { at, attempt, status, ms, error, isTaken, next }
    const { name, account } = event
    await this.#note({ id, epoch, ...written, ...outcome, event: name, mcSeqno: cursor.mcSeqno, account })
    if (isTaken) this.#place.stored(cursor)
    if (next?.status === 'suspended') throw new Suspended()
    return isTaken
  }

  #afterFailure(reason: string): AfterFailure {
    const failures = this.#failures
    const next = afterFailure(reason, { failures, pauseMs: this.#pauseAfter(failures) })
    if (next.status === 'suspended')
      this.#parts.log.warn({ webhook: String(this.#webhook.row.id), failures }, 'webhook suspended')
    return next
  }

  #pauseAfter(failures: number): number {
    return (this.#parts.pauseAfter ?? pauseAfter)(failures)
  }

  async #note(attempt: Omit<WebhookAttempt, 'isPruned'>): Promise<void> {
    const isPruned = this.#attempts++ % PRUNED_EVERY === 0
    if (!(await this.#parts.writes.note({ ...attempt, isPruned }))) throw new Superseded()
  }

  #pause(ms: number): Promise<void> {
    return ms <= 0 ? Promise.resolve() : pause(ms, this.#signal)
  }
}
