// What the five kinds of cells must look like and which levels they have: the checks a node makes before it accepts a
// cell, and the mask and depths that follow from data and references.

import { byteAt } from './bits.ts'
import { CellError } from './cellErrors.ts'
import type { BinaryHash } from './hash.ts'
import { hashCount, isSignificant, levelOf, MAX_LEVEL, maskUpTo } from './levels.ts'

/** Values of the first byte of an exotic cell; 0 for ordinary ones. */
export const CellKind = { ordinary: 0, pruned: 1, library: 2, merkleProof: 3, merkleUpdate: 4 } as const
export type CellKind = (typeof CellKind)[keyof typeof CellKind]

const HASH = 32
const DEPTH = 2

/** What the checks need to know of a referenced cell. */
interface Referenced {
  readonly mask: number
  depth(level?: number): number
  hash(level?: number): BinaryHash
}

export const isMerkle = (kind: CellKind): boolean => kind === CellKind.merkleProof || kind === CellKind.merkleUpdate

const refuse = (text: string): never => {
  throw new CellError('exotic', text)
}

/** The kind an exotic cell claims; throws on an unknown one. */
export function kindOf(bytes: Buffer, offset: number, bits: number): CellKind {
  if (bits < 8) return refuse('an exotic cell has less than 8 bits')
  const kind = byteAt(bytes, offset)
  if (kind === 1 || kind === 2 || kind === 3 || kind === 4) return kind
  return refuse(`unknown kind ${kind} of exotic cell`)
}

/** Checks form and hashes of an exotic cell and returns its level mask. */
export function exoticMask(
  kind: CellKind,
  bytes: Buffer,
  offset: number,
  bits: number,
  refs: readonly Referenced[],
): number {
  switch (kind) {
    case CellKind.pruned:
      return prunedMask(bytes, offset, bits, refs.length)
    case CellKind.library:
      if (refs.length !== 0 || bits !== 8 * (1 + HASH)) refuse('a library cell has 264 bits and no references')
      return 0
    case CellKind.merkleProof:
      if (refs.length !== 1 || bits !== 8 * (1 + HASH + DEPTH)) refuse('a Merkle proof has 280 bits and one reference')
      return childMask(bytes, offset + 1, offset + 1 + HASH, refs[0]) >> 1
    case CellKind.merkleUpdate: {
      if (refs.length !== 2 || bits !== 8 * (1 + 2 * (HASH + DEPTH)))
        refuse('a Merkle update has 552 bits and two references')
      const depths = offset + 1 + 2 * HASH
      const before = childMask(bytes, offset + 1, depths, refs[0])
      return (before | childMask(bytes, offset + 1 + HASH, depths + DEPTH, refs[1])) >> 1
    }
    default:
      return refuse('not an exotic cell')
  }
}

function prunedMask(bytes: Buffer, offset: number, bits: number, refs: number): number {
  if (refs !== 0) refuse('a pruned branch has references')
  if (bits < 16) refuse('a pruned branch has less than 16 bits')
  const mask = byteAt(bytes, offset + 1)
  if (mask < 1 || mask > 7) refuse(`level mask ${mask} of a pruned branch`)
  if (bits !== 8 * (2 + (hashCount(mask) - 1) * (HASH + DEPTH)))
    refuse(`a pruned branch with mask ${mask} has ${bits} bits`)
  return mask
}

function childMask(bytes: Buffer, hashAt: number, depthAt: number, child: Referenced | undefined): number {
  if (!child) return refuse('a reference is missing')
  if (bytes.toString('latin1', hashAt, hashAt + HASH) !== child.hash(0))
    refuse('the hash in a Merkle cell is not that of its reference')
  if (bytes.readUInt16BE(depthAt) !== child.depth(0)) refuse('the depth in a Merkle cell is not that of its reference')
  return child.mask
}

/** Hash or depth offset number `index` inside a pruned branch. */
export const prunedHashAt = (offset: number, index: number): number => offset + 2 + HASH * index
const prunedDepthAt = (offset: number, mask: number, index: number): number =>
  offset + 2 + HASH * (hashCount(mask) - 1) + DEPTH * index

/** Depths of a cell with a non-zero mask, one per hash, lowest level first. */
export function depthsOf(
  kind: CellKind,
  mask: number,
  bytes: Buffer,
  offset: number,
  refs: readonly Referenced[],
): number[] {
  const isPruned = kind === CellKind.pruned
  const top = levelOf(mask)
  // Nearly all of them have two: a literal has no spare room, and these arrays stay as long as the cell.
  if (hashCount(mask) === 2) {
    return isPruned
      ? [bytes.readUInt16BE(prunedDepthAt(offset, mask, 0)), 0]
      : [depthOver(refs, childLevel(kind, 0)), depthOver(refs, childLevel(kind, top))]
  }
  const depths: number[] = []
  for (let level = 0; level <= top; level++) {
    if (!isSignificant(mask, level)) continue
    if (isPruned) {
      const index = depths.length
      depths.push(index === hashCount(mask) - 1 ? 0 : bytes.readUInt16BE(prunedDepthAt(offset, mask, index)))
    } else depths.push(depthOver(refs, childLevel(kind, level)))
  }
  return depths.slice()
}

/** The level at which references count for a cell's own level. */
export const childLevel = (kind: CellKind, level: number): number =>
  isMerkle(kind) ? Math.min(MAX_LEVEL, level + 1) : level

/** One more than the greatest depth of the references, 0 without any. */
export function depthOver(refs: readonly Referenced[], level: number): number {
  let depth = 0
  for (let i = 0; i < refs.length; i++) {
    const below = (refs[i]?.depth(level) ?? 0) + 1
    if (below > depth) depth = below
  }
  return depth
}

/** First descriptor byte at a level, without the flag for stored hashes. */
export const descriptor = (refs: number, kind: CellKind, mask: number, level: number): number =>
  refs + (kind === CellKind.ordinary ? 0 : 8) + (maskUpTo(mask, level) << 5)
