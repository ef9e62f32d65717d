// A chain read on behalf of one share of what callers share.

import type { Chain, ReadOptions } from './chain.ts'

/** The same chain; each read says whose it is. */
export function chainForShare(share: string, chain: Chain): Chain {
  const own = (read: ReadOptions | undefined): ReadOptions => ({ ...read, share })
  return {
    ...chain,
    head: (read) => chain.head({ ...read, share }),
    find: (query, read) => chain.find(query, own(read)),
    idOf: (query, read) => chain.idOf(query, own(read)),
    header: (id, read) => chain.header(id, own(read)),
    block: (id, read) => chain.block(id, own(read)),
    state: (id, read) => chain.state(id, own(read)),
    account: (id, account, read) => chain.account(id, account, own(read)),
    transactions: (query, read) => chain.transactions(query, own(read)),
    listTransactions: (id, query, read) => chain.listTransactions(id, query, own(read)),
    blockTransactions: (id, query, read) => chain.blockTransactions(id, query, own(read)),
    config: (id, wanted, read) => chain.config(id, wanted, own(read)),
    previousBlocks: (id, read) => chain.previousBlocks(id, own(read)),
    libraries: (hashes, read) => chain.libraries(hashes, own(read)),
    shards: (id, read) => chain.shards(id, own(read)),
    queueSizes: (id, read) => chain.queueSizes(id, own(read)),
  }
}
