// Public keys and signatures of validators.

import type { Builder, Slice } from '../cell/index.ts'
import { expectTag, loadHash, loadIn, storeHash, storeIn, unknownTag } from './fields.ts'

const PUBLIC_KEY = 0x8e81278a

/** An Ed25519 key of 32 bytes. */
export function loadPublicKey(slice: Slice): Uint8Array {
  expectTag(slice, PUBLIC_KEY, 32, 'SigPubKey')
  return loadHash(slice)
}

export const storePublicKey = (builder: Builder, key: Uint8Array): Builder =>
  storeHash(builder.storeUint(PUBLIC_KEY, 32), key)

/** A signature by a key that was itself certified for a time. */
export interface Certificate {
  readonly temporaryKey: Uint8Array
  readonly validSince: number
  readonly validUntil: number
  /** 64 bytes. */
  readonly signature: Uint8Array
}

export interface CryptoSignature {
  /** 64 bytes. */
  readonly signature: Uint8Array
  readonly certificate: Certificate | null
}

function loadSimple(slice: Slice): Uint8Array {
  expectTag(slice, 5, 4, 'CryptoSignatureSimple')
  return slice.loadBytes(64)
}

const storeSimple = (builder: Builder, signature: Uint8Array): Builder => builder.storeUint(5, 4).storeBytes(signature)

function loadCertificate(slice: Slice): Certificate {
  expectTag(slice, 4, 4, 'Certificate')
  return {
    temporaryKey: loadPublicKey(slice),
    validSince: slice.loadUint(32),
    validUntil: slice.loadUint(32),
    signature: loadSimple(slice),
  }
}

function storeCertificate(builder: Builder, value: Certificate): Builder {
  storePublicKey(builder.storeUint(4, 4), value.temporaryKey)
  return storeSimple(builder.storeUint(value.validSince, 32).storeUint(value.validUntil, 32), value.signature)
}

export function loadSignature(slice: Slice): CryptoSignature {
  const tag = slice.loadUint(4)
  if (tag === 5) return { signature: slice.loadBytes(64), certificate: null }
  if (tag !== 0xf) unknownTag(tag, 'CryptoSignature')
  const certificate = loadIn(slice, loadCertificate)
  return { signature: loadSimple(slice), certificate }
}

export function storeSignature(builder: Builder, value: CryptoSignature): Builder {
  if (value.certificate === null) return storeSimple(builder, value.signature)
  storeIn(builder.storeUint(0xf, 4), value.certificate, storeCertificate)
  return storeSimple(builder, value.signature)
}

export interface SignaturePair {
  /** Hash of the signer's key. */
  readonly nodeIdShort: Uint8Array
  readonly signature: CryptoSignature
}

export const loadSignaturePair = (slice: Slice): SignaturePair => ({
  nodeIdShort: loadHash(slice),
  signature: loadSignature(slice),
})

export const storeSignaturePair = (builder: Builder, value: SignaturePair): Builder =>
  storeSignature(storeHash(builder, value.nodeIdShort), value.signature)
