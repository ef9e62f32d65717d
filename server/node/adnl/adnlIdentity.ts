// Keys of both sides: named and signed with as Ed25519, agreed on as X25519.

import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

const P = 2n ** 255n - 19n

type Curve = 'Ed25519' | 'X25519'

/** In front of a seed in its DER form. */
const DER_SEED = Buffer.from('302e020100300506032b657004220420', 'hex')

const TL_PUBLIC_KEY = Buffer.from('c6b41348', 'hex')

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const fromBase64 = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'))

// As JSON, which OpenSSL reads ten times as fast as DER: every hello of an unknown client brings a key.
const publicKey = (crv: Curve, x: Uint8Array): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv, x: base64(x) }, format: 'jwk' })

const privateKey = (crv: Curve, x: Uint8Array, d: Uint8Array): KeyObject =>
  createPrivateKey({ key: { kty: 'OKP', crv, x: base64(x), d: base64(d) }, format: 'jwk' })

/** By which a key is called in a hello: SHA-256 of its TL form. */
export const keyIdOf = (key: Uint8Array): Uint8Array => hash('sha256', Buffer.concat([TL_PUBLIC_KEY, key]), 'buffer')

function inverse(value: bigint): bigint {
  let a = value
  let b = P
  let x = 1n
  let y = 0n
  while (a > 1n) {
    const quotient = b / a
    ;[a, b, x, y] = [b - quotient * a, a, y - quotient * x, x]
    if (a === 0n) return 0n
  }
  return ((x % P) + P) % P
}

/** The X25519 form of an Ed25519 public key; null for the one point that has none. */
export function toMontgomery(key: Uint8Array): Uint8Array | null {
  const y = (BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`) & (2n ** 255n - 1n)) % P
  if (y === 1n) return null
  const u = ((1n + y) * inverse((1n - y + P) % P)) % P
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse()
}

/** The X25519 form of an Ed25519 seed. */
export function montgomerySecret(seed: Uint8Array): Uint8Array {
  const secret = hash('sha512', seed, 'buffer').subarray(0, 32)
  secret[0] = (secret[0] ?? 0) & 248
  secret[31] = ((secret[31] ?? 0) & 127) | 64
  return secret
}

/** A key of ours. */
export class Identity {
  /** Ed25519, 32 bytes. */
  readonly key: Uint8Array
  readonly keyId: Uint8Array
  readonly #signing: KeyObject
  readonly #agreeing: KeyObject

  private constructor(signing: KeyObject) {
    const { x, d } = signing.export({ format: 'jwk' })
    this.key = fromBase64(x)
    this.keyId = keyIdOf(this.key)
    this.#signing = signing
    this.#agreeing = privateKey('X25519', toMontgomery(this.key) ?? this.key, montgomerySecret(fromBase64(d)))
  }

  static fromSeed(seed: Uint8Array): Identity {
    if (seed.length !== 32) throw new RangeError(`a seed has 32 bytes, not ${seed.length}`)
    return new Identity(createPrivateKey({ key: Buffer.concat([DER_SEED, seed]), format: 'der', type: 'pkcs8' }))
  }

  /** A key for one connection. */
  static throwaway(): Identity {
    return new Identity(generateKeyPairSync('ed25519').privateKey)
  }

  /** Null for a key that yields no secret. */
  shareWith(other: Uint8Array): Uint8Array | null {
    const point = toMontgomery(other)
    if (point === null) return null
    try {
      return diffieHellman({ privateKey: this.#agreeing, publicKey: publicKey('X25519', point) })
    } catch {
      // Points of low order: the secret would be public.
      return null
    }
  }

  sign(bytes: Uint8Array): Uint8Array {
    return sign(null, bytes, this.#signing)
  }
}

/** Whether the owner of an Ed25519 key signed this. */
export function isSignedBy(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, bytes, publicKey('Ed25519', key), signature)
}
