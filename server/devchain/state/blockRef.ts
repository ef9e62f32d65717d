// Names of blocks. The devchain has two chains, the masterchain and one shard that covers the whole basechain.

import type { BlockIdExt, MASTERCHAIN } from '../../node/index.ts'
import { type ExtBlockRef, FULL_SHARD, type ShardIdent } from '../../tlb/index.ts'

export { type BlockIdExt, isSameBlock, MASTERCHAIN } from '../../node/index.ts'

export const BASECHAIN = 0
export type Workchain = typeof MASTERCHAIN | typeof BASECHAIN

export const workchainIdent = (workchain: number): ShardIdent => ({ prefixBits: 0, workchain, prefix: 0n })

/** How blocks refer to an earlier block of their own chain or of the masterchain. */
export const blockRef = (id: BlockIdExt, endLt: bigint): ExtBlockRef => ({
  endLt,
  seqno: id.seqno,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
})

/** The id of the block in such a reference. */
export const blockIdOf = (workchain: number, ref: Omit<ExtBlockRef, 'endLt'>): BlockIdExt => ({
  workchain,
  shard: FULL_SHARD,
  seqno: ref.seqno,
  rootHash: ref.rootHash,
  fileHash: ref.fileHash,
})
