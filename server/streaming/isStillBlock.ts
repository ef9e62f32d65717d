// Whether the block of a cursor is still on the chain, or a revert has undone it.

import type { BlockRowsFeed } from '../store/index.ts'
import { blockMark, type Cursor } from './streamCursor.ts'

/** Throws as `feed.block` does. */
export async function isStillBlock(feed: Pick<BlockRowsFeed, 'block'>, { mcSeqno, block }: Cursor): Promise<boolean> {
  const rows = await feed.block(mcSeqno)
  return rows !== null && blockMark(rows.rootHash) === block
}
