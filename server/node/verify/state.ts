// States by the block they belong to. A block names the state after it by the hash in its Merkle update; a zerostate is
// named by its own hash.

import { LRUCache } from 'lru-cache'
import { type Cell, type GraftedProof, graftProof, hashFromBytes, type KnownProof, openCell } from '../../cell/index.ts'
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
import { PAIR_LIMITS, proofOf, provenTree, rootsOf } from './readProof.ts'
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
  const isKnown = known !== undefined && isSameBlock(known.id, id)
  const isGrafted = isKnown && boc.length > 0 && boc.length <= MOST_GRAFTED_BYTES
  const grafted = isGrafted ? graftProof(boc, PAIR_LIMITS, known) : null
  if (isKnown && grafted !== null) {
    if (grafted.added > 0) recent.set(key, grownPair(known, grafted))
    return checkedState(id, grafted.shown)
  }
  const [blockProof, stateProof] = rootsOf(boc, 2)
  if (blockProof === undefined || stateProof === undefined) throw new ProofError('missing', 'a proof is missing')
  const tree = provenTree(stateProof, stateHashOf(provenBlockOf(id, blockProof)), nameOf(id))
  const state = checkedState(id, tree)
  // Its cells keep the whole bag.
  if (!isKnown && boc.length <= MOST_BYTES) recent.set(key, newPair(id, blockProof, tree))
  return state
}

interface ProvenPair extends KnownProof {
  readonly id: BlockIdExt
  /** The state as the first proof of it has shown it. */
  readonly begun: Cell
  readonly cells: number
}

const MOST_BLOCKS = 64
const MOST_BYTES = 4096
/** Of one that is compared with others. */
const MOST_GRAFTED_BYTES = 16_384
/** About those of one proof with that of its block. */
const FIRST_CELLS = 64
/** Of one state, half a megabyte; the proof of another account brings a handful of new ones. */
const MOST_CELLS = 2048
const MOST_CELLS_OF_ALL = 16_384

/**
 * Blocks whose states were read a moment ago. Reads of the accounts of one state all bring the same proof of its block, in one bag
 * with that of the account, whose upper cells are those of other accounts: what was proven is neither made nor hashed again.
 */
const recent = new LRUCache<string, ProvenPair>({
  max: MOST_BLOCKS,
  maxSize: MOST_CELLS_OF_ALL,
  sizeCalculation: ({ cells }) => cells,
})

const newPair = (id: BlockIdExt, first: Cell, begun: Cell): ProvenPair => ({
  ...{ id, first, begun, tree: begun, cuts: new Map(), cells: FIRST_CELLS },
})

/** With what a proof has added; begun anew where that is too much, as most reads need what a recent one has shown. */
function grownPair({ id, first, begun, cuts, cells }: ProvenPair, { tree, added }: GraftedProof): ProvenPair {
  const all = cells + added
  return all > MOST_CELLS ? newPair(id, first, begun) : { id, first, begun, tree, cuts, cells: all }
}

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
