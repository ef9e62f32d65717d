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
import { type ProvenBlock, provenBlock, provenBlockOf, stateHashOf } from './header.ts'
import { demand, ProofError } from './proofError.ts'
import { proofOf, provenTree, rootsOf } from './readProof.ts'

function checkedState(id: BlockIdExt, root: Cell): ShardState {
  const state = loadShardState(openCell(root))
  const isNamed =
    state.seqno === id.seqno && state.shard.workchain === id.workchain && shardOf(state.shard) === id.shard
  demand(isNamed, 'state', `the state is that of ${state.shard.workchain}:${state.seqno}`)
  return state
}

/** The state after a block, from a proof of each; the block's is empty for a zerostate. */
export function provenState(id: BlockIdExt, blockProof: Uint8Array, stateProof: Uint8Array): ShardState {
  if (id.seqno === 0) {
    demand(blockProof.length === 0, 'block', 'a zerostate has no block')
    return checkedState(id, provenTree(proofOf(stateProof), id.rootHash, 'the zerostate'))
  }
  return stateAfter(provenBlock(id, blockProof), proofOf(stateProof))
}

/** `provenState` from both proofs in one bag of cells. */
export function provenStatePair(id: BlockIdExt, boc: Uint8Array): ShardState {
  if (id.seqno === 0) return provenState(id, new Uint8Array(), boc)
  const [blockProof, stateProof] = rootsOf(boc, 2)
  if (blockProof === undefined || stateProof === undefined) throw new ProofError('missing', 'a proof is missing')
  return stateAfter(provenBlockOf(id, blockProof), stateProof)
}

function stateAfter(block: ProvenBlock, stateProof: Cell): ShardState {
  const { id } = block
  const hash = stateHashOf(block)
  return checkedState(id, provenTree(stateProof, hash, `the state after ${id.workchain}:${id.seqno}`))
}

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
