// Blocks without a chain, for tests of delivery: a test says when the next one comes.

import type { BlockRowsFeed } from '../../../server/store/index.ts'

// The cast: parts of blocks that are not asked for here.
export const block = (mcSeqno: number) =>
  ({ mcSeqno, rootHash: new Uint8Array(32).fill(mcSeqno), transactions: [] }) as never

/** Every webhook that waits is concerned by every block. */
export function waitingForAll() {
  const all = new Set<unknown>()
  const add = (one: unknown) => {
    all.add(one)
    return () => all.delete(one)
  }
  return { add, concernedBy: async () => [...all] }
}

export function growingBlocks(first: number): { readonly feed: BlockRowsFeed; readonly grow: () => void } {
  let newest = first
  const waiting = new Set<() => void>()
  const feed: Partial<BlockRowsFeed> = {
    head: () => ({ seqno: newest, rootHash: new Uint8Array(32).fill(newest) }),
    block: async (seqno) => block(seqno),
    reverts: 0,
    lowestSince: () => null,
    async *from(seqno, { signal } = {}) {
      for (let next = seqno; signal?.aborted !== true; ) {
        if (next <= newest) yield { kind: 'block', rows: block(next++) }
        else
          await new Promise<void>((resolve) => {
            waiting.add(resolve)
            signal?.addEventListener('abort', () => resolve())
          })
      }
    },
  }
  return {
    // The cast: what the delivery reads of a feed.
    feed: feed as BlockRowsFeed,
    grow() {
      newest++
      for (const go of waiting) go()
    },
  }
}
