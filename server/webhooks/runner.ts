// Delivers one webhook: block by block from its cursor on, one event after the other.

import type { Log } from '../observe/index.ts'
import { pause } from '../process/index.ts'
import {
  BlockNotIndexed,
  type BlockRows,
  type BlockRowsFeed,
  type Database,
  noteAttempt,
  pruneDeliveries,
} from '../store/index.ts'
import {
  type BlockNotices,
  type Cursor,
  cursorOf,
  END_OF_BLOCK,
  endOfBlock,
  readStreamCursor,
  writeStreamCursor,
} from '../streaming/index.ts'
import { MOST_FAILURES, pauseAfter } from './backoff.ts'
import type { CursorWriter } from './cursorWriter.ts'
import { type DeliveryTrail, lengthen, readTrail, writeTrail } from './deliveryTrail.ts'
import type { Post } from './postWebhook.ts'
import type { WaitingRoom } from './waitingRoom.ts'
import type { ClaimedWebhook } from './webhook.ts'
import { blocksFor, type ReadEvents, type WebhookEvent, wantsEveryBlock } from './webhookEvent.ts'

export interface RunnerParts {
  readonly feed: BlockRowsFeed
  readonly database: Pick<Database, 'transaction'>
  readonly notices: BlockNotices
  readonly room: WaitingRoom
  readonly cursors: Pick<CursorWriter, 'store'>
  readonly post: Post
  readonly events: ReadEvents
  readonly canRewind: boolean
  readonly pauseAfter?: (failures: number) => number
  readonly log: Pick<Log, 'warn'>
}

/** Another process delivers this webhook, or it is gone. */
class Superseded extends Error {}

/** Nothing is posted until its owner requests it. */
class Suspended extends Error {}

/** A webhook that is more blocks behind the head than this skips those without an event. */
const FAR = 32
const BLOCKS_AT_ONCE = 256
/** Blocks without an event after which the cursor is stored all the same. */
const STORED_EVERY = 256
const KEPT_DELIVERIES = 1_000
const WAIT_MS = 500

const isAt = (rows: BlockRows | null, { block }: Pick<Cursor, 'block'>): boolean =>
  rows !== null && endOfBlock(rows).block === block

export class Runner {
  readonly #parts: RunnerParts
  readonly #webhook: ClaimedWebhook
  readonly #signal: AbortSignal
  #cursor: Cursor | null
  #stored: Cursor | null
  #trail: DeliveryTrail
  #failures: number
  #nextAt: number
  #attempts = 0

  constructor(parts: RunnerParts, webhook: ClaimedWebhook, signal: AbortSignal) {
    this.#parts = parts
    this.#webhook = webhook
    this.#signal = signal
    const { row } = webhook
    this.#cursor = this.#stored = readStreamCursor(row.cursor)
    this.#trail = readTrail(row.trail)
    this.#failures = row.failures
    // By a clock that was set back since, the pause would be longer than any.
    this.#nextAt = Math.min(Number(row.next_at), Date.now() + (parts.pauseAfter ?? pauseAfter)(row.failures))
  }

  /** Resolves when the signal aborts, or the webhook is suspended, removed or claimed by another process. Rejects with StoreError. */
  async run(): Promise<void> {
    const leave = this.#parts.room.enter()
    try {
      while (!this.#signal.aborted) await this.#follow()
    } catch (error) {
      if (error instanceof Superseded || error instanceof Suspended || this.#signal.aborted) return
      throw error
    } finally {
      leave()
    }
  }

  async #follow(): Promise<void> {
    const { feed, room } = this.#parts
    if (!(await this.#locate())) return await this.#pause(WAIT_MS)
    await this.#catchUp()
    await this.#waitWithOthers()
    const first = (this.#cursor ?? { mcSeqno: -1 }).mcSeqno
    let isFirst = true
    try {
      for await (const item of feed.from(Math.max(first, 0), { signal: this.#signal })) {
        if (item.kind === 'reverted') {
          if (!(await this.#revertedTo(item.mcSeqno))) return
          continue
        }
        // Blocks may have been undone before the feed was followed.
        if (isFirst && !(await this.#isKnown())) return
        isFirst = false
        await this.#deliver(item.rows)
        if (room.isReachedBy(item.rows.mcSeqno)) return
      }
    } catch (error) {
      if (!(error instanceof BlockNotIndexed)) throw error
      await this.#lost()
    }
  }

  /** Waits with the other webhooks that have caught up, until this one has to follow the feed on its own. */
  async #waitWithOthers(): Promise<void> {
    const { room } = this.#parts
    while (!this.#signal.aborted) {
      const cursor = this.#cursor
      const { reverts } = room
      if (cursor === null || cursor.position !== END_OF_BLOCK || !(await this.#isKnown().catch(() => false))) return
      if (reverts !== room.reverts || !room.isReachedBy(cursor.mcSeqno)) return
      const storedBy = (this.#stored?.mcSeqno ?? 0) + STORED_EVERY
      const waiting = { filter: this.#webhook.filter, deliveredTo: cursor.mcSeqno, storedBy }
      const woken = await room.wait(waiting, this.#signal)
      this.#cursor = woken.passed ?? cursor
      if (woken.kind === 'block') await this.#deliver(woken.rows)
      else if (woken.kind === 'reverted' && !(await this.#isKnown())) {
        await this.#revertedTo(woken.mcSeqno)
        return
      } else return
    }
  }

  /** False while the last block that was not undone cannot be read. */
  async #revertedTo(mcSeqno: number): Promise<boolean> {
    const last = await this.#parts.feed.block(mcSeqno)
    if (last === null) return false
    await this.#reverted(endOfBlock(last))
    return true
  }

  #isKnown = async (): Promise<boolean> => {
    const cursor = this.#cursor
    return cursor === null || isAt(await this.#parts.feed.block(cursor.mcSeqno), cursor)
  }

  /** Goes back to where the chain and what was delivered agree. False while the index is behind. */
  async #locate(): Promise<boolean> {
    const { feed, canRewind } = this.#parts
    const head = feed.head()
    if (head === null) return false
    if (this.#cursor === null) {
      await this.#lost()
      return true
    }
    if (!canRewind && head.seqno < this.#cursor.mcSeqno) return false
    try {
      if (await this.#isKnown()) return true
      for (const one of this.#trail) {
        const rows = await feed.block(one.mcSeqno)
        if (rows === null || !isAt(rows, one)) continue
        await this.#reverted(endOfBlock(rows))
        return true
      }
    } catch (error) {
      if (!(error instanceof BlockNotIndexed)) throw error
    }
    await this.#lost()
    return true
  }

  /** Reads only blocks with an event, while they are far behind. */
  async #catchUp(): Promise<void> {
    const { feed, notices } = this.#parts
    const { filter } = this.#webhook
    while (!this.#signal.aborted && this.#cursor !== null) {
      const head = feed.head()
      const first = this.#cursor.mcSeqno
      if (head === null || head.seqno - first <= FAR || wantsEveryBlock(filter)) return
      const last = head.seqno - 1
      const found = await blocksFor(notices, filter, { first, last, limit: BLOCKS_AT_ONCE })
      const isAll = found.length < BLOCKS_AT_ONCE
      for (const seqno of isAll ? [...found, last] : found) {
        const rows = await feed.block(seqno)
        if (rows === null) return
        await this.#deliver(rows)
      }
    }
  }

  async #deliver(rows: BlockRows): Promise<void> {
    const after = rows.mcSeqno === this.#cursor?.mcSeqno ? this.#cursor.position : -1
    for (const event of await this.#parts.events(rows, { filter: this.#webhook.filter, after }))
      await this.#send(event, cursorOf(rows, event.position))
    if (this.#cursor !== null && rows.mcSeqno < this.#cursor.mcSeqno) return
    this.#cursor = endOfBlock(rows)
    if (rows.mcSeqno - (this.#stored?.mcSeqno ?? 0) >= STORED_EVERY) await this.#store()
  }

  /** Reports that blocks above the cursor were undone, and goes on from there. */
  async #reverted(cursor: Cursor): Promise<void> {
    this.#trail = this.#trail.filter(({ mcSeqno }) => mcSeqno <= cursor.mcSeqno)
    const body = JSON.stringify({ type: 'chain_reverted', mc_seqno: cursor.mcSeqno })
    await this.#send({ position: cursor.position, name: 'chain_reverted', body, account: null }, cursor)
  }

  /** Reports that the index no longer has what came after the cursor, and goes on from the newest block. */
  async #lost(): Promise<void> {
    const { feed } = this.#parts
    const head = feed.head()
    const rows = head === null ? null : await feed.block(head.seqno)
    if (rows === null) return await this.#pause(WAIT_MS)
    const from = this.#cursor?.mcSeqno ?? null
    this.#trail = []
    const cursor = endOfBlock(rows)
    const body = JSON.stringify({ type: 'events_lost', from_mc_seqno: from, mc_seqno: rows.mcSeqno })
    await this.#send({ position: cursor.position, name: 'events_lost', body, account: null }, cursor)
  }

  async #store(): Promise<void> {
    const { row } = this.#webhook
    if (this.#cursor === null) return
    const written = this.#writtenAt(this.#cursor)
    if (!(await this.#parts.cursors.store({ id: row.id, epoch: row.epoch, ...written }))) throw new Superseded()
    this.#stored = this.#cursor
  }

  #writtenAt(cursor: Cursor): { cursor: string; trail: string } {
    this.#trail = lengthen(this.#trail, cursor)
    return { cursor: writeStreamCursor(cursor), trail: writeTrail(this.#trail) }
  }

  /** Posts an event until it is taken. Throws Suspended, Superseded. */
  async #send(event: WebhookEvent, cursor: Cursor): Promise<void> {
    for (;;) {
      // The clock may have been set back since: no pause is longer than it was meant.
      await this.#pause(Math.min(this.#nextAt - Date.now(), this.#pauseAfter(this.#failures)))
      this.#signal.throwIfAborted()
      const { row } = this.#webhook
      const { endpoint, token, secret } = row
      const at = BigInt(Date.now())
      const posting = { endpoint, token, secret, name: event.name, body: event.body }
      const { status, ms, error } = await this.#parts.post(posting, this.#signal)
      const isTaken = error === ''
      const attempt = this.#failures + 1
      this.#failures = isTaken ? 0 : attempt
      const next = isTaken ? null : this.#afterFailure(error)
      this.#nextAt = Number(next?.at ?? 0n)
      const stored = this.#stored === null ? '' : writeStreamCursor(this.#stored)
      const written = isTaken ? this.#writtenAt(cursor) : { cursor: stored, trail: writeTrail(this.#trail) }
      await this.#note({
        ...{ id: row.id, epoch: row.epoch, ...written, at, attempt, status, ms, error, isTaken, next },
        ...{ event: event.name, mcSeqno: cursor.mcSeqno, account: event.account },
      })
      if (isTaken) {
        this.#cursor = this.#stored = cursor
        return
      }
      if (next?.status === 'suspended') throw new Suspended()
    }
  }

  #afterFailure(error: string): { status: string; reason: string; at: bigint } {
    const { log } = this.#parts
    const isOver = this.#failures >= MOST_FAILURES
    if (isOver) log.warn({ webhook: String(this.#webhook.row.id), failures: this.#failures }, 'webhook suspended')
    return {
      status: isOver ? 'suspended' : 'offline',
      reason: error,
      at: BigInt(Date.now() + this.#pauseAfter(this.#failures)),
    }
  }

  #pauseAfter(failures: number): number {
    return (this.#parts.pauseAfter ?? pauseAfter)(failures)
  }

  async #note(attempt: Parameters<typeof noteAttempt>[1]): Promise<void> {
    const isOurs = await this.#parts.database.transaction(async (to) => {
      const noted = await noteAttempt(to, attempt)
      if (noted && this.#attempts % 100 === 0) await pruneDeliveries(to, attempt.id, KEPT_DELIVERIES)
      return noted
    })
    this.#attempts++
    if (!isOurs) throw new Superseded()
  }

  #pause(ms: number): Promise<void> {
    return ms <= 0 ? Promise.resolve() : pause(ms, this.#signal)
  }
}
