// The key blocks are signed with, made from a seed that the owner of the chain keeps.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { sha256 } from '../../cell/index.ts'
import type { Validator } from '../../node/index.ts'
import type { BlockIdExt } from './blockId.ts'

export interface Signer {
  readonly publicKey: Uint8Array
  /** Hash of the key, by which signature sets name their signers. */
  readonly nodeIdShort: Uint8Array
  /** 64 bytes over the name of a masterchain block. */
  sign(block: BlockIdExt): Uint8Array
}

/** Weight of the only validator; with all of the weight any majority is reached. */
const VALIDATOR_WEIGHT = 17n

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const TL_PUBLIC_KEY = Buffer.from('c6b41348', 'hex')
const TL_BLOCK_ID = Buffer.from('706e0bc5', 'hex')

/** What a validator signs of a block. */
export const signedBytes = (block: BlockIdExt): Uint8Array =>
  Buffer.concat([TL_BLOCK_ID, block.rootHash, block.fileHash])

/** Makes the signer of a 32-byte seed. */
export function createSigner(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32))
  return {
    publicKey,
    nodeIdShort: Buffer.from(sha256(Buffer.concat([TL_PUBLIC_KEY, publicKey])), 'latin1'),
    sign: (block) => new Uint8Array(sign(null, signedBytes(block), key)),
  }
}

export const validatorOf = (signer: Signer): Validator => ({
  publicKey: signer.publicKey,
  weight: VALIDATOR_WEIGHT,
  adnlAddress: new Uint8Array(32),
})
