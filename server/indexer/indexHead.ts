// How far the index is, and those who wait for it to be further.

import { sameBytes } from '../cell/index.ts'
import type { FirstBlock } from '../store/index.ts'
import { LookBell } from './lookBell.ts'

/** The newest masterchain block that can be read from the index. */
export interface IndexHead {
  readonly seqno: number
  readonly rootHash: Uint8Array
  /** When it was made, unix seconds. */
  readonly utime: number
  /** When it could first be read, milliseconds since 1970. */
  readonly at: number
}

export interface WaitOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** What those who read the index know of it. */
export interface IndexView {
  /** Null while nothing is indexed, or before the first read. */
  indexed(): IndexHead | null
  /** Calls back when the index has moved, forward or back, until the returned function is called. */
  onIndexed(listener: (head: IndexHead | null) => void): () => void
  /**
   * Calls back before the index moves, until the returned function is called. It moves once what was returned has resolved: who
   * keeps results of the index drops them before anyone can read newer ones. Where it is about to move already it calls back
   * at once.
   */
  onMoving(listener: () => Promise<void> | null): () => void
  /** Resolves with whether a masterchain block is indexed, at once or within the time. */
  waitFor(mcSeqno: number, options?: WaitOptions): Promise<boolean>
  /** Looks at the index at once instead of at the next poll: another process, or a read, says that it has this masterchain block. */
  lookSoon(seqno: number): void
}

const LONGEST_WAIT_MS = 10_000

export class IndexHeads implements IndexView {
  /** Rung by other processes, and by reads. */
  readonly bell = new LookBell()
  /** How far back the index goes; null while that is unknown. */
  first: FirstBlock | null = null
  /** The newest block that was seen in the index, which may be empty now; null once this process has begun to empty it. */
  lastSeen: IndexHead | null = null
  #head: IndexHead | null = null
  readonly #listeners = new Set<(head: IndexHead | null) => void>()
  readonly #beforeMoves = new Set<() => Promise<void> | null>()
  /** From when it is about to move until a head is known again. */
  #isMoving = false

  lookSoon(seqno: number): void {
    this.bell.ring(seqno)
  }

  indexed(): IndexHead | null {
    return this.#head
  }

  onIndexed(listener: (head: IndexHead | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onMoving(listener: () => Promise<void> | null): () => void {
    this.#beforeMoves.add(listener)
    if (this.#isMoving) void listener()
    return () => this.#beforeMoves.delete(listener)
  }

  /** Resolves when the index may move. */
  async moving(): Promise<void> {
    this.#isMoving = true
    await Promise.all([...this.#beforeMoves].map((listener) => listener()))
  }

  waitFor(mcSeqno: number, { signal, timeoutMs = LONGEST_WAIT_MS }: WaitOptions = {}): Promise<boolean> {
    const isThere = (): boolean => this.#head !== null && this.#head.seqno >= mcSeqno
    if (isThere() || signal?.aborted === true) return Promise.resolve(isThere())
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        forget()
        signal?.removeEventListener('abort', end)
        resolve(isThere())
      }
      const timer = setTimeout(end, timeoutMs)
      const forget = this.onIndexed(() => isThere() && end())
      signal?.addEventListener('abort', end, { once: true })
    })
  }

  /** Notifies listeners if the head changed. */
  set(head: IndexHead | null): void {
    const before = this.#head
    this.#head = head
    this.lastSeen = head ?? this.lastSeen
    this.#isMoving = false
    const isSame = before?.seqno === head?.seqno && sameOrAbsent(before?.rootHash, head?.rootHash)
    if (!isSame) for (const listener of [...this.#listeners]) listener(head)
  }
}

const sameOrAbsent = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameBytes(a, b)
