// Removes what is older than the index keeps, in the process that leads. By the time of the newest block, never by the clock of
// the computer. While the indexer is idle one slice follows the other; while it catches up there are a few between its batches.

import type { Log } from '../observe/index.ts'
import { type Database, moveBound, type PrunedSlice, pruneSlice } from '../store/index.ts'
import type { IndexHeads } from './indexHead.ts'
import type { Progress } from './progress.ts'

/** A slice of so many transactions takes some tens of milliseconds, for which others wait in the embedded database. */
const SLICE = 200
/** Of the chain's time between two moves of the bound. */
const MOVE_EVERY_S = 60
/** Readers know of a moved bound within a second: until then rows stay. */
const NOTICE_MS = 2_000
/** Between two batches of an indexer that catches up. */
const BUSY_MS = 200
const REPORT_MS = 10_000
const RETRY_MS = 10_000

export interface PrunerParts {
  readonly database: Pick<Database, 'transaction'>
  /** Null where all is kept: then only a removal that was begun is finished. */
  readonly keepSeconds: number | null
  readonly heads: Pick<IndexHeads, 'first'>
  readonly progress: Pick<Progress, 'pruned'>
  readonly log: Pick<Log, 'info' | 'warn'>
}

export interface PruneTurn {
  /** Unix seconds of the newest block that is indexed. */
  readonly headUtime: number
  readonly isIdle: () => boolean
  /** Resolves after so many milliseconds, or when the indexer has something else to do. */
  readonly rest: (ms: number) => Promise<void>
  readonly signal: AbortSignal
}

export class Pruner {
  readonly #parts: PrunerParts
  /** Time of the block at which the bound was moved last. */
  #movedAt: number | null = null
  /** On the clock of `performance.now()`. */
  #notBefore = 0
  /** Null when nothing is due; undefined when the tables have to say. */
  #next: PrunedSlice['next'] | undefined
  #isFailing = false
  #removed = 0
  #reportedAt = performance.now()

  constructor(parts: PrunerParts) {
    this.#parts = parts
  }

  isDue(headUtime: number): boolean {
    return (
      (this.#next !== null || this.#mayMove(headUtime)) && !(this.#isFailing && performance.now() < this.#notBefore)
    )
  }

  /** Removes some of what is due, and all of it while the indexer is idle. A failure is logged, and retried later. */
  async run(turn: PruneTurn): Promise<void> {
    try {
      await this.#run(turn)
      this.#isFailing = false
    } catch (error) {
      if (turn.signal.aborted) return
      if (!this.#isFailing) this.#parts.log.warn({ err: error }, 'old transactions cannot be removed')
      this.#isFailing = true
      this.#notBefore = performance.now() + RETRY_MS
    }
  }

  async #run({ headUtime, isIdle, rest, signal }: PruneTurn): Promise<void> {
    const began = performance.now()
    while (!signal.aborted) {
      if (this.#mayMove(headUtime)) await this.#move(headUtime)
      if (this.#next === null) return
      const now = performance.now()
      const isEarly = now < this.#notBefore
      const idle = isIdle()
      if (!idle && (isEarly || now - began > BUSY_MS)) return
      if (isEarly) await rest(this.#notBefore - now)
      else await this.#slice()
      if (idle && !isEarly) await rest(performance.now() - now)
    }
  }

  /** Once all that is older than the bound is gone. Where a chain is reverted there is another pruner from then on. */
  #mayMove(headUtime: number): boolean {
    if (this.#parts.keepSeconds === null) return false
    return this.#movedAt === null || (this.#next === null && headUtime - this.#movedAt >= MOVE_EVERY_S)
  }

  async #move(headUtime: number): Promise<void> {
    const { database, keepSeconds, heads, progress } = this.#parts
    if (keepSeconds === null) return
    const moved = await database.transaction((sql) => moveBound(sql, keepSeconds))
    const first = moved ?? heads.first
    if (this.#movedAt === null && first?.isPruned === true) progress.pruned(first)
    this.#movedAt = headUtime
    if (moved === null) return
    heads.first = moved
    this.#notBefore = performance.now() + NOTICE_MS
    this.#next = undefined
  }

  async #slice(): Promise<void> {
    const { database, log } = this.#parts
    const { transactions, next } = await database.transaction((sql) => pruneSlice(sql, SLICE, this.#next ?? undefined))
    this.#next = next
    this.#removed += transactions
    const now = performance.now()
    if (next !== null && now - this.#reportedAt < REPORT_MS) return
    if (next !== null) log.info({ transactions: this.#removed }, 'removing old transactions')
    else this.#removed = 0
    this.#reportedAt = now
  }
}
