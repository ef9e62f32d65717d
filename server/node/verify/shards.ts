// Shards as registered in a masterchain block or state, proven.

import { type Cell, loadDict, openCell } from '../../cell/index.ts'
import {
  type Block,
  blockExtraOf,
  loadShardDescription,
  masterExtraOf,
  type ShardHashes,
  type ShardTop,
  shardHashesKind,
  shardTopsIn,
  topShardOf,
} from '../../tlb/index.ts'
import type { BlockIdExt, ShardId } from '../blockId.ts'
import type { AllShardsAnswer, ShardInfoAnswer } from '../liteAnswers.ts'
import { provenBody } from './header.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, refusing, wholeTree } from './readProof.ts'
import { masterchainOfState, provenStatePair } from './state.ts'

/** The shards a masterchain block registers. */
export function shardHashesOf(block: Block): ShardHashes {
  const master = masterExtraOf(blockExtraOf(block))
  demand(master !== null, 'block', 'a masterchain block was expected')
  return master.shardHashes
}

/** All shards a masterchain block registers. */
export const shardTopsOf = (block: Block): readonly ShardTop[] => [...shardTopsIn(shardHashesOf(block))]

/** Checks the list of all shards as of a masterchain block. */
export function verifyShards(id: BlockIdExt, answer: AllShardsAnswer): readonly ShardTop[] {
  return refusing('shards', () => {
    demandSameBlock(answer.id, id)
    const proven = shardHashesOf(provenBody(id, answer.proof))
    const shown = loadDict(openCell(wholeTree(answer.data)), shardHashesKind)
    demand(shown.root?.hash() === proven.root?.hash(), 'shard', 'other shards are shown than are proven')
    return [...shardTopsIn(shown)]
  })
}

const isSameCell = (a: Cell, b: Cell): boolean => a.hash() === b.hash()

/** Checks one shard as of a masterchain block; null when it does not exist. */
export function verifyShardInfo(
  id: BlockIdExt,
  wanted: ShardId,
  exact: boolean,
  answer: ShardInfoAnswer,
): ShardTop | null {
  return refusing('shard', () => {
    demandSameBlock(answer.id, id)
    const { extra } = masterchainOfState(id, provenStatePair(id, answer.shardProof))
    const top = topShardOf(extra.shardHashes, wanted)
    if (top === null || (exact && top.id.shard !== wanted.shard)) {
      demand(answer.shardDescription.length === 0, 'shard', 'a shard is shown that is not proven')
      return null
    }
    demandSameBlock(answer.shardBlock, top.id, 'shard')
    const leaf = wholeTree(answer.shardDescription)
    const slice = openCell(leaf)
    demand(!slice.loadBit(), 'shard', 'no leaf of the tree of shards')
    const shown = loadShardDescription(slice)
    slice.finish()
    demand(isSameCell(leaf, leafOf(extra.shardHashes, top.id)), 'shard', 'another description than is proven')
    return { id: top.id, description: shown }
  })
}

/** The cell that describes a shard. */
export function leafOf(hashes: ShardHashes, { workchain, shard }: ShardId): Cell {
  let cell = hashes.get(workchain)
  demand(cell !== undefined, 'shard', `there is no workchain ${workchain}`)
  for (let bit = 1n << 63n; bit > (shard & -shard); bit >>= 1n) {
    const slice = openCell(cell)
    demand(slice.loadBit(), 'shard', 'the tree of shards ends early')
    cell = (shard & bit) === 0n ? slice.loadRef() : slice.skipRefs(1).loadRef()
  }
  return cell
}
