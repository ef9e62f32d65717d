// The chain as of the newest block of the index. After a revert, the index is at a block that the chain no longer has until it follows:
// work at that block waits for this.

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../shared/errors.ts'
import { type BlockIdExt, isSameBlock } from '../../node/index.ts'
import type { Sql } from '../../store/index.ts'
import { isInChain, type RevertedChain, untilKept } from './inChain.ts'
import { indexedHead } from './indexedHead.ts'

const FOLLOW_MS = 5_000
const PAUSE_MS = 25

export interface ChainAtIndexTools {
  readonly chain: RevertedChain
  readonly store: Sql
  /** Milliseconds for an index that follows a revert. */
  readonly followMs?: number | undefined
}

export class ChainAtIndex {
  readonly #tools: ChainAtIndexTools
  /** One for all callers. */
  #following: Promise<void> | null = null

  constructor(tools: ChainAtIndexTools) {
    this.#tools = tools
  }

  /**
   * Runs `work` at the newest block of the index, null when it is empty, and again when that block is reverted meanwhile. Throws ApiError
   * `indexBehind` while the index does not follow the chain.
   */
  run<T>(work: (at: BlockIdExt | null) => Promise<T>): Promise<T> {
    const startOf = async () => ({ block: await this.head() })
    return untilKept(this.#tools.chain, startOf, ({ block }) => work(block))
  }

  /** The newest block of the index, once it is one of the chain; null when the index is empty. Throws as `run`. */
  async head(): Promise<BlockIdExt | null> {
    for (;;) {
      const at = await indexedHead(this.#tools.store)
      if (at === null || (await isInChain(this.#tools.chain, at))) return at
      this.#following ??= this.#follow(at).finally(() => {
        this.#following = null
      })
      await this.#following
    }
  }

  /** Resolves when the index is at another block. */
  async #follow(gone: BlockIdExt): Promise<void> {
    const { followMs = FOLLOW_MS } = this.#tools
    for (const end = performance.now() + followMs; performance.now() < end; ) {
      await sleep(PAUSE_MS)
      const at = await indexedHead(this.#tools.store)
      if (at === null || !isSameBlock(at, gone)) return
    }
    const { seqno } = gone
    throw new ApiError('indexBehind', `index is behind: at ${seqno}, a block that was reverted`, {
      seqno,
      retryAfter: 1,
    })
  }
}
