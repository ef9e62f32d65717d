// The accounts the TVM returned last, in the form it takes them in: one that acts again in the next block need not be
// serialised again.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes } from '../../../cell/index.ts'
import type { ShardAccount } from '../../../tlb/index.ts'

/** Characters kept in all, and of one account. */
const MAX_SIZE = 8 * 1024 * 1024
const MAX_ENTRY = 16 * 1024

interface Kept {
  readonly account: Cell
  readonly lastTransLt: bigint
  readonly lastTransHash: BinaryHash
  readonly boc: string
}

export class RecentAccounts {
  readonly #kept = new LRUCache<BinaryHash, Kept>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_ENTRY,
    sizeCalculation: ({ boc }) => boc.length,
  })

  keep(id: BinaryHash, { account, lastTransLt, lastTransHash }: ShardAccount, boc: string): void {
    this.#kept.set(id, { account, lastTransLt, lastTransHash: hashFromBytes(lastTransHash), boc })
  }

  // The account's cell alone does not identify an entry: all absent accounts share one cell, and the last transaction next
  // to it becomes part of the next one.
  find(id: BinaryHash, { account, lastTransLt, lastTransHash }: ShardAccount): string | undefined {
    const kept = this.#kept.get(id)
    if (kept?.account !== account || kept.lastTransLt !== lastTransLt) return undefined
    return kept.lastTransHash === hashFromBytes(lastTransHash) ? kept.boc : undefined
  }
}
