// Blocks by their ids: a header proven by the root hash, or a whole block by both hashes. The header's own seqno and shard
// must agree with the id, since no hash covers those of the id.

import { type Cell, hashFromBytes, openCell, sameBytes, sha256, updateHashes } from '../../cell/index.ts'
import {
  type Block,
  type BlockInfo,
  blockInfoOf,
  type ExtBlockRef,
  loadBlock,
  lowestBit,
  shardOf,
} from '../../tlb/index.ts'
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { BlockHeaderAnswer } from '../liteAnswers.ts'
import type { HashedBlock } from './hashedBlock.ts'
import { demand } from './proofError.ts'
import { demandSameBlock, provenTree, readingWholeTree, refusing } from './readProof.ts'
import { provenTreeIn } from './recentProofs.ts'

export interface ProvenBlock {
  readonly id: BlockIdExt
  /** The block with pruned parts. */
  readonly block: Block
  readonly info: BlockInfo
}

/** Reads a tree that has the root hash of the name, and checks the name against it. */
function checkedBlock(id: BlockIdExt, root: Cell): ProvenBlock {
  const block = loadBlock(openCell(root))
  const info = blockInfoOf(block)
  const isNamed = info.seqno === id.seqno && info.shard.workchain === id.workchain && shardOf(info.shard) === id.shard
  demand(isNamed, 'block', `the block is ${info.shard.workchain}:${info.seqno}, not ${id.workchain}:${id.seqno}`)
  const isMaster = info.masterRef === null
  demand(isMaster === (id.workchain === MASTERCHAIN), 'block', 'the header and the name disagree on the chain')
  demand(!isMaster || id.shard === WHOLE_SHARD, 'block', 'a masterchain block of a part of the masterchain')
  return { id, block, info }
}

const nameOf = ({ workchain, seqno }: BlockIdExt): string => `block ${workchain}:${seqno}`

/** The block a proof is about, whose header need not be shown. */
export const provenBody = (id: BlockIdExt, proof: Uint8Array): Block =>
  loadBlock(openCell(provenTreeIn(proof, id.rootHash, nameOf(id))))

/** The block a proof is about, with its header. */
export const provenBlock = (id: BlockIdExt, proof: Uint8Array): ProvenBlock =>
  checkedBlock(id, provenTreeIn(proof, id.rootHash, nameOf(id)))

/** The same for one of several proofs in a bag of cells. */
export const provenBlockOf = (id: BlockIdExt, proof: Cell): ProvenBlock =>
  checkedBlock(id, provenTree(proof, id.rootHash, nameOf(id)))

/** Hash of the state after a block. Throws ProofError when the proof does not show the update's own cell. */
export const stateHashOf = ({ block }: ProvenBlock): string =>
  refusing('header', () => updateHashes(block.stateUpdate).after)

/** Checks a header against the name of its block. */
export function verifyHeader(id: BlockIdExt, answer: BlockHeaderAnswer): ProvenBlock {
  return refusing('header', () => {
    demandSameBlock(answer.id, id)
    return provenBlock(id, answer.headerProof)
  })
}

export type WholeBlock = ProvenBlock & { readonly root: Cell }

/**
 * Checks a whole block against both hashes of its name, in pieces of at most a few milliseconds. `hashed` is what was made of these
 * very bytes, where it was.
 */
export function* verifyingBlock(
  id: BlockIdExt,
  boc: Uint8Array,
  hashed: HashedBlock | null = null,
): Generator<void, WholeBlock> {
  try {
    const file = hashed?.file ?? sha256(boc)
    demand(file === hashFromBytes(id.fileHash), 'hash', 'the bytes of the block have another hash')
    return verifyBlockRoot(id, yield* readingWholeTree(hashed?.bag ?? boc, hashed !== null))
  } catch (error) {
    return refusing('block', () => {
      throw error
    })
  }
}

/** Checks the cells of a whole block against the name. */
export function verifyBlockRoot(id: BlockIdExt, root: Cell): WholeBlock {
  return refusing('block', () => {
    demand(sameBytes(root.hashBytes(), id.rootHash), 'hash', 'the root of the block has another hash')
    return { ...checkedBlock(id, root), root }
  })
}

export interface BlockTimes {
  readonly seqno: number
  readonly genUtime: number
  readonly endLt: bigint
}

/** When a block was made and where it ends, without the rest of its header, of which parts may be cut off. */
export function blockTimesOf({ info }: Block): BlockTimes {
  const slice = openCell(info).skip(TAG_BITS + VERSION_BITS + FLAG_BITS)
  const seqno = slice.loadUint(32)
  const genUtime = slice.skip(VERT_SEQNO_BITS + SHARD_BITS).loadUint(32)
  return { seqno, genUtime, endLt: slice.skip(START_LT_BITS).loadUintBig(64) }
}

const TAG_BITS = 32
const VERSION_BITS = 32
const FLAG_BITS = 16
const VERT_SEQNO_BITS = 32
const SHARD_BITS = 104
const START_LT_BITS = 64

const named = (workchain: number, shard: bigint, ref: ExtBlockRef): BlockIdExt => ({
  workchain,
  shard,
  seqno: ref.seqno,
  rootHash: ref.rootHash,
  fileHash: ref.fileHash,
})

/** The previous blocks of a header: one, or both parents of a merge. */
export function previousBlocksOf({ id, info }: ProvenBlock): readonly BlockIdExt[] {
  const [first, second] = info.previous
  const bit = lowestBit(id.shard)
  if (second !== undefined) {
    const half = bit >> 1n
    return [named(id.workchain, id.shard - half, first), named(id.workchain, id.shard + half, second)]
  }
  // The parent's marker bit is one place higher and replaces the last bit of the prefix.
  const parent = (id.shard & ~bit & ~(bit << 1n)) | (bit << 1n)
  return [named(id.workchain, info.afterSplit ? parent : id.shard, first)]
}
