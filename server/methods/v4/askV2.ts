// What the calls of the v4 interface are made of.

import type { Api } from '../../../shared/registry.ts'

/** One call of v2. Rejects with ApiError. */
export type AskV2 = <K extends keyof Api>(name: K, params: Api[K]['params']) => Promise<Api[K]['result']>

export type BlockOfV2 = Api['lookupBlock']['result']

export const MASTERCHAIN_OF_V2 = { workchain: -1, shard: '-9223372036854775808' } as const

/** Names of a block as v4 writes them. */
export const toBlockOfV4 = ({ workchain, seqno, shard, root_hash, file_hash }: BlockOfV2) => ({
  workchain,
  seqno,
  shard,
  rootHash: root_hash,
  fileHash: file_hash,
})
