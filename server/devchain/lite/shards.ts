// Shards as a masterchain block registers them.

import { beginCell, type Cell } from '../../cell/index.ts'
import {
  type AllShardsAnswer,
  type BlockIdExt,
  leafOf,
  NO_BLOCK,
  type ShardId,
  type ShardInfoAnswer,
  type ShardQuery,
} from '../../node/index.ts'
import { type MasterBlockExtra, type ShardHashes, type ShardState, topShardOf } from '../../tlb/index.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { checkShard } from './checkQuery.ts'
import {
  NO_PROOF,
  openMaster,
  openMasterExtra,
  pairBoc,
  proveAfter,
  proveBlock,
  type StateProof,
  toBoc,
} from './proofs.ts'

interface FoundShard {
  readonly id: BlockIdExt
  readonly leaf: Cell
}

/** Opens the path to a shard; null when it does not exist. */
function openShard(hashes: ShardHashes, wanted: ShardId): FoundShard | null {
  const top = topShardOf(hashes, wanted)
  return top === null ? null : { id: top.id, leaf: leafOf(hashes, top.id) }
}

/** The block of a shard that a masterchain state registers. */
export const proveShard = (
  source: ChainSource,
  master: Located,
  wanted: ShardId,
): Promise<StateProof<FoundShard | null>> =>
  proveAfter(source, master, (state: ShardState) => openShard(openMaster(state).extra.shardHashes, wanted))

export async function shardInfo(source: ChainSource, id: BlockIdExt, wanted: ShardQuery): Promise<ShardInfoAnswer> {
  checkShard(wanted)
  const proven = await proveShard(source, source.locateMaster(id), wanted)
  const found = wanted.exact && proven.value?.id.shard !== BigInt.asUintN(64, wanted.shard) ? null : proven.value
  return {
    id,
    shardBlock: found?.id ?? NO_BLOCK,
    shardProof: pairBoc(proven),
    shardDescription: found === null ? NO_PROOF : toBoc(found.leaf),
  }
}

export async function shards(source: ChainSource, id: BlockIdExt): Promise<AllShardsAnswer> {
  const root = await source.blockRoot(source.locateMaster(id))
  const found: { extra: MasterBlockExtra | null } = { extra: null }
  const proof = proveBlock(root, (block) => {
    found.extra = openMasterExtra(block)
  })
  const data = beginCell().storeMaybeRef(found.extra?.shardHashes.root ?? null)
  return { id, proof: toBoc(proof), data: toBoc(data.end()) }
}
