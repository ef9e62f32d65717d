// Reads the blocks of the index one by one until its signal is aborted. After a failure it waits and goes on.

import { BlockNotIndexed, type BlockRowsFeed, type FeedItem, StoreError } from '../store/index.ts'

export interface FeedReader {
  readonly signal: AbortSignal
  /** Called with one item after the other, each when the call before has resolved. */
  readonly onItem: (item: FeedItem) => Promise<void>
  /** Called with a failure, before the pause. */
  readonly onPause: (error: unknown) => void
}

/** After a failure. */
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
