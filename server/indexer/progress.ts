// How fast the index grows: for the line it prints while it catches up, and for the metrics.

import type { Log } from '../observe/index.ts'
import type { FirstBlock } from '../store/index.ts'
import type { IndexerStatus } from './indexerStatus.ts'

/** Lag in blocks from which on progress is reported. */
const FAR = 50
const EVERY_MS = 10_000
/** Of the moving average. */
const WINDOW_MS = 10_000

export interface ProgressOptions {
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Milliseconds, of a clock that does not jump. */
  readonly now?: () => number
}

/** When so many masterchain blocks were done. */
interface Mark {
  readonly at: number
  readonly blocks: number
}

export class Progress {
  /** Accounts that are indexed without data, code or their whole newest state, which no server has any more. */
  lacking = 0
  /** The accounts of a first state are not indexed, which no server returned to this process. */
  lacksFirstState = false
  readonly #log: ProgressOptions['log']
  readonly #now: () => number
  /** Oldest first. */
  #marks: readonly Mark[] = []
  #blocks = 0
  #reportedAt = 0
  #wasFar = false
  #prunedBefore: number | null = null

  constructor({ log, now = () => performance.now() }: ProgressOptions) {
    this.#log = log
    this.#now = now
  }

  /** Recent masterchain blocks per second. */
  get blocksPerSecond(): number {
    const now = this.#now()
    const [first] = this.#since(now - WINDOW_MS)
    return first === undefined || first.at === now ? 0 : ((this.#blocks - first.blocks) * 1000) / (now - first.at)
  }

  /** The marks from this time on, and the last one before: blocks can take longer than the window. */
  #since(time: number): readonly Mark[] {
    const before = this.#marks.findLastIndex(({ at }) => at <= time)
    return this.#marks.slice(Math.max(0, before))
  }

  /** Masterchain blocks since the start. */
  get blocks(): number {
    return this.#blocks
  }

  status(): Pick<IndexerStatus, 'blocksPerSecond' | 'lacking' | 'lacksFirstState' | 'blocks'> {
    const { blocksPerSecond, lacking, lacksFirstState, blocks } = this
    return { blocksPerSecond, lacking, lacksFirstState, blocks }
  }

  /** Logs how far back the index goes, once for each first block: the indexer calls it after every pause. */
  pruned({ seqno, utime }: FirstBlock): void {
    if (seqno === this.#prunedBefore) return
    this.#prunedBefore = seqno
    const facts = { firstSeqno: seqno, firstTime: new Date(utime * 1000).toISOString() }
    this.#log.info(facts, 'index pruned: what is older than its first block is gone')
  }

  /**
   * Logs which blocks were removed because the chain has them no more. Who reverts an embedded chain knows it, but not who put back
   * an older copy of it before this process followed it.
   */
  undid(from: number, to: number, isRemote: boolean): void {
    if (!isRemote && this.#blocks > 0) return
    this.#log.warn({ from, to }, 'the chain does not have these blocks any more: they are undone in the index')
  }

  /** Notes that blocks were written, the last of them so far from the head. */
  wrote(blocks: number, distance: number): void {
    const now = this.#now()
    this.#blocks += blocks
    this.#marks = [...this.#since(now - WINDOW_MS), { at: now, blocks: this.#blocks }]
    if (distance > FAR && !this.#wasFar) this.#reportedAt = now
    if (distance > FAR && now - this.#reportedAt >= EVERY_MS) this.#report(distance, now)
    if (distance === 0 && this.#wasFar) this.#log.info({ blocks: this.#blocks }, 'the index has caught up')
    this.#wasFar = distance > FAR || (this.#wasFar && distance > 0)
  }

  #report(distance: number, now: number): void {
    this.#reportedAt = now
    const speed = this.blocksPerSecond
    const facts = {
      blocksPerSecond: Math.round(speed * 10) / 10,
      blocksToGo: distance,
      timeLeft: timeLeft(distance / speed),
    }
    this.#log.info(facts, 'the index is catching up')
  }
}

/** `45 s`, `12 min`, `3 h 20 min`. */
function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'unknown'
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
