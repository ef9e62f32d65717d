// A whole block whose cells are checked and hashed, which is half of reading it. A thread may do that.

import { ALL_HASHES, type BinaryHash, sha256, writeBoc } from '../../cell/index.ts'
import { wholeTreeOf } from './readProof.ts'

export interface HashedBlock {
  /** Hash of its bytes. */
  readonly file: BinaryHash
  /** The same cells in a bag of our own, with their hashes. */
  readonly bag: Uint8Array<ArrayBuffer>
}

/**
 * Null for other bytes than those of the file hash: their cells are not read, and may be many. Throws BocError or ProofError for
 * bytes that are no block.
 */
export const hashBlock = (boc: Uint8Array, file: BinaryHash): HashedBlock | null =>
  sha256(boc) === file ? { file, bag: writeBoc(wholeTreeOf(boc), ALL_HASHES) } : null
