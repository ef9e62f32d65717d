// The keys of the chain's own validators, all derived from one seed that the owner of the chain keeps, and their signatures
// of masterchain blocks.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type BinaryHash, hashFromBytes } from '../../cell/index.ts'
import type { Validator } from '../../node/index.ts'
import { MAX_VALIDATORS } from '../validatorCount.ts'
import type { BlockIdExt } from './blockRef.ts'

export interface ValidatorSignature {
  /** Hash of the signer's key, by which signature sets name their signers. */
  readonly nodeIdShort: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

export interface ValidatorKey {
  /** 32 bytes. */
  readonly seed: Uint8Array
  readonly publicKey: Uint8Array
  readonly nodeIdShort: Uint8Array
  readonly adnlAddress: Uint8Array
}

interface Signer extends ValidatorKey {
  readonly key: KeyObject
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const TL_PUBLIC_KEY = Buffer.from('c6b41348', 'hex')
const TL_BLOCK_ID = Buffer.from('706e0bc5', 'hex')

const sha256 = (...parts: readonly (Uint8Array | string)[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** What a validator signs of a block. */
export const signedBytes = (block: BlockIdExt): Uint8Array =>
  Buffer.concat([TL_BLOCK_ID, block.rootHash, block.fileHash])

/** The first validator has the seed of the chain itself, as when there was only one. */
const seedOf = (seed: Uint8Array, index: number): Uint8Array =>
  index === 0 ? seed : sha256(seed, `validator ${index}`)

function signerOf(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32))
  const nodeIdShort = sha256(TL_PUBLIC_KEY, publicKey)
  return { seed, key, publicKey, nodeIdShort, adnlAddress: sha256('adnl', seed) }
}

export class ValidatorKeys {
  readonly #seed: Uint8Array
  readonly #signers: Signer[] = []
  readonly #byKey = new Map<BinaryHash, Signer>()

  constructor(seed: Uint8Array) {
    this.#seed = seed
  }

  /** Throws RangeError for a number of validators out of range. */
  first(count: number): readonly ValidatorKey[] {
    if (!Number.isInteger(count) || count < 1 || count > MAX_VALIDATORS)
      throw new RangeError(`A chain has 1 to ${MAX_VALIDATORS} validators, not ${count}`)
    while (this.#signers.length < count) this.#derive()
    return this.#signers.slice(0, count)
  }

  /** Those of a set whose keys are here, in the order of the set. */
  among(validators: readonly Validator[]): readonly ValidatorKey[] {
    return this.#among(validators)
  }

  /** Signatures of a masterchain block by all validators of a set whose keys are here. */
  sign(block: BlockIdExt, validators: readonly Validator[]): readonly ValidatorSignature[] {
    const bytes = signedBytes(block)
    return this.#among(validators).map(({ nodeIdShort, key }) => ({
      nodeIdShort,
      signature: new Uint8Array(sign(null, bytes, key)),
    }))
  }

  /** Whether the validators of a set whose keys are here have more than two thirds of its weight. */
  suffice(validators: readonly Validator[]): boolean {
    const weightOf = (list: readonly Validator[]) => list.reduce((sum, { weight }) => sum + weight, 0n)
    const here = validators.filter(({ publicKey }) => this.#find(publicKey) !== undefined)
    return 3n * weightOf(here) > 2n * weightOf(validators)
  }

  #among(validators: readonly Validator[]): readonly Signer[] {
    return validators.flatMap(({ publicKey }) => this.#find(publicKey) ?? [])
  }

  /** Keys are derived when they are looked for: a key that is not here costs all of them, once. */
  #find(publicKey: Uint8Array): Signer | undefined {
    const name = hashFromBytes(publicKey)
    while (!this.#byKey.has(name) && this.#signers.length < MAX_VALIDATORS) this.#derive()
    return this.#byKey.get(name)
  }

  #derive(): void {
    const signer = signerOf(seedOf(this.#seed, this.#signers.length))
    this.#signers.push(signer)
    this.#byKey.set(hashFromBytes(signer.publicKey), signer)
  }
}
