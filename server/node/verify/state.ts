// States by the block they belong to. A block names the state after it by the hash in its Merkle update; a zerostate is
// named by its own hash.

import { LRUCache } from 'lru-cache'
import { type Cell, hashFromBytes, openCell } from '../../cell/index.ts'
import {
  loadShardState,
  type MasterStateDetails,
  type MasterStateExtra,
  masterDetailsOf,
  masterStateOf,
  type ShardState,
  shardOf,
} from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN } from '../blockId.ts'
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

/** The state after a block, from a proof of each; the block's is empty for a zerostate. */
export function provenState(id: BlockIdExt, blockProof: Uint8Array, stateProof: Uint8Array): ShardState {
  if (id.seqno === 0) {
    demand(blockProof.length === 0, 'block', 'a zerostate has no block')
    return checkedState(id, provenTree(proofOf(stateProof), id.rootHash, 'the zerostate'))
  }
  const hash = stateHashOf(provenBlock(id, blockProof))
  return checkedState(id, provenTreeIn(stateProof, hash, nameOf(id)))
}

/** `provenState` from both proofs in one bag of cells. */
export function provenStatePair(id: BlockIdExt, boc: Uint8Array): ShardState {
  if (id.seqno === 0) return provenState(id, new Uint8Array(), boc)
  const key = hashFromBytes(id.rootHash)
  const known = recent.get(key)
  const [blockProof, stateProof] = rootsOf(boc, 2, known?.proof ?? null)
  if (blockProof === undefined || stateProof === undefined) throw new ProofError('missing', 'a proof is missing')
  const isKnown = known !== undefined && known.proof === blockProof && isSameBlock(known.id, id)
  const stateHash = isKnown ? known.stateHash : stateHashOf(provenBlockOf(id, blockProof))
  const state = checkedState(id, provenTree(stateProof, stateHash, nameOf(id)))
  // Its cells keep the whole bag.
  if (!isKnown && boc.length <= MOST_BYTES) recent.set(key, { id, proof: blockProof, stateHash })
  return state
}

interface ProvenStateHash {
  readonly id: BlockIdExt
  readonly proof: Cell
  readonly stateHash: string
}

const MOST_BLOCKS = 64
const MOST_BYTES = 4096

/**
 * Blocks whose states were read a moment ago. Reads of the accounts of one state all bring the same proof of its block, in one bag
 * with that of the account: cells with the same bytes are neither made nor hashed again.
 */
const recent = new LRUCache<string, ProvenStateHash>({ max: MOST_BLOCKS })

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
