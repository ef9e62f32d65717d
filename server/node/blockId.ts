// How blocks, shards and accounts are named on the wire, and which shard an account is in.

import { sameBytes } from '../cell/index.ts'

/** A shard as 64 unsigned bits: the prefix, then a marker bit. */
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

/** What the wire has in place of a block that does not exist. */
export const NO_BLOCK: BlockIdExt = {
  workchain: -0x8000_0000,
  shard: 0n,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
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

/** The 64 leading bits of an account id, by which its shard is found. */
export function prefixOf(account: Uint8Array): bigint {
  for (let i = 0; i < 8; i++) WIDE.setUint8(i, account[i] ?? 0)
  return WIDE.getBigUint64(0)
}

/** One for all: a view of each account would take longer than its prefix. */
const WIDE = new DataView(new ArrayBuffer(8))

/** Whether accounts with these leading bits live in a shard. */
export function shardHolds(shard: bigint, prefix: bigint): boolean {
  const above = ~((shard & -shard) * 2n - 1n)
  return BigInt.asUintN(64, (shard ^ prefix) & above) === 0n
}

/** The same for the hash of an account, without a bigint for each step: each read of an account checks this twice. */
export function isInShard(shard: bigint, account: Uint8Array): boolean {
  WIDE.setBigUint64(0, shard)
  const high = WIDE.getInt32(0)
  const low = WIDE.getInt32(4)
  for (let i = 0; i < 8; i++) WIDE.setUint8(i, account[i] ?? 0)
  // Where the lower half has the mark that ends the prefix, all of the upper half belongs to it.
  const upper = low === 0 ? bitsAbove(high) : -1
  return ((high ^ WIDE.getInt32(0)) & upper) === 0 && ((low ^ WIDE.getInt32(4)) & bitsAbove(low)) === 0
}

/** Of 32 bits, those above the lowest that is set; none where none is set. */
const bitsAbove = (bits: number): number => (bits === 0 ? 0 : ~(((bits & -bits) << 1) - 1))

type BlockHashes = Pick<BlockIdExt, 'rootHash' | 'fileHash'>

/** Whether both hashes are equal, of blocks or zerostates of one chain. */
export const haveSameHashes = (a: BlockHashes, b: BlockHashes): boolean =>
  sameBytes(a.rootHash, b.rootHash) && sameBytes(a.fileHash, b.fileHash)

/** Whether two names mean the same block. */
export const isSameBlock = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a === b || (a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno && haveSameHashes(a, b))

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
