// The feed: masterchain blocks in order, each once it can be read from the index, and reports of blocks that were undone.
// All who follow the index read it. Each block is read once for all consumers; a slow consumer reads old blocks again
// and never makes a queue grow.

import { LRUCache } from 'lru-cache'
import { pause } from '../../process/index.ts'
import type { Sql } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { readAll } from '../read/read.ts'
import { statesOfRead } from '../read/transactionParts.ts'
import { StoreError } from '../storeError.ts'
import type { AccountStateRow } from '../tables/accounts.ts'
import type { JettonWalletRow } from '../tables/contracts.ts'
import type { ActionWrites } from '../write/actions.ts'
import type { MasterBlockRows } from '../write/masterBlocks.ts'
import { type BlockRows, currentWallets, rowsOfBatch } from './blockRows.ts'
import type { BlockRowsFeed, FeedHead, FeedHeads, FeedItem, FeedOptions } from './blockRowsFeed.ts'
import { demandIndexed } from './demandIndexed.ts'
import { Trail } from './feedTrail.ts'
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

type Batch = readonly [rows: MasterBlockRows, actions: Pick<ActionWrites, 'actions'>]

interface Examined {
  /** Accounts of which the batch has every row that the tables have. */
  readonly accounts: ReadonlySet<string>
  readonly wallets: readonly JettonWalletRow[]
}

/** All accounts of a batch when contracts are classified, else none. */
const examinedIn = ({ accounts, assets }: MasterBlockRows): Examined => ({
  accounts: new Set(assets === undefined ? [] : accounts.map(({ account }) => bytesKey(account))),
  wallets: assets?.found.jettonWallets ?? [],
})

const sizeOf = ({ transactions }: BlockRows): number => Math.min(1 + transactions.length, MOST_CACHED)

export class IndexFeed implements BlockRowsFeed {
  readonly #parts: FeedParts
  readonly #trail = new Trail()
  readonly #cache = new LRUCache<number, Promise<BlockRows | null>>({ maxSize: MOST_CACHED })
  readonly #states = new LRUCache<string, AccountStateRow>({ max: MOST_CACHED })
  readonly #preparedListeners = new Set<(rows: readonly BlockRows[]) => void>()
  /** Rows of the batch that is being written, made once for `prepared` and `wrote`. */
  #made: { readonly of: MasterBlockRows; readonly rows: BlockRows[] } | null = null
  #consumers = 0
  /** The head at the last read; null while there are no consumers. */
  #readAt: FeedHead | null = null
  #reading: Promise<void> = Promise.resolve()

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  head(): FeedHead | null {
    return this.#parts.heads.indexed()
  }

  get reverts(): number {
    return this.#trail.reverts
  }

  lowestSince(reverts: number): number | null {
    return this.#trail.lowestSince(reverts)
  }

  onPrepared(listener: (rows: readonly BlockRows[]) => void): () => void {
    this.#preparedListeners.add(listener)
    return () => this.#preparedListeners.delete(listener)
  }

  /** Takes rows that are about to be written. */
  prepared(...batch: Batch): void {
    if (this.#preparedListeners.size === 0) return
    const rows = this.#rowsOf(batch)
    for (const listener of [...this.#preparedListeners]) listener(rows)
  }

  /** Takes rows that are committed, before the head is moved to them. What they replace is forgotten also without consumers. */
  wrote(...batch: Batch): void {
    this.#revertTo(batch[0].previous ?? -1)
    if (this.#consumers > 0) this.#take(batch)
    this.#made = null
  }

  #take(batch: Batch): void {
    for (const state of batch[0].accountStates) this.#states.set(bytesKey(state.hash), state)
    const examined = examinedIn(batch[0])
    for (const rows of this.#rowsOf(batch)) {
      this.#trail.add(rows.mcSeqno, rows.rootHash)
      const complete = this.#complete(rows, examined)
      // Read from the tables instead, when this fails.
      complete.catch(() => this.#cache.delete(rows.mcSeqno))
      this.#cache.set(rows.mcSeqno, complete, { size: sizeOf(rows) })
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
      const { forgotten } = this.#trail
      const rows = await this.#block(seqno)
      // That another reader has made it forget all blocks says nothing of this one.
      if (rows !== null || forgotten === this.#trail.forgotten) return rows
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

  #rowsOf([of, actions]: Batch): BlockRows[] {
    if (this.#made?.of !== of)
      this.#made = { of, rows: rowsOfBatch(of, actions, (hash) => this.#states.get(bytesKey(hash))) }
    return this.#made.rows
  }

  /**
   * Adds what the writer did not need to know: states before these blocks, and wallets it did not examine. Mostly there is
   * nothing to read: in an embedded database a read holds up the next blocks.
   */
  async #complete(rows: BlockRows, examined: Examined): Promise<BlockRows> {
    const { transactions } = rows
    const { store } = this.#parts
    const lacking = transactions.filter(({ before, after }) => before === null || after === null)
    const accounts = transactions
      .map(({ row }) => row.account)
      .filter((account) => !examined.accounts.has(bytesKey(account)))
    if (lacking.length === 0 && accounts.length === 0) return rows
    const [states, wallets] = await Promise.all([
      lacking.length === 0 ? [] : readAll(store, statesOfRead(lacking.map(({ row }) => row))),
      accounts.length === 0 ? [] : readAll(store, walletsRead(accounts)),
    ])
    const found = new Map(states.map((state) => [bytesKey(state.hash), state]))
    const whole = transactions.map((one) => ({
      ...one,
      before: one.before ?? found.get(bytesKey(one.row.stateBefore)) ?? null,
      after: one.after ?? found.get(bytesKey(one.row.stateAfter)) ?? null,
    }))
    return { ...rows, transactions: whole, jettonWallets: currentWallets([...examined.wallets, ...wallets], whole) }
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
      this.#cache.set(rows.mcSeqno, Promise.resolve(rows), { size: sizeOf(rows) })
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
