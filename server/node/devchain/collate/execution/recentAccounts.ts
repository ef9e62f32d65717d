// What the TVM returned last of busy accounts, in the form it takes them in: whoever acts again in the next block need not be
// written out anew.

import { LRUCache } from 'lru-cache'
import type { Cell, Hash } from '../../../../cell/index.ts'
import type { ShardAccount } from '../../../../tlb/index.ts'

/** Characters kept in all, and of one account. */
const MAX_SIZE = 8 * 1024 * 1024
const MAX_ENTRY = 16 * 1024

export class RecentAccounts {
  readonly #kept = new LRUCache<Hash, { readonly account: Cell; readonly boc: string }>({
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_ENTRY,
    sizeCalculation: ({ boc }) => boc.length,
  })

  keep(id: Hash, { account }: ShardAccount, boc: string): void {
    this.#kept.set(id, { account, boc })
  }

  /** Only of the very account that was kept: there are two chains, and histories can be undone. */
  find(id: Hash, { account }: ShardAccount): string | undefined {
    const kept = this.#kept.get(id)
    return kept?.account === account ? kept.boc : undefined
  }
}
