// Whether an index that another process writes is still of the chain: after a revert the one that writes may have stopped, and
// its newest block stands. Looked at only while it does.

import { sameBytes } from '../cell/index.ts'
import { type BlockIdExt, type Chain, masterBlock } from '../node/index.ts'
import { type Database, readMaster } from '../store/index.ts'
import type { HeadWatch } from './chain/headWatch.ts'
import type { IndexHead } from './indexHead.ts'

/** Looks with one and the same newest block, between two comparisons. */
const LOOKS = 20

export interface StandingParts {
  readonly chain: Pick<Chain, 'head' | 'idOf'>
  readonly database: Pick<Database, 'read'>
  readonly watch: Pick<HeadWatch, 'ask'>
  readonly options: { readonly timeoutMs: number; readonly signal: AbortSignal }
}

export class StandingHead {
  readonly #parts: StandingParts
  #head: IndexHead | null = null
  #looks = 0
  #trouble: string | null = null

  constructor(parts: StandingParts) {
    this.#parts = parts
  }

  /** Why the index is not that of the chain, as far as is known. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** After each look; null when this process does not look any more. */
  looked(head: IndexHead | null): void {
    if (head === null || head !== this.#head) {
      this.#head = head
      this.#looks = 0
      this.#trouble = null
    } else if (++this.#looks % LOOKS === 0) void this.#compare(head)
  }

  async #compare(head: IndexHead): Promise<void> {
    const apart = await this.#apart(head).catch(() => undefined)
    if (apart === undefined || head !== this.#head) return
    this.#trouble =
      apart === null
        ? null
        : `block ${apart} in the index is not that of the chain, which was reverted or is another one: the log of the ` +
          'process that writes the index says what to do'
  }

  /** The block that differs; null when it is the same, undefined when that cannot be found out. Rejects as the node does. */
  async #apart(head: IndexHead): Promise<number | null | undefined> {
    const { database, watch, options } = this.#parts
    // A process that only reads polls nowhere else: a report that it missed would leave it with an older block for good.
    const newest = await watch.ask(options.signal)
    const isAhead = head.seqno > newest.seqno
    const indexed = isAhead ? await readMaster(database.read, newest.seqno) : head
    if (indexed === null) return undefined
    const found = await this.#named(indexed.seqno, newest)
    return sameBytes(indexed.rootHash, found.rootHash) ? null : indexed.seqno
  }

  async #named(seqno: number, newest: BlockIdExt): Promise<BlockIdExt> {
    const { chain, options } = this.#parts
    return seqno === newest.seqno ? newest : await masterBlock(chain, seqno, options)
  }
}
