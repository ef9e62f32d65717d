// The feed: masterchain blocks in order, each once it can be read from the index, and reports of blocks that were undone.
// All who follow the index read it. Each block is read once for all consumers; a slow consumer reads old blocks again
// and never makes a queue grow.

import { LRUCache } from 'lru-cache'
import { goingThrough, inPieces } from '../../fairness/index.ts'
import { pause } from '../../process/index.ts'
import type { MasterId, Sql } from '../database.ts'
import { groupBy } from '../groupBy.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { inRounds, readAll } from '../read/read.ts'
import { statesOfRead, type TransactionFound } from '../read/transactionParts.ts'
import { StoreError } from '../storeError.ts'
import type { AccountStateRow } from '../tables/accounts.ts'
import type { TransactionRow } from '../tables/chain.ts'
import type { AccountKey } from '../tables/column.ts'
import type { MasterBlockRows } from '../write/masterBlocks.ts'
import { withComingOwners, withItemOwners } from './blockOwners.ts'
import { type BlockRows, masterBlockOf } from './blockRows.ts'
import { type BlockRowsFeed, demandIndexed, type FeedHeads, type FeedItem, type FeedOptions } from './blockRowsFeed.ts'
import { Trail } from './feedTrail.ts'
import { completing, type MadeBatch, makingBatch, type WrittenBatch } from './madeBatch.ts'
import { mastersRead, readBlocks, walletsRead } from './readBlocks.ts'

/** Blocks and their transactions; some 5 kB each. */
const MOST_CACHED = 4000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

export interface FeedParts {
  readonly store: Sql
  readonly heads: FeedHeads
  /** Whether the chain can go back: then a head with a lower seqno is a revert, otherwise a replica that is behind. */
  readonly canRewind: boolean
}

const sizeOf = ({ blocks }: Pick<BlockRows, 'blocks'>): number =>
  Math.min(1 + blocks.reduce((sum, { txCount }) => sum + txCount, 0), MOST_CACHED)

/** The write of a block waits for it: in turn with twenty busy callers, 2,000 transactions took most of a second. */
const SLICING = { isPrompt: true }

export class IndexFeed implements BlockRowsFeed {
  readonly #parts: FeedParts
  readonly #trail = new Trail()
  readonly #cache = new LRUCache<number, Promise<BlockRows | null>>({ maxSize: MOST_CACHED })
  readonly #states = new LRUCache<string, AccountStateRow>({ max: MOST_CACHED })
  /** With whether each wants owners of items. */
  readonly #preparedListeners = new Map<(rows: readonly BlockRows[]) => void, () => boolean>()
  /** What the batch that is being written brings, made once for `prepared` and `wrote`. */
  #making: { readonly of: MasterBlockRows; readonly made: Promise<MadeBatch> } | null = null
  #consumers = 0
  /** The head at the last read; null while there are no consumers. */
  #readAt: MasterId | null = null
  #reading: Promise<void> = Promise.resolve()

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  head(): MasterId | null {
    return this.#parts.heads.indexed()
  }

  get reverts(): number {
    return this.#trail.reverts
  }

  lowestSince(reverts: number): number | null {
    return this.#trail.lowestSince(reverts)
  }

  onPrepared(listener: (rows: readonly BlockRows[]) => void, wantsOwners = () => false): () => void {
    this.#preparedListeners.set(listener, wantsOwners)
    return () => this.#preparedListeners.delete(listener)
  }

  /** Takes rows that are about to be written. They are to be written once this has resolved. */
  async prepared(...batch: WrittenBatch): Promise<void> {
    if (this.#preparedListeners.size === 0) return
    const made = await this.#made(batch)
    const isWanted = [...this.#preparedListeners.values()].some((wantsOwners) => wantsOwners())
    const looks = isWanted ? (batch[0].assets?.itemLooks ?? []) : []
    const isFirst = batch[0].previous === null
    const rows = await withComingOwners(made.rows, looks, isFirst ? null : this.#parts.store)
    for (const listener of [...this.#preparedListeners.keys()]) listener(rows)
  }

  /**
   * Takes rows that are committed, before the head is moved to them: a reader of a block waits until it is made. What they replace
   * is forgotten also without consumers.
   */
  wrote(...batch: WrittenBatch): void {
    this.#revertTo(batch[0].previous ?? -1)
    if (this.#consumers > 0) this.#take(batch)
    this.#making = null
  }

  #take(batch: WrittenBatch): void {
    const making = this.#made(batch)
    for (const [mcSeqno, blocks] of groupBy(batch[0].blocks, (block) => block.mcSeqno)) {
      const master = masterBlockOf(blocks)
      if (master === undefined) continue
      this.#trail.add(mcSeqno, master.rootHash)
      const complete = making.then((made) => this.#complete(mcSeqno, made))
      // Read from the tables instead, when this fails.
      complete.catch(() => this.#cache.delete(mcSeqno))
      this.#cache.set(mcSeqno, complete, { size: sizeOf({ blocks }) })
    }
  }

  async *from(seqno: number, { signal = new AbortController().signal }: FeedOptions = {}): AsyncIterable<FeedItem> {
    this.#forgetUnfollowed()
    this.#consumers++
    // So that blocks undone before the first one is read are noticed.
    const head = this.head()
    if (head !== null && !this.#trail.isOther(head)) this.#trail.add(head.seqno, head.rootHash)
    let next = seqno
    let reverts = this.#trail.reverts
    let failures = 0
    try {
      while (!signal.aborted) {
        try {
          await this.#checkHead(next)
          const lowest = this.#trail.lowestSince(reverts)
          reverts = this.#trail.reverts
          if (lowest !== null && lowest + 1 < next) {
            next = lowest + 1
            yield { kind: 'reverted', mcSeqno: lowest }
            continue
          }
          const rows = (this.head()?.seqno ?? -1) < next ? null : await this.#block(next)
          if (reverts !== this.#trail.reverts) continue
          failures = 0
          if (rows === null) {
            await this.#moved(next, signal)
            continue
          }
          next++
          yield { kind: 'block', rows }
        } catch (error) {
          if (!(error instanceof StoreError) || error.code === 'closed') throw error
          await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++), signal)
        }
      }
    } finally {
      if (--this.#consumers === 0) this.#readAt = null
    }
  }

  async block(seqno: number): Promise<BlockRows | null> {
    for (;;) {
      this.#forgetUnfollowed()
      const head = this.head()
      if (head === null || head.seqno < seqno) return null
      const { forgotten, reverts } = this.#trail
      const rows = await this.#block(seqno)
      // That another reader has made it forget all blocks says nothing of this one.
      if (reverts === this.#trail.reverts && (rows !== null || forgotten === this.#trail.forgotten)) return rows
    }
  }

  /** Without consumers, a process that does not write the index misses reverts: what it read at another head may be undone. */
  #forgetUnfollowed(): void {
    const head = this.head()
    if (!this.#parts.canRewind || this.#consumers > 0 || head === this.#readAt) return
    this.#readAt = head
    this.#cache.clear()
    this.#trail.forget()
  }

  #made(batch: WrittenBatch): Promise<MadeBatch> {
    const [of] = batch
    if (this.#making?.of !== of) this.#making = { of, made: inPieces(makingBatch(batch, this.#states), SLICING) }
    return this.#making.made
  }

  /**
   * Adds what the writer did not need to know: states before these blocks, and wallets it did not examine. Mostly there is
   * nothing to read: in an embedded database a read holds up the next blocks.
   */
  async #complete(mcSeqno: number, { rows: all, examined, wallets }: MadeBatch): Promise<BlockRows | null> {
    const rows = all.find((one) => one.mcSeqno === mcSeqno)
    if (rows === undefined) return null
    const { transactions } = rows
    const { store } = this.#parts
    const lacking: TransactionRow[] = []
    const accounts: AccountKey[] = []
    const look = ({ row, before, after }: TransactionFound): void => {
      if (before === null || after === null) lacking.push(row)
      if (!examined.has(bytesKey(row.account))) accounts.push(row.account)
    }
    await inPieces(goingThrough(transactions, look), SLICING)
    if (lacking.length === 0 && accounts.length === 0) return withItemOwners(rows, store)
    const [states, read] = await Promise.all([
      inRounds(lacking, (some) => readAll(store, statesOfRead(some))),
      inRounds(accounts, (some) => readAll(store, walletsRead(some))),
    ])
    const whole = await inPieces(completing(rows, { states, wallets: read, examined: wallets }), SLICING)
    return withItemOwners(whole, store)
  }

  /** Null when it cannot be read yet, or was undone while it was read. */
  async #block(seqno: number): Promise<BlockRows | null> {
    const cached = this.#cache.get(seqno)
    if (cached !== undefined) return await cached.catch(() => null)
    // One range at a time: other consumers mostly wait for the same blocks.
    const before = this.#reading
    const reading = before.then(() => this.#readFrom(seqno))
    this.#reading = reading.catch(() => undefined)
    await reading
    return (await this.#cache.get(seqno)?.catch(() => null)) ?? null
  }

  async #readFrom(seqno: number): Promise<void> {
    const head = this.head()
    if (this.#cache.has(seqno) || head === null) return
    const { store } = this.#parts
    const { losses } = this.#trail
    const [before] = await readAll(store, mastersRead(seqno - 1, seqno - 1))
    if (before !== undefined && this.#trail.isOther(before)) return await this.#findCommon()
    const found = await readBlocks(store, { first: seqno, last: head.seqno })
    if (found.length === 0) await demandIndexed(store, seqno)
    if (losses !== this.#trail.losses) return
    if (found.some(({ mcSeqno, rootHash }) => this.#trail.isOther({ seqno: mcSeqno, rootHash })))
      return await this.#findCommon()
    for (const rows of found) {
      this.#trail.add(rows.mcSeqno, rows.rootHash)
      this.#cache.set(rows.mcSeqno, Promise.resolve(withItemOwners(rows, store)), { size: sizeOf(rows) })
    }
  }

  /** Compares the head with the blocks that were read, when it may be of another branch. */
  async #checkHead(next: number): Promise<void> {
    const head = this.head()
    if (head === null || head.seqno >= next) return
    if (this.#trail.isOther(head)) await this.#findCommon()
    // The feed may never have read the head itself: it reads only while it has consumers.
    else if (this.#parts.canRewind) this.#revertTo(head.seqno)
  }

  async #findCommon(): Promise<void> {
    const { first, last } = this.#trail
    const indexed = await readAll(this.#parts.store, mastersRead(first, last))
    this.#revertTo(indexed.find((master) => this.#trail.has(master))?.seqno ?? first - 1)
  }

  #revertTo(seqno: number): void {
    if (this.#trail.last <= seqno) return
    for (const cached of [...this.#cache.keys()]) if (cached > seqno) this.#cache.delete(cached)
    this.#trail.revertTo(seqno)
  }

  /** Resolves when the head has moved to `next`, or after a moment when it is there and could not be read. */
  #moved(next: number, signal: AbortSignal): Promise<void> {
    const head = this.head()
    if (signal.aborted) return Promise.resolve()
    if (head !== null && head.seqno >= next) return pause(FIRST_PAUSE_MS, signal)
    return new Promise((resolve) => {
      const end = (): void => {
        forget()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const forget = this.#parts.heads.onIndexed(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
