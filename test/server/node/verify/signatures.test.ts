// Signatures over a block: by whom, how many, over what.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hashToBytes } from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  type BlockSignature,
  ProofError,
  type SignatureSet,
  type SimplexSignatureSet,
  type Validator,
  validatorListHash,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { nodeIdShortOf, signedBytesOf } from '../../../../server/node/verify/signatures.ts'
import { finalVoteOf } from '../../../../server/node/verify/simplexVote.ts'
import { checkSignatures } from '../../../setup/verifyAtOnce.ts'

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
// The first two weigh exactly two thirds.
const signers = [signer(30n), signer(30n), signer(20n), signer(10n)]
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

  test('error: another signer among them', () => {
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
})

/** The CRC32 of a TL declaration, the constructor of its values. */
const tag = (declaration: string): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(crc32(declaration))
  return bytes
}

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

const candidateTag = tag('consensus.candidateId slot:int hash:int256 = consensus.CandidateId')
const noParent = tag('consensus.candidateWithoutParents = consensus.CandidateParent')
const parentTag = tag('consensus.candidateParent id:consensus.CandidateId = consensus.CandidateParent')
const ordinaryTag = tag(
  'consensus.candidateHashDataOrdinary block:tonNode.blockIdExt collated_file_hash:int256 parent:consensus.CandidateParent = consensus.CandidateHashData',
)
const emptyTag = tag(
  'consensus.candidateHashDataEmpty block:tonNode.blockIdExt parent:consensus.candidateId = consensus.CandidateHashData',
)

const named = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt): Buffer =>
  Buffer.concat([int(workchain), Buffer.from('0000000000000080', 'hex'), int(seqno), rootHash, fileHash])

const parent = Buffer.concat([int(3), new Uint8Array(32).fill(8)])
const collated = new Uint8Array(32).fill(6)
const candidates = {
  first: Buffer.concat([ordinaryTag, named(block), collated, noParent]),
  later: Buffer.concat([ordinaryTag, named(block), collated, parentTag, candidateTag, parent]),
  empty: Buffer.concat([emptyTag, named(block), parent]),
}

describe('votes of simplex consensus', () => {
  const sessionId = new Uint8Array(32).fill(9)
  const vote = (candidate: Uint8Array, slot: number): Buffer =>
    Buffer.concat([
      tag('consensus.dataToSign session_id:int256 data:bytes = consensus.DataToSign'),
      sessionId,
      Buffer.of(44),
      tag('consensus.simplex.finalizeVote id:consensus.CandidateId = consensus.simplex.UnsignedVote'),
      candidateTag,
      int(slot),
      createHash('sha256').update(candidate).digest(),
      Buffer.alloc(3),
    ])

  const simplexSet = (candidate: Uint8Array, more: Partial<SimplexSignatureSet> = {}): SignatureSet => ({
    kind: 'simplex',
    validatorSetHash: validatorListHash(validators, CATCHAIN),
    catchainSeqno: CATCHAIN,
    sessionId,
    slot: 5,
    candidate,
    signatures: signers.map(({ validator, key }) => ({
      nodeIdShort: hashToBytes(nodeIdShortOf(validator.publicKey)),
      signature: new Uint8Array(sign(null, vote(candidate, 5), key)),
    })),
    ...more,
  })

  test.each(Object.entries(candidates))('default: for a %s candidate', (_, candidate) => {
    expect(codeOf(simplexSet(candidate))).toBe('believed')
    expect(Buffer.from(finalVoteOf(block, { sessionId, slot: 5, candidate }))).toEqual(vote(candidate, 5))
  })

  test('error: for another block, slot or session', () => {
    const candidate = candidates.later
    expect(codeOf(simplexSet(candidate), { ...block, seqno: 10 })).toBe('signature')
    expect(codeOf(simplexSet(candidate, { slot: 6 }))).toBe('signature')
    expect(codeOf(simplexSet(candidate, { sessionId: collated }))).toBe('signature')
    expect(codeOf(simplexSet(candidate, { sessionId: new Uint8Array() }))).toBe('signature')
  })

  test('error: candidates with anything missing or added', () => {
    for (const candidate of Object.values(candidates)) {
      const spoilt = [candidate.subarray(0, -1), Buffer.concat([candidate, int(0)]), candidate.subarray(4), int(0)]
      for (const one of spoilt) expect(codeOf(simplexSet(one))).toBe('signature')
    }
  })

  test('error: too few, as with the other consensus', () => {
    const { signatures } = simplexSet(candidates.later)
    expect(codeOf(simplexSet(candidates.later, { signatures: signatures.slice(0, 2) }))).toBe('signature')
  })
})
