// What validators of the newer (simplex) consensus sign: not the id of a block but a vote for a candidate that contains it.

import { hashToBytes, sameBytes, sha256 } from '../../cell/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { SimplexSignatureSet } from '../liteAnswers.ts'
import { demand } from './proofError.ts'

/** TL constructors, the first four bytes of each structure. */
const DATA_TO_SIGN = Buffer.from('f83de3a8', 'hex')
const FINALIZE_VOTE = Buffer.from('05e1a740', 'hex')
const CANDIDATE_ID = Buffer.from('3fcd91b6', 'hex')
const ORDINARY = Buffer.from('dcbcf9e8', 'hex')
const EMPTY = Buffer.from('33d9b472', 'hex')
const PARENT = Buffer.from('f19a4b1a', 'hex')
const NO_PARENT = Buffer.from('a9cccb22', 'hex')

const TAG = 4
const BLOCK = 4 + 8 + 4 + 32 + 32
const HASH = 32
const SLOT = 4
const ID = SLOT + HASH

const startsWith = (bytes: Uint8Array, at: number, tag: Uint8Array): boolean =>
  sameBytes(bytes.subarray(at, at + TAG), tag)

/** Whether bytes are exactly a candidate: each field in its place and nothing after the last. */
function isCandidate(bytes: Uint8Array): boolean {
  if (startsWith(bytes, 0, EMPTY)) return bytes.length === TAG + BLOCK + ID
  if (!startsWith(bytes, 0, ORDINARY)) return false
  const parent = TAG + BLOCK + HASH
  if (startsWith(bytes, parent, NO_PARENT)) return bytes.length === parent + TAG
  const hasParent = startsWith(bytes, parent, PARENT) && startsWith(bytes, parent + TAG, CANDIDATE_ID)
  return hasParent && bytes.length === parent + TAG + TAG + ID
}

/** The id of a block as candidates encode it. */
function blockBytes({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt): Uint8Array {
  const head = Buffer.alloc(BLOCK - 2 * HASH)
  head.writeInt32LE(workchain, 0)
  head.writeBigUInt64LE(BigInt.asUintN(64, shard), 4)
  head.writeInt32LE(seqno | 0, 12)
  return Buffer.concat([head, rootHash, fileHash])
}

function intBytes(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value | 0)
  return bytes
}

/** Length, bytes, and zeros up to a multiple of four; for less than 254 bytes. */
function counted(bytes: Uint8Array): Uint8Array {
  const padding = (4 - ((bytes.length + 1) % 4)) % 4
  return Buffer.concat([Uint8Array.of(bytes.length), bytes, new Uint8Array(padding)])
}

/** The bytes a validator signs in its final vote for a block. Throws ProofError when the vote is for another one. */
export function finalVoteOf(
  block: BlockIdExt,
  { sessionId, slot, candidate }: Pick<SimplexSignatureSet, 'sessionId' | 'slot' | 'candidate'>,
): Uint8Array {
  demand(sessionId.length === HASH && isCandidate(candidate), 'signature', 'the vote is not for a candidate')
  const voted = candidate.subarray(TAG, TAG + BLOCK)
  demand(sameBytes(voted, blockBytes(block)), 'signature', 'the vote is for another block')
  const vote = Buffer.concat([FINALIZE_VOTE, CANDIDATE_ID, intBytes(slot), hashToBytes(sha256(candidate))])
  return Buffer.concat([DATA_TO_SIGN, sessionId, counted(vote)])
}
