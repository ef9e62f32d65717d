// Signatures over a block: by whom, how many, over what.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashToBytes } from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  type BlockSignature,
  checkSignatures,
  nodeIdShortOf,
  ProofError,
  type SignatureSet,
  signedBytesOf,
  type Validator,
  validatorListHash,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'

interface Signer {
  readonly validator: Validator
  readonly key: KeyObject
}

const signer = (weight: bigint): Signer => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  return { validator: { publicKey: raw, weight, adnlAddress: new Uint8Array(32) }, key: privateKey }
}

const block: BlockIdExt = {
  workchain: -1,
  shard: WHOLE_SHARD,
  seqno: 9,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}
const CATCHAIN = 4
const signers = [signer(30n), signer(30n), signer(30n), signer(1n)]
const validators = signers.map(({ validator }) => validator)

const signed = ({ validator, key }: Signer, what = block): BlockSignature => ({
  nodeIdShort: hashToBytes(nodeIdShortOf(validator.publicKey)),
  signature: new Uint8Array(sign(null, signedBytesOf(what), key)),
})

const setOf = (signatures: readonly BlockSignature[], more: Partial<SignatureSet> = {}): SignatureSet =>
  ({
    kind: 'ordinary',
    validatorSetHash: validatorListHash(validators, CATCHAIN),
    catchainSeqno: CATCHAIN,
    signatures,
    ...more,
  }) as SignatureSet

const codeOf = (set: SignatureSet, of = block): string => {
  try {
    checkSignatures(of, validators, set)
    return 'believed'
  } catch (error) {
    return error instanceof ProofError ? error.code : String(error)
  }
}

const [first = signer(1n), second = signer(1n), third = signer(1n), light = signer(1n)] = signers

describe('signatures', () => {
  test('default: all of them, in any order', () => {
    expect(codeOf(setOf(signers.map((one) => signed(one))))).toBe('believed')
    expect(codeOf(setOf([...signers].reverse().map((one) => signed(one))))).toBe('believed')
  })

  test('behavior: more than two thirds by weight are enough, two thirds are not', () => {
    expect(codeOf(setOf([signed(first), signed(second), signed(light)]))).toBe('believed')
    expect(codeOf(setOf([signed(first), signed(second)]))).toBe('signature')
    expect(codeOf(setOf([]))).toBe('signature')
  })

  test('error: the same validator twice', () => {
    expect(codeOf(setOf([signed(first), signed(first), signed(second)]))).toBe('signature')
  })

  test('error: somebody else among them', () => {
    expect(codeOf(setOf([signed(first), signed(second), signed(signer(30n))]))).toBe('signature')
    const impostor = { ...signed(signer(30n)), nodeIdShort: signed(third).nodeIdShort }
    expect(codeOf(setOf([signed(first), signed(second), impostor]))).toBe('signature')
  })

  test('error: more signatures than validators', () => {
    expect(codeOf(setOf([...signers, ...signers].map((one) => signed(one))))).toBe('signature')
  })

  test('error: signatures of another block', () => {
    const old = { ...block, rootHash: new Uint8Array(32).fill(5) }
    expect(codeOf(setOf(signers.map((one) => signed(one, old))))).toBe('signature')
    expect(codeOf(setOf(signers.map((one) => signed(one))), { ...block, fileHash: old.rootHash })).toBe('signature')
  })

  test('error: signatures that are none', () => {
    for (const length of [0, 63, 65, 1000])
      expect(
        codeOf(setOf([{ ...signed(first), signature: new Uint8Array(length) }, signed(second), signed(third)])),
      ).toBe('signature')
  })

  test('error: another set of validators, or another catchain', () => {
    const all = signers.map((one) => signed(one))
    expect(codeOf(setOf(all, { validatorSetHash: 1 }))).toBe('validators')
    expect(codeOf(setOf(all, { catchainSeqno: CATCHAIN + 1 }))).toBe('validators')
  })

  test('error: signatures of simplex consensus say that they cannot be checked', () => {
    const simplex: SignatureSet = {
      kind: 'simplex',
      validatorSetHash: 1,
      catchainSeqno: 1,
      signatures: [],
      sessionId: new Uint8Array(32),
      slot: 1,
      candidate: new Uint8Array(),
    }
    expect(codeOf(simplex)).toBe('unsupported')
  })
})
