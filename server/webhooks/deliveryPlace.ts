// How far a webhook has come: the block that was delivered last, earlier ones, and one of which something may have been posted.

import type { BlockRows, BlockRowsFeed, WebhookCursor, WebhookRow } from '../store/index.ts'
import { type Cursor, endOfBlock, readStreamCursor, writeStreamCursor } from '../streaming/index.ts'
import { type DeliveredBlock, type DeliveryTrail, lengthen, readTrail, writeTrail } from './deliveryTrail.ts'

type Written = Pick<WebhookCursor, 'cursor' | 'trail'>

type Blocks = Pick<BlockRowsFeed, 'block'>

export const isAt = (rows: BlockRows | null, { block }: Pick<DeliveredBlock, 'block'>): boolean =>
  rows !== null && endOfBlock(rows).block === block

/** Whether the chain has a block. */
export const isIn = async ({ feed, at }: { readonly feed: Blocks; readonly at: DeliveredBlock }): Promise<boolean> =>
  isAt(await feed.block(at.mcSeqno), at)

export class DeliveryPlace {
  /** Behind what was delivered, and behind blocks that had nothing since. */
  cursor: Cursor | null
  #stored: Cursor | null
  #trail: DeliveryTrail

  constructor(row: Pick<WebhookRow, 'cursor' | 'trail'>) {
    this.cursor = this.#stored = readStreamCursor(row.cursor)
    this.#trail = readTrail(row.trail, this.cursor)
  }

  /** The newest first. */
  get trail(): DeliveryTrail {
    return this.#trail
  }

  get storedSeqno(): number {
    return this.#stored?.mcSeqno ?? 0
  }

  /** The block behind the cursor of which something was posted, and may have arrived without an answer; null for none. */
  get tried(): DeliveredBlock | null {
    const [newest] = this.#trail
    return newest !== undefined && newest.mcSeqno > (this.cursor?.mcSeqno ?? -1) ? newest : null
  }

  /** Whether the chain still has all blocks of which something was posted. */
  async isKnown(feed: Blocks): Promise<boolean> {
    const { cursor, tried } = this
    if (cursor === null) return true
    return (await isIn({ feed, at: cursor })) && (tried === null || (await isIn({ feed, at: tried })))
  }

  /** Notes that a block is about to be posted of. False when that is known. */
  tries({ mcSeqno, block }: Cursor): boolean {
    if ((this.#trail[0]?.mcSeqno ?? -1) >= mcSeqno) return false
    this.#trail = [{ mcSeqno, block }, ...this.#trail]
    return true
  }

  /** To be stored while nothing more is delivered: what had nothing for it may be removed from the index before it goes on. */
  written(): Written {
    return { cursor: this.cursor === null ? '' : writeStreamCursor(this.cursor), trail: writeTrail(this.#trail) }
  }

  /** To be stored once all before a cursor is delivered. */
  writtenAt(cursor: Cursor): Written {
    this.#trail = lengthen(this.#trail, cursor)
    return { cursor: writeStreamCursor(cursor), trail: writeTrail(this.#trail) }
  }

  stored(cursor: Cursor): void {
    this.cursor = this.#stored = cursor
  }
}
