// Names of blocks. The devchain has two chains, the masterchain and one shard that covers the whole basechain.

import { type ExtBlockRef, FULL_SHARD, type ShardIdent } from '../../tlb/index.ts'

export const MASTERCHAIN = -1
export const BASECHAIN = 0
export type Workchain = typeof MASTERCHAIN | typeof BASECHAIN

export interface BlockIdExt {
  readonly workchain: number
  /** 64 bits, unsigned. */
  readonly shard: bigint
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export const workchainIdent = (workchain: number): ShardIdent => ({ prefixBits: 0, workchain, prefix: 0n })

/** How blocks refer to an earlier block of their own chain or of the masterchain. */
export const blockRef = (id: BlockIdExt, endLt: bigint): ExtBlockRef => ({
  endLt,
  seqno: id.seqno,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
})

/** The name behind such a reference. */
export const blockIdOf = (workchain: number, ref: Omit<ExtBlockRef, 'endLt'>): BlockIdExt => ({
  workchain,
  shard: FULL_SHARD,
  seqno: ref.seqno,
  rootHash: ref.rootHash,
  fileHash: ref.fileHash,
})

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

export const isSameBlock = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  sameBytes(a.rootHash, b.rootHash) &&
  sameBytes(a.fileHash, b.fileHash)
