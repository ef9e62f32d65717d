// Whole blocks are checked and hashed in a thread while this one reads and indexes others. The thread is started by the first
// large block.

import { hashFromBytes } from '../../cell/index.ts'
import { TaskThread, workerEntry } from '../../process/index.ts'
import type { HashedBlock } from '../verify/index.ts'
import type { HashAnswer, HashTask } from './hashThread.ts'

/** A smaller block is hashed within a millisecond: the thread would save too little. */
const LEAST_BYTES = 32 << 10
/** Blocks in the thread at once. */
const MOST_WAITING = 32

export class BlockHasher {
  readonly #thread: TaskThread<HashTask, HashAnswer>

  constructor({ idleMs }: { readonly idleMs?: number } = {}) {
    this.#thread = new TaskThread({ entry: () => workerEntry(import.meta.url, 'hashThread'), idleMs })
  }

  /** Whether there is a thread. */
  get isRunning(): boolean {
    return this.#thread.isRunning
  }

  /** Null when the caller should do it itself: for a small, too large or broken block, for another, or while the thread is not ready. */
  async hashed(boc: Uint8Array, fileHash: Uint8Array): Promise<HashedBlock | null> {
    if (boc.length < LEAST_BYTES || this.#thread.pending >= MOST_WAITING) return null
    this.#thread.start()
    if (!this.#thread.isReady) return null
    // A copy to give away: otherwise all of the memory it lies in would be copied.
    const given = new Uint8Array(boc)
    const answer = await this.#thread.run({ boc: given, file: hashFromBytes(fileHash) }, [given.buffer])
    return answer?.hashed ?? null
  }
}
