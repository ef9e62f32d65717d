// The blocks of the index as streams and webhooks follow them: one after the other, and word of those that a revert undid.

import type { MasterId, Sql } from '../database.ts'
import { indexedRead } from '../read/blocks.ts'
import { readAll } from '../read/read.ts'
import type { BlockRows } from './blockRows.ts'

export type FeedItem =
  | { readonly kind: 'block'; readonly rows: BlockRows }
  /** Blocks above this seqno were undone; the next item is the block after it, if another one is made. */
  | { readonly kind: 'reverted'; readonly mcSeqno: number }

export interface FeedOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal
}

export interface BlockRowsFeed {
  /** Newest masterchain block that can be read; null while nothing is indexed. */
  head(): MasterId | null
  /**
   * Blocks from a seqno on, without end; one that is not indexed yet is waited for. The index may be unreachable meanwhile. Throws
   * BlockNotIndexed for a seqno before the first block of the index, StoreError `closed` after the database was closed.
   */
  from(seqno: number, options?: FeedOptions): AsyncIterable<FeedItem>
  /** One block that is indexed; null when it is not, or was undone while it was read. Throws as `from` does, and StoreError. */
  block(seqno: number): Promise<BlockRows | null>
  /** How many reverts were noticed, and the lowest block that stayed in all but the first so many; null for no more. */
  readonly reverts: number
  lowestSince(reverts: number): number | null
  /**
   * Calls back with blocks of the chain that are about to be written to the index, until the returned function is called. Only in the
   * process that writes it.
   */
  onPrepared(listener: (rows: readonly BlockRows[]) => void, wantsOwners?: () => boolean): () => void
}

/** How far the index is. */
export interface FeedHeads {
  indexed(): MasterId | null
  onIndexed(listener: () => void): () => void
}

/** Thrown for blocks before the first one of the index. */
export class BlockNotIndexed extends Error {
  readonly firstSeqno: number

  constructor(seqno: number, firstSeqno: number) {
    super(`block ${seqno} is not in the index, which begins with block ${firstSeqno}`)
    this.name = 'BlockNotIndexed'
    this.firstSeqno = firstSeqno
  }
}

/**
 * Throws BlockNotIndexed where the index does not begin so early. To be called after a read: what is removed meanwhile is not
 * found, as if nothing had been there.
 */
export async function demandIndexed(from: Sql, seqno: number): Promise<void> {
  const [first] = await readAll(from, indexedRead())
  if (first !== undefined && seqno < first.seqno) throw new BlockNotIndexed(seqno, first.seqno)
}
