// Shards as registered in a masterchain block or state.

import { type Cell, loadDict, openCell } from '../../cell/index.ts'
import {
  type Block,
  blockExtraOf,
  findShard,
  loadShardDescription,
  masterExtraOf,
  type ShardDescription,
  type ShardHashes,
  shardHashesKind,
  shardsOf,
} from '../../tlb/index.ts'
import type { BlockIdExt, ShardId } from '../blockId.ts'
import type { AllShardsAnswer, ShardInfoAnswer } from '../liteAnswers.ts'
import { provenBody } from './header.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, proofOf, refusing, wholeTree } from './readProof.ts'
import { masterchainOfState, provenStatePair } from './state.ts'

export interface ShardTop {
  readonly id: BlockIdExt
  readonly description: ShardDescription
}

const topOf = (workchain: number, shard: bigint, description: ShardDescription): ShardTop => ({
  id: { workchain, shard, seqno: description.seqno, rootHash: description.rootHash, fileHash: description.fileHash },
  description,
})

/** The registered shard that covers an account id or another shard; null for an unknown workchain. */
export function topShardOf(hashes: ShardHashes, { workchain, shard }: ShardId): ShardTop | null {
  const tree = hashes.get(workchain)
  if (tree === undefined) return null
  const [found, description] = findShard(tree, shard)
  return topOf(workchain, found, description)
}

/** The 64 leading bits of an account id, by which its shard is found. */
export const prefixOf = (account: Uint8Array): bigint =>
  new DataView(account.buffer, account.byteOffset).getBigUint64(0)

/** Whether accounts with these leading bits live in a shard. */
export function shardHolds(shard: bigint, prefix: bigint): boolean {
  const above = ~((shard & -shard) * 2n - 1n)
  return BigInt.asUintN(64, (shard ^ prefix) & above) === 0n
}

/** The shards a masterchain block registers. */
export function shardHashesOf(block: Block): ShardHashes {
  const master = masterExtraOf(blockExtraOf(block))
  demand(master !== null, 'block', 'a masterchain block was expected')
  return master.shardHashes
}

const topsOf = (hashes: ShardHashes): readonly ShardTop[] =>
  [...hashes].flatMap(([workchain, tree]) =>
    [...shardsOf(tree)].map(([shard, description]) => topOf(workchain, shard, description)),
  )

/** All shards a masterchain block registers. */
export const shardTopsOf = (block: Block): readonly ShardTop[] => topsOf(shardHashesOf(block))

/** Checks the list of all shards as of a masterchain block. */
export function verifyShards(id: BlockIdExt, answer: AllShardsAnswer): readonly ShardTop[] {
  return refusing('shards', () => {
    demandSameBlock(answer.id, id)
    const proven = shardHashesOf(provenBody(id, proofOf(answer.proof)))
    const shown = loadDict(openCell(wholeTree(answer.data)), shardHashesKind)
    demand(shown.root?.hash() === proven.root?.hash(), 'shard', 'other shards are shown than are proven')
    return topsOf(shown)
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
    return topOf(top.id.workchain, top.id.shard, shown)
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
