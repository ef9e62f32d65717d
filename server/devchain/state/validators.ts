// Who signs blocks. The devchain has one validator; the short hash of the set stands in headers and states.

import { crc32c } from '../../cell/index.ts'

export interface Validator {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly adnlAddress: Uint8Array
}

const MAGIC = -1877581587
const HEAD = 12
const ENTRY = 72

/**
 * `validator_list_hash_short`. States have it for catchain seqno 0, headers and signature sets for the real one; in shard
 * blocks every validator weighs 1.
 */
export function listHashShort(validators: readonly Validator[], catchainSeqno: number): number {
  const bytes = Buffer.alloc(HEAD + ENTRY * validators.length)
  bytes.writeInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(catchainSeqno, 4)
  bytes.writeUInt32LE(validators.length, 8)
  validators.forEach(({ publicKey, weight, adnlAddress }, i) => {
    const at = HEAD + ENTRY * i
    bytes.set(publicKey, at)
    bytes.writeBigUInt64LE(weight, at + 32)
    bytes.set(adnlAddress, at + 40)
  })
  return crc32c(bytes)
}
