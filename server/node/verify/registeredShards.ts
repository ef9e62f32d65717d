// The shards a masterchain state registers, by a proof. Answers about the accounts of one block all bring the same proof, which
// is then as large as that of the account: it is read and hashed once.

import { sameBytes } from '../../cell/index.ts'
import type { ShardHashes } from '../../tlb/index.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import { masterchainOfState, provenStatePair } from './state.ts'

interface Proven {
  readonly id: BlockIdExt
  readonly proof: Uint8Array
  readonly hashes: ShardHashes
}

/** A network with many shards has a proof for each of them. */
const MOST = 16
/** Newest first. */
const recent: Proven[] = []

/** Throws ProofError. What was proven is known by all bytes of its proof. */
export function registeredShards(id: BlockIdExt, proof: Uint8Array): ShardHashes {
  const known = recent.find((one) => isSameBlock(one.id, id) && sameBytes(one.proof, proof))
  if (known !== undefined) return known.hashes
  const hashes = masterchainOfState(id, provenStatePair(id, proof)).extra.shardHashes
  // A copy: the bytes may be a small part of what came over the network.
  recent.unshift({ id, proof: new Uint8Array(proof), hashes })
  recent.length = Math.min(recent.length, MOST)
  return hashes
}
