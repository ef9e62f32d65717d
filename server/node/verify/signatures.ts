// Signatures of a masterchain block: valid, of the right validators, with more than two thirds of the weight.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type BinaryHash, hashFromBytes, sha256 } from '../../cell/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { SignatureSet } from '../liteAnswers.ts'
import { demand } from './proofError.ts'
import { finalVoteOf } from './simplexVote.ts'
import { type Validator, validatorListHash } from './validatorSet.ts'

const TL_BLOCK_ID = Buffer.from('706e0bc5', 'hex')
const TL_PUBLIC_KEY = Buffer.from('c6b41348', 'hex')
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** The 68 bytes a validator signs of a block. */
export const signedBytesOf = ({ rootHash, fileHash }: Pick<BlockIdExt, 'rootHash' | 'fileHash'>): Uint8Array =>
  Buffer.concat([TL_BLOCK_ID, rootHash, fileHash])

/** Hash of a key, by which signature sets name their signers. */
export const nodeIdShortOf = (publicKey: Uint8Array): BinaryHash => sha256(Buffer.concat([TL_PUBLIC_KEY, publicKey]))

/** Of some sets of validators: to parse a key takes as long as to check a signature, and each signs every block. */
const parsedKeys = new LRUCache<string, KeyObject>({ max: 2_000 })

function keyObject(publicKey: Uint8Array): KeyObject {
  const name = hashFromBytes(publicKey)
  const parsed = parsedKeys.get(name)
  if (parsed !== undefined) return parsed
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' })
  parsedKeys.set(name, key)
  return key
}

/** Good ones, by all that was checked: proofs of blocks begin at the same ones, and several servers send the same. */
const goodSignatures = new LRUCache<string, true>({ max: 4_000 })

function isGoodSignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const name = Buffer.concat([publicKey, signature, message]).toString('latin1')
  if (goodSignatures.get(name) === true) return true
  const isGood = verify(null, message, keyObject(publicKey), signature)
  if (isGood) goodSignatures.set(name, true)
  return isGood
}

/** Takes a millisecond. */
const FEW_SIGNATURES = 16

/**
 * Checks that the validators of a block signed it: each signature is valid and of a different validator of the set, and
 * together they have more than two thirds of the weight. A few signatures at a time: other work can run between them.
 */
export function* checkingSignatures(
  block: BlockIdExt,
  validators: readonly Validator[],
  set: SignatureSet,
): Generator<void, void> {
  const hash = validatorListHash(validators, set.catchainSeqno)
  demand(set.validatorSetHash === hash, 'validators', 'the signatures are those of another set of validators')
  demand(set.signatures.length <= validators.length, 'signature', 'more signatures than validators')
  const waiting = new Map(validators.map((one) => [nodeIdShortOf(one.publicKey), one]))
  const total = validators.reduce((sum, { weight }) => sum + weight, 0n)
  const message = set.kind === 'ordinary' ? signedBytesOf(block) : finalVoteOf(block, set)
  let signed = 0n
  for (const [i, { nodeIdShort, signature }] of set.signatures.entries()) {
    if (i > 0 && i % FEW_SIGNATURES === 0) yield
    const id = hashFromBytes(nodeIdShort)
    const signer = waiting.get(id)
    demand(signer !== undefined, 'signature', 'a signature by a key that is no validator, or has signed already')
    waiting.delete(id)
    demand(isGoodSignature(signer.publicKey, message, signature), 'signature', 'a signature is wrong')
    signed += signer.weight
  }
  demand(signed * 3n > total * 2n, 'signature', `signed by ${signed} of a weight of ${total}`)
}
