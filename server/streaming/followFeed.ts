// Follows the feed of the index until it is told to stop, also past failures.

import { BlockNotIndexed, type BlockRowsFeed, type FeedItem, StoreError } from '../store/index.ts'

export interface FeedReader {
  readonly signal: AbortSignal
  /** The next one comes once it has resolved. */
  readonly onItem: (item: FeedItem) => Promise<void>
  /** A failure: the feed is followed again after a while. */
  readonly onPause: (error: unknown) => void
}

/** After a failure, before the feed is followed again. */
const PAUSE_MS = 1000

export async function followFeed(
  feed: Pick<BlockRowsFeed, 'from'>,
  first: number,
  { signal, onItem, onPause }: FeedReader,
): Promise<void> {
  let next = first
  while (!signal.aborted) {
    try {
      for await (const item of feed.from(next, { signal })) {
        await onItem(item)
        next = (item.kind === 'block' ? item.rows.mcSeqno : item.mcSeqno) + 1
      }
    } catch (error) {
      if (error instanceof BlockNotIndexed) next = error.firstSeqno
      else if (signal.aborted || (error instanceof StoreError && error.code === 'closed')) return
      else {
        onPause(error)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref())
      }
    }
  }
}
