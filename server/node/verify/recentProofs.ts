// Proofs of blocks and states that were checked a moment ago. Reads about the newest block all bring the same proof of it, and reads
// about neighbouring blocks or times bring the same headers and the same part of the newest state. Such a proof is read and hashed
// once. It is recognised by comparing all of its bytes.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashFromBytes, sameBytes } from '../../cell/index.ts'
import { provenTreeOf } from './readProof.ts'

interface CheckedProof {
  readonly bytes: Uint8Array
  readonly tree: Cell
}

const MOST_PROOFS = 64
/** Of one proof: headers and links have a few hundred. */
const MOST_BYTES = 2048

/** The newest proof of each block and each state. */
const recent = new LRUCache<string, CheckedProof>({ max: MOST_PROOFS })

/** `provenTree` of the one proof in a bag of cells. Throws ProofError. */
export function provenTreeIn(boc: Uint8Array, rootHash: BinaryHash | Uint8Array, what: string): Cell {
  const hash = typeof rootHash === 'string' ? rootHash : hashFromBytes(rootHash)
  const known = recent.get(hash)
  if (known !== undefined && sameBytes(known.bytes, boc)) return known.tree
  const tree = provenTreeOf(boc, hash, what)
  // A copy: the bytes may be a small part of what came over the network.
  if (boc.length <= MOST_BYTES) recent.set(hash, { bytes: new Uint8Array(boc), tree })
  return tree
}
