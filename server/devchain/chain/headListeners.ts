// Events of the chain and their listeners.

import { failureText } from '../../process/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import type { BlockIdExt } from '../state/index.ts'
import type { Warn } from '../warn.ts'

export interface HeadEvent {
  readonly master: JournalBlock
  /** The newest block of the basechain; null right after genesis. */
  readonly shard: JournalBlock | null
  /** Set when blocks were undone: `from` was the head, `to` is. */
  readonly reorg: { readonly from: BlockIdExt; readonly to: BlockIdExt } | null
}

export type HeadListener = (head: HeadEvent) => void

export class HeadListeners {
  readonly #listeners = new Set<HeadListener>()
  readonly #warn: Warn

  constructor(warn: Warn) {
    this.#warn = warn
  }

  /** Returns the function that removes the listener. */
  add(listener: HeadListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Notifies all listeners; one that throws does not affect the others. */
  emit(event: HeadEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#warn('A listener to new blocks threw', { error: failureText(error) })
      }
    }
  }
}
