// Calls of the page of a block.

import { afterCursor, query } from './explorerQuery.ts'

export interface BlockPlace {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
}

export const blockAt = (place: BlockPlace) => query('v3.blocks', { ...place })
export const transactionsOfBlock = (place: BlockPlace, cursor?: string) =>
  query('v3.transactions', { ...place, limit: 50, sort: 'asc', ...afterCursor(cursor) })
export const shardsOfBlock = (seqno: number) => query('v3.masterchainBlockShards', { seqno })

/** Who signed a masterchain block, and who were validators at its time. */
export const signersOfBlock = (seqno: number, gen_utime: string | number) =>
  [
    query('getMasterchainBlockSignatures', { seqno }),
    query('v3.validators.cycles', { end_utime: Number(gen_utime), return_validators: true, limit: 1 }),
  ] as const
