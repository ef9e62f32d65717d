// Whole blocks are checked and hashed in a thread while this one reads and indexes others. The thread is started by the first
// large block and ends when it had nothing to do for a while.

import { Worker } from 'node:worker_threads'
import { hashFromBytes } from '../../cell/index.ts'
import { memoryPlan, workerEntry } from '../../process/index.ts'
import type { HashedBlock } from '../verify/index.ts'
import type { HashAnswer, HashTask } from './hashThread.ts'

/** A smaller block is hashed within a millisecond: the thread would save too little. */
const LEAST_BYTES = 32 << 10
/** A cell takes some 300 bytes of heap; a block of a network has up to two megabytes. */
const MOST_HEAP_MB = 256
/** Blocks in the thread at once. */
const MOST_WAITING = 32
const IDLE_MS = 10_000

type Wait = (hashed: HashedBlock | null) => void

export class BlockHasher {
  readonly #waiting = new Map<number, Wait>()
  readonly #idleMs: number
  #thread: Worker | null = null
  #isReady = false
  #next = 0
  #idle: NodeJS.Timeout | undefined

  constructor({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}) {
    this.#idleMs = idleMs
  }

  /** Whether there is a thread. */
  get isRunning(): boolean {
    return this.#thread !== null
  }

  /** Null when the caller should do it itself: for a small block, another or a broken one, or while the thread is not ready. */
  async hashed(boc: Uint8Array, fileHash: Uint8Array): Promise<HashedBlock | null> {
    if (boc.length < LEAST_BYTES || this.#waiting.size >= MOST_WAITING) return null
    const thread = this.#thread ?? this.#start()
    if (!this.#isReady) return null
    clearTimeout(this.#idle)
    const number = this.#next++
    // A copy to give away: otherwise all of the memory it lies in would be copied.
    const task: HashTask = { number, boc: new Uint8Array(boc), file: hashFromBytes(fileHash) }
    return await new Promise((resolve) => {
      this.#waiting.set(number, resolve)
      thread.postMessage(task, [task.boc.buffer])
    })
  }

  #start(): Worker {
    const thread = new Worker(workerEntry(import.meta.url, 'hashThread'), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: memoryPlan().youngHeap },
    })
    this.#thread = thread
    thread.unref()
    thread.on('message', (answer: HashAnswer) => this.#hear(answer))
    // An error is followed by the exit. Blocks that are too large for the thread are hashed by their callers.
    thread.on('error', () => undefined)
    thread.on('exit', () => this.#gone(thread))
    return thread
  }

  #hear(answer: HashAnswer): void {
    if (answer === 'ready') this.#isReady = true
    else {
      this.#waiting.get(answer.number)?.(answer.hashed)
      this.#waiting.delete(answer.number)
    }
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
  }

  #end(): void {
    const thread = this.#thread
    if (thread === null || this.#waiting.size > 0) return
    this.#gone(thread)
    void thread.terminate()
  }

  #gone(thread: Worker): void {
    if (this.#thread !== thread) return
    clearTimeout(this.#idle)
    this.#thread = null
    this.#isReady = false
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const answer of left) answer(null)
  }
}
