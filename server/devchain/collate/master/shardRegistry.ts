// What the masterchain writes down of the basechain's only shard.

import { buildDict, type Dict, emptyDict } from '../../../cell/index.ts'
import {
  type CurrencyCollection,
  FULL_SHARD,
  findShard,
  makeShardTree,
  type ShardDescription,
  type ShardFee,
  type ShardHashes,
  shardFeesKind,
  shardHashesKind,
  shardKey,
  ZERO_CURRENCY,
} from '../../../tlb/index.ts'
import { BASECHAIN, type BlockIdExt, type MasterState } from '../../state/index.ts'

/** A shard block as the masterchain sees it. */
export interface RegisteredShard {
  readonly id: BlockIdExt
  readonly startLt: bigint
  readonly endLt: bigint
  readonly utime: number
  readonly minRefMcSeqno: number
  readonly feesCollected: CurrencyCollection
  readonly fundsCreated: CurrencyCollection
}

/** The shard's description in a masterchain state; null before the first block. */
export function registeredShard(master: MasterState): ShardDescription | null {
  const tree = master.extra.shardHashes.get(BASECHAIN)
  return tree === undefined ? null : findShard(tree, FULL_SHARD)[1]
}

const QUIET = {
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: false,
  wantMerge: false,
  nextCatchainUpdated: false,
  nextValidatorShard: FULL_SHARD,
  splitMergeAt: null,
}

/** The first masterchain block adds the workchain, as of its zerostate. */
const startOf = (zerostate: BlockIdExt, regMcSeqno: number): ShardDescription => ({
  ...QUIET,
  feesInRef: false,
  seqno: 0,
  regMcSeqno,
  startLt: 0n,
  endLt: 0n,
  rootHash: zerostate.rootHash,
  fileHash: zerostate.fileHash,
  nextCatchainSeqno: 0,
  minRefMcSeqno: 0xffff_ffff,
  genUtime: 0,
  feesCollected: ZERO_CURRENCY,
  fundsCreated: ZERO_CURRENCY,
})

const registered = (top: RegisteredShard, regMcSeqno: number, nextCatchainSeqno: number): ShardDescription => ({
  ...QUIET,
  feesInRef: true,
  seqno: top.id.seqno,
  regMcSeqno,
  startLt: top.startLt,
  endLt: top.endLt,
  rootHash: top.id.rootHash,
  fileHash: top.id.fileHash,
  nextCatchainSeqno,
  minRefMcSeqno: top.minRefMcSeqno,
  genUtime: top.utime,
  feesCollected: top.feesCollected,
  fundsCreated: top.fundsCreated,
})

export interface Registration {
  readonly shard: ShardDescription
  readonly fees: Dict<Uint8Array, ShardFee, ShardFee>
}

const NO_FEE: ShardFee = { fees: ZERO_CURRENCY, created: ZERO_CURRENCY }

/** The description for the next masterchain block, and the fees the shard hands over in it. */
export function registerShard(previous: MasterState, top: RegisteredShard | null, zerostate: BlockIdExt): Registration {
  const seqno = previous.id.seqno + 1
  const known = registeredShard(previous)
  const entry = (fee: ShardFee) => buildDict(shardFeesKind, [[shardKey(BASECHAIN, FULL_SHARD), fee]])
  if (known === null) return { shard: startOf(zerostate, seqno), fees: entry(NO_FEE) }
  if (top === null) return { shard: known, fees: emptyDict(shardFeesKind) }
  const fee = { fees: top.feesCollected, created: top.fundsCreated }
  return { shard: registered(top, seqno, known.nextCatchainSeqno), fees: entry(fee) }
}

/** The dictionary of shards with this one in it. */
export const shardHashesWith = (shard: ShardDescription): ShardHashes =>
  buildDict(shardHashesKind, [[BASECHAIN, makeShardTree([[FULL_SHARD, shard]])]])
