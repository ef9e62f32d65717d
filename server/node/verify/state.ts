// States by the block they belong to. A block names the state after it by the hash in its Merkle update; a zerostate is
// named by its own hash.

import { type Cell, openCell } from '../../cell/index.ts'
import {
  loadShardState,
  type MasterStateDetails,
  type MasterStateExtra,
  masterDetailsOf,
  masterStateOf,
  type ShardState,
  shardOf,
} from '../../tlb/index.ts'
import { type BlockIdExt, MASTERCHAIN } from '../blockId.ts'
import { provenBlock, provenBlockOf, stateHashOf } from './header.ts'
import { demand, ProofError } from './proofError.ts'
import { proofOf, provenTree, rootsOf } from './readProof.ts'
import { provenTreeIn } from './recentProofs.ts'

function checkedState(id: BlockIdExt, root: Cell): ShardState {
  const state = loadShardState(openCell(root))
  const isNamed =
    state.seqno === id.seqno && state.shard.workchain === id.workchain && shardOf(state.shard) === id.shard
  demand(isNamed, 'state', `the state is that of ${state.shard.workchain}:${state.seqno}`)
  return state
}

interface StateTree {
  readonly tree: Cell
  readonly state: ShardState
}

/** The state after a block, from a proof of each; the block's is empty for a zerostate. */
export function readStateProof(id: BlockIdExt, blockProof: Uint8Array, stateProof: Uint8Array): StateTree {
  if (id.seqno === 0) {
    demand(blockProof.length === 0, 'block', 'a zerostate has no block')
    return readStatePair(id, stateProof)
  }
  const tree = provenTreeIn(stateProof, stateHashOf(provenBlock(id, blockProof)), nameOf(id))
  return { tree, state: checkedState(id, tree) }
}

export const provenState = (id: BlockIdExt, blockProof: Uint8Array, stateProof: Uint8Array): ShardState =>
  readStateProof(id, blockProof, stateProof).state

interface StatePair extends StateTree {
  /** The block's proof; null of a zerostate. */
  readonly block: Cell | null
}

/** The state after a block, from both proofs in one bag of cells. */
export function readStatePair(id: BlockIdExt, boc: Uint8Array): StatePair {
  if (id.seqno === 0) {
    const tree = provenTree(proofOf(boc), id.rootHash, 'the zerostate')
    return { block: null, tree, state: checkedState(id, tree) }
  }
  const [block, stateProof] = rootsOf(boc, 2)
  if (block === undefined || stateProof === undefined) throw new ProofError('missing', 'a proof is missing')
  const tree = provenTree(stateProof, stateHashOf(provenBlockOf(id, block)), nameOf(id))
  return { block, tree, state: checkedState(id, tree) }
}

export const provenStatePair = (id: BlockIdExt, boc: Uint8Array): ShardState => readStatePair(id, boc).state

const nameOf = ({ workchain, seqno }: BlockIdExt): string => `the state after ${workchain}:${seqno}`

export interface ProvenMaster {
  readonly state: ShardState
  readonly extra: MasterStateExtra
}

/** The part only the masterchain's state has. */
export function masterchainOfState(id: BlockIdExt, state: ShardState): ProvenMaster {
  const extra = masterStateOf(state)
  demand(id.workchain === MASTERCHAIN && extra !== null, 'state', 'a masterchain state was expected')
  return { state, extra }
}

export const detailsOf = ({ extra }: ProvenMaster): MasterStateDetails => masterDetailsOf(extra)
