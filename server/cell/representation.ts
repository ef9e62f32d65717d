// The standard representation of a cell and its hash: descriptors, data (or the hash of the level below), depths of the
// references, hashes of the references.

import { hash as digest } from 'node:crypto'
import { byteAt } from './bits.ts'
import type { BinaryHash } from './hash.ts'

/** What the hash of a cell needs to know of a referenced one. */
interface Referenced {
  depth(level: number): number
  hash(level: number): BinaryHash
}

const LONGEST = 2 + 128 + 4 * (2 + 32)
const SCRATCH = Buffer.alloc(LONGEST)
// A view per length: making one for each cell would cost a fifth of its hash.
const VIEWS: readonly Buffer[] = Array.from({ length: LONGEST + 1 }, (_, length) => SCRATCH.subarray(0, length))

/** Hash of a cell whose data (with its completion tag) is in `bytes` at `offset`. */
export function hashOfData(
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
  bits: number,
  refs: readonly Referenced[],
  childLevel: number,
): BinaryHash {
  settle(refs, childLevel)
  const length = (bits + 7) >> 3
  SCRATCH[0] = descriptor
  SCRATCH[1] = (bits >> 3) + length
  if (length > 64) SCRATCH.set(bytes.subarray(offset, offset + length), 2)
  else for (let i = 0; i < length; i++) SCRATCH[2 + i] = byteAt(bytes, offset + i)
  return finish(2 + length, refs, childLevel)
}

/** Hash at a higher level: the data is replaced by the hash of the level below. */
export function hashOfHash(
  descriptor: number,
  bits: number,
  below: BinaryHash,
  refs: readonly Referenced[],
  childLevel: number,
): BinaryHash {
  settle(refs, childLevel)
  SCRATCH[0] = descriptor
  SCRATCH[1] = (bits >> 3) + ((bits + 7) >> 3)
  writeHash(below, 2)
  return finish(34, refs, childLevel)
}

// Hashes of the references, fetched before anything is written: they are computed on demand, and computing one takes the
// same scratch space.
let first: BinaryHash = ''
let second: BinaryHash = ''
let third: BinaryHash = ''
let fourth: BinaryHash = ''

function settle(refs: readonly Referenced[], level: number): void {
  const count = refs.length
  if (count === 0) return
  const a = refs[0]?.hash(level) ?? ''
  const b = count > 1 ? (refs[1]?.hash(level) ?? '') : ''
  const c = count > 2 ? (refs[2]?.hash(level) ?? '') : ''
  fourth = count > 3 ? (refs[3]?.hash(level) ?? '') : ''
  first = a
  second = b
  third = c
}

function writeHash(hash: BinaryHash, at: number): void {
  SCRATCH.write(hash, at, 'latin1')
}

function finish(from: number, refs: readonly Referenced[], level: number): BinaryHash {
  let at = from
  const count = refs.length
  for (let i = 0; i < count; i++) {
    const depth = refs[i]?.depth(level) ?? 0
    SCRATCH[at++] = depth >> 8
    SCRATCH[at++] = depth
  }
  if (count > 0) writeHash(first, at)
  if (count > 1) writeHash(second, at + 32)
  if (count > 2) writeHash(third, at + 64)
  if (count > 3) writeHash(fourth, at + 96)
  return digest('sha256', VIEWS[at + 32 * count] ?? SCRATCH, 'binary')
}
