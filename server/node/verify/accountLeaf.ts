// Entries of accounts in the state of a shard. Reads of the accounts of one state all bring the same proof of its block, in one bag
// with that of the account, whose upper cells are those of other accounts: what was proven is neither made nor hashed again.

import { LRUCache } from 'lru-cache'
import {
  type Cell,
  Dict,
  dictBytesKey,
  dictKind,
  graftProof,
  hashFromBytes,
  type KnownProof,
  type Slice,
} from '../../cell/index.ts'
import {
  accountsOf,
  type DepthBalance,
  loadDepthBalance,
  loadShardAccount,
  type ShardAccount,
  type ShardState,
} from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import { ProofError } from './proofError.ts'
import { PAIR_LIMITS } from './readProof.ts'
import { readStatePair } from './state.ts'

export type AccountLeaf = ShardAccount & DepthBalance

export interface ProvenEntry {
  /** Time and end of the block. */
  readonly utime: number
  readonly lt: bigint
  /** Null where there is none. */
  readonly leaf: AccountLeaf | null
}

function loadLeaf(slice: Slice): AccountLeaf {
  const { splitDepth, balance } = loadDepthBalance(slice)
  const { account, lastTransHash, lastTransLt } = loadShardAccount(slice)
  return { splitDepth, balance, account, lastTransHash, lastTransLt }
}

const leafKind = dictKind(dictBytesKey(256), {
  load: loadLeaf,
  store: () => {
    throw new ProofError('unsupported', 'accounts of a proof are only read')
  },
})

interface ProvenPair extends KnownProof {
  readonly id: BlockIdExt
  readonly utime: number
  readonly lt: bigint
  /** Of what there is room for. */
  readonly most: number
  cells: number
}

/** In a state: its accounts, and in those the root of the dictionary. */
const PATH = [1, 0]
const MOST_BYTES = 4096
/** Of one that is compared with others. */
const MOST_COMPARED_BYTES = 16_384
/** About those of one proof with that of its block. */
const FIRST_CELLS = 64
/** Of a state of which few accounts are read, and of another, half a megabyte. The proof of a further account brings a handful. */
const FEW_CELLS = 256
const MOST_CELLS = 2048
const MOST_CELLS_OF_ALL = 16_384

/** States that were read a moment ago, by the hashes of their blocks. */
const recent = new LRUCache<string, ProvenPair>({ maxSize: MOST_CELLS_OF_ALL, sizeCalculation: ({ most }) => most })
/** Nearly all reads are of one state. */
let last: ProvenPair | null = null

function knownPair(id: BlockIdExt): ProvenPair | null {
  if (last !== null && isSameBlock(last.id, id)) return last
  const known = recent.get(hashFromBytes(id.rootHash))
  if (known === undefined || !isSameBlock(known.id, id)) return null
  last = known
  return known
}

function keep(pair: ProvenPair): void {
  last = pair
  recent.set(hashFromBytes(pair.id.rootHash), pair)
}

/** Begun anew where it is too much: most reads need what a recent one has shown. */
function grow(pair: ProvenPair, added: number): void {
  pair.cells += added
  if (pair.cells <= pair.most) return
  if (pair.most < MOST_CELLS) keep({ ...pair, most: MOST_CELLS })
  else keep({ ...pair, parts: new Map(), cells: FIRST_CELLS })
}

const newPair = (id: BlockIdExt, first: Cell, tree: Cell, { genUtime, genLt }: ShardState): ProvenPair => ({
  id,
  first,
  tree,
  utime: genUtime,
  lt: genLt,
  parts: new Map(),
  most: FEW_CELLS,
  cells: FIRST_CELLS,
})

/** The entry of an account in the state after a block. Throws ProofError and CellError. */
export function provenEntry(id: BlockIdExt, account: Uint8Array, boc: Uint8Array): ProvenEntry {
  const known = knownPair(id)
  if (known !== null && boc.length > 0 && boc.length <= MOST_COMPARED_BYTES) {
    const grafted = graftProof(boc, PAIR_LIMITS, known, { path: PATH, key: account })
    if (grafted !== null) {
      if (grafted.added > 0) grow(known, grafted.added)
      return { utime: known.utime, lt: known.lt, leaf: grafted.leaf && loadLeaf(grafted.leaf) }
    }
  }
  const { block, tree, state } = readStatePair(id, boc)
  const { root } = accountsOf(state)
  const leaf = new Dict(leafKind, root).get(account) ?? null
  // Its cells keep the whole bag.
  const isFirst = known === null && block !== null && root !== null && boc.length <= MOST_BYTES
  if (isFirst) keep(newPair(id, block, tree, state))
  return { utime: state.genUtime, lt: state.genLt, leaf }
}
