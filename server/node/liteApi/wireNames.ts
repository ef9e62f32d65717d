// Names of blocks and accounts, on the wire and here.

import type { Bare } from '../../tl/index.ts'
import type { AccountId, BlockIdExt, ShardId, ZeroStateId } from '../blockId.ts'

type WireBlock = Bare['tonNode.blockIdExt']
type WireAccount = Bare['liteServer.accountId']
type WireZeroState = Bare['tonNode.zeroStateIdExt']

/** Seqnos, shards and times are unsigned here and signed on the wire. */
export const unsigned = (number: number): number => number >>> 0
export const unsignedLong = (number: bigint): bigint => BigInt.asUintN(64, number)

export const NO_BYTES = new Uint8Array()

export const readBlock = ({ workchain, shard, seqno, root_hash, file_hash }: WireBlock): BlockIdExt => ({
  workchain,
  shard: unsignedLong(shard),
  seqno: unsigned(seqno),
  rootHash: root_hash,
  fileHash: file_hash,
})

export const writeBlock = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): WireBlock => ({
  workchain,
  shard,
  seqno,
  root_hash: rootHash,
  file_hash: fileHash,
})

export const readWireAccount = ({ workchain, id }: WireAccount): AccountId => ({ workchain, hash: id })
export const writeAccount = ({ workchain, hash }: AccountId): WireAccount => ({ workchain, id: hash })

export const readZeroState = ({ workchain, root_hash, file_hash }: WireZeroState): ZeroStateId => ({
  workchain,
  rootHash: root_hash,
  fileHash: file_hash,
})

export const writeZeroState = ({ workchain, rootHash, fileHash }: ZeroStateId): WireZeroState => ({
  workchain,
  root_hash: rootHash,
  file_hash: fileHash,
})

export const readShard = (workchain: number, shard: bigint): ShardId => ({ workchain, shard: unsignedLong(shard) })

/** Without properties that are undefined. The cast: the type of a copy does not say that they are left out. */
export function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const left: Partial<T> = {}
  for (const name in fields) if (fields[name] !== undefined) left[name] = fields[name]
  return left as { [K in keyof T]: Exclude<T[K], undefined> }
}
