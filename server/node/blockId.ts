// How blocks, shards and accounts are named on the wire.

/** A shard by its 64-bit name: the prefix and a marker bit behind it, unsigned. */
export interface ShardId {
  readonly workchain: number
  readonly shard: bigint
}

export interface BlockIdExt extends ShardId {
  readonly seqno: number
  /** Hash of the root cell. */
  readonly rootHash: Uint8Array
  /** SHA-256 of the bag of cells. */
  readonly fileHash: Uint8Array
}

/** The state a chain began with. */
export interface ZeroStateId {
  readonly workchain: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export interface AccountId {
  readonly workchain: number
  /** 32 bytes. */
  readonly hash: Uint8Array
}

export const MASTERCHAIN = -1

/** The one shard of the masterchain, and of a workchain that is not split. */
export const WHOLE_SHARD = 1n << 63n

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Whether two names mean the same block. */
export const isSameBlock = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain &&
  a.shard === b.shard &&
  a.seqno === b.seqno &&
  sameBytes(a.rootHash, b.rootHash) &&
  sameBytes(a.fileHash, b.fileHash)

const shardDigits = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).padStart(16, '0')

/** The common spelling: `(-1,8000000000000000)`. */
export const shardText = ({ workchain, shard }: ShardId): string => `(${workchain},${shardDigits(shard)})`

const hashText = (hash: Uint8Array): string => Buffer.from(hash).toString('hex').toUpperCase()

/** With both hashes, as nodes spell it: `(-1,8000000000000000,7):ROOT:FILE`. */
export const fullBlockText = (id: BlockIdExt): string =>
  `${blockText(id)}:${hashText(id.rootHash)}:${hashText(id.fileHash)}`

/** The common spelling: `(-1,8000000000000000,7)`. */
export const blockText = ({ workchain, shard, seqno }: ShardId & { readonly seqno: number }): string =>
  `(${workchain},${shardDigits(shard)},${seqno})`
