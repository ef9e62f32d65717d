// How blocks and shards are named inside of blocks.

import type { Builder, Slice } from '../../cell/index.ts'
import { expectTag, loadHash, storeHash, TlbError } from '../fields.ts'

/** A shard as a prefix of account ids: `prefixBits` leading bits of `prefix` count, the rest is zero. */
export interface ShardIdent {
  readonly prefixBits: number
  readonly workchain: number
  readonly prefix: bigint
}

/** A masterchain block, or a block of the current shard. */
export interface ExtBlockRef {
  readonly endLt: bigint
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

/** The 64-bit form that has a marker bit behind the prefix, as everything outside of blocks writes it. */
export const shardOf = (ident: ShardIdent): bigint => ident.prefix | (1n << BigInt(63 - ident.prefixBits))

export function loadShardIdent(slice: Slice): ShardIdent {
  expectTag(slice, 0, 2, 'ShardIdent')
  const prefixBits = slice.loadUint(6)
  if (prefixBits > 60) throw new TlbError('value', `a shard prefix of ${prefixBits} bits`)
  return { prefixBits, workchain: slice.loadInt(32), prefix: slice.loadUintBig(64) }
}

export const storeShardIdent = (builder: Builder, value: ShardIdent): Builder =>
  builder.storeUint(0, 2).storeUint(value.prefixBits, 6).storeInt(value.workchain, 32).storeUint(value.prefix, 64)

export const loadExtBlockRef = (slice: Slice): ExtBlockRef => ({
  endLt: slice.loadUintBig(64),
  seqno: slice.loadUint(32),
  rootHash: loadHash(slice),
  fileHash: loadHash(slice),
})

export const storeExtBlockRef = (builder: Builder, value: ExtBlockRef): Builder =>
  storeHash(storeHash(builder.storeUint(value.endLt, 64).storeUint(value.seqno, 32), value.rootHash), value.fileHash)
