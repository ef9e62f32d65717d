// The standard representation of a cell and its hash: descriptors, data (or the hash of the level below), depths of the
// references, hashes of the references.

import { hash as digest } from 'node:crypto'
import { byteAt } from './bits.ts'
import type { Hash } from './hash.ts'

/** What the hash of a cell needs to know of a referenced one. */
interface Referenced {
  depth(level: number): number
  hash(level: number): Hash
}

const LONGEST = 2 + 128 + 4 * (2 + 32)
const SCRATCH = Buffer.alloc(LONGEST)
// A view per length: making one anew for each cell would cost a fifth of its hash.
const VIEWS: readonly Buffer[] = Array.from({ length: LONGEST + 1 }, (_, length) => SCRATCH.subarray(0, length))

/** Hash of a cell whose data (with its completion tag) stands in `bytes` at `offset`. */
export function hashOfData(
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
  bits: number,
  refs: readonly Referenced[],
  childLevel: number,
): Hash {
  settle(refs, childLevel)
  const length = (bits + 7) >> 3
  SCRATCH[0] = descriptor
  SCRATCH[1] = (bits >> 3) + length
  if (length > 32) SCRATCH.set(bytes.subarray(offset, offset + length), 2)
  else for (let i = 0; i < length; i++) SCRATCH[2 + i] = byteAt(bytes, offset + i)
  return finish(2 + length, refs, childLevel)
}

/** Hash at a higher level: the data is replaced by the hash of the level below. */
export function hashOfHash(
  descriptor: number,
  bits: number,
  below: Hash,
  refs: readonly Referenced[],
  childLevel: number,
): Hash {
  settle(refs, childLevel)
  SCRATCH[0] = descriptor
  SCRATCH[1] = (bits >> 3) + ((bits + 7) >> 3)
  SCRATCH.write(below, 2, 'latin1')
  return finish(34, refs, childLevel)
}

// Hashes are computed on demand, so asking for one may use the scratch space: all of them are asked for beforehand.
function settle(refs: readonly Referenced[], childLevel: number): void {
  for (let i = 0; i < refs.length; i++) refs[i]?.hash(childLevel)
}

function finish(from: number, refs: readonly Referenced[], childLevel: number): Hash {
  let at = from
  const count = refs.length
  for (let i = 0; i < count; i++) {
    const depth = refs[i]?.depth(childLevel) ?? 0
    SCRATCH[at++] = depth >> 8
    SCRATCH[at++] = depth
  }
  for (let i = 0; i < count; i++) {
    SCRATCH.write(refs[i]?.hash(childLevel) ?? '', at, 'latin1')
    at += 32
  }
  return digest('sha256', VIEWS[at] ?? SCRATCH, 'binary')
}
