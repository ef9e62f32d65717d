// Earlier blocks in the state after a masterchain block. Look-ups from one trusted block all bring the same proof of it, and a proof of its
// state that shows the way to one earlier block: what was proven before is neither made nor hashed again.

import { type Cell, graftProof, type KnownProof, type Slice, sameBytes } from '../../cell/index.ts'
import { type ExtBlockRef, loadExtBlockRef } from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import { PROOF_LIMITS } from './readProof.ts'
import { detailsOf, masterchainOfState, readStateProof } from './state.ts'

interface KnownState extends KnownProof {
  readonly id: BlockIdExt
  readonly blockProof: Uint8Array
  /** The references that lead from the root of the state to that of the dictionary. */
  readonly path: readonly number[]
  cells: number
}

const MOST_BYTES = 4096
/** Of one that is compared with others. */
const MOST_COMPARED_BYTES = 16_384
/** About those of one proof. */
const FIRST_CELLS = 64
/** A quarter of a megabyte; the proof of a further block brings a handful. */
const MOST_CELLS = 1024
/** Of an entry: whether there is a key block below it, and the end of the last block. */
const EXTRA_BITS = 65
const KEY_BITS = 1

/** Nearly all look-ups are from the newest block. */
let last: KnownState | null = null

const keyOf = (seqno: number): Uint8Array => Uint8Array.of(seqno >>> 24, seqno >>> 16, seqno >>> 8, seqno)

const blockIn = (leaf: Slice): ExtBlockRef => loadExtBlockRef(leaf.skip(EXTRA_BITS + KEY_BITS))

/** Null where one of them is not below the one before it. */
function pathOf([root, ...below]: readonly (Cell | null)[]): readonly number[] | null {
  const path: number[] = []
  let at = root ?? null
  for (const cell of below) {
    const step = at === null || cell === null ? -1 : at.refs.indexOf(cell)
    if (step < 0) return null
    path.push(step)
    at = cell
  }
  return path
}

/** The earlier block with a seqno, from the proofs of a masterchain block and its state; null where there is none. Throws ProofError and CellError. */
export function provenOldBlock(
  id: BlockIdExt,
  blockProof: Uint8Array,
  stateProof: Uint8Array,
  seqno: number,
): ExtBlockRef | null {
  const known = last !== null && isSameBlock(last.id, id) && sameBytes(last.blockProof, blockProof) ? last : null
  if (known !== null && stateProof.length > 0 && stateProof.length <= MOST_COMPARED_BYTES) {
    const grafted = graftProof(stateProof, PROOF_LIMITS, known, { path: known.path, key: keyOf(seqno) })
    if (grafted !== null) {
      known.cells += grafted.added
      // Begun anew where it is too much: most look-ups need what a recent one has shown.
      if (known.cells > MOST_CELLS) last = { ...known, parts: new Map(), cells: FIRST_CELLS }
      return grafted.leaf && blockIn(grafted.leaf)
    }
  }
  const { tree, state } = readStateProof(id, blockProof, stateProof)
  const master = masterchainOfState(id, state)
  const { previousBlocks } = detailsOf(master)
  const path = pathOf([tree, state.custom, master.extra.details, previousBlocks.root])
  // Its cells keep the whole bag.
  const isFirst = known === null && path !== null && Math.max(blockProof.length, stateProof.length) <= MOST_BYTES
  if (isFirst)
    last = { first: null, tree, parts: new Map(), id, blockProof: new Uint8Array(blockProof), path, cells: FIRST_CELLS }
  return previousBlocks.get(seqno)?.block ?? null
}
