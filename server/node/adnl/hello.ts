// The first 256 bytes from a client to a server, by which both get the keys of their streams.

import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { type Identity, keyIdOf } from './adnlIdentity.ts'

export const HELLO_BYTES = 256
/** The part of a hello that both sides make their streams from. */
export const SECRET_BYTES = 160

/** Key and first counter of one direction. */
export interface StreamKey {
  readonly key: Uint8Array
  readonly iv: Uint8Array
}

export interface StreamKeys {
  readonly toClient: StreamKey
  readonly toServer: StreamKey
}

const ALGORITHM = 'aes-256-ctr'

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** What the secret part is encrypted with. */
function keyOfHello(shared: Uint8Array, digest: Uint8Array): StreamKey {
  return {
    key: Buffer.concat([shared.subarray(0, 16), digest.subarray(16, 32)]),
    iv: Buffer.concat([digest.subarray(0, 4), shared.subarray(20, 32)]),
  }
}

export function streamKeys(secret: Uint8Array): StreamKeys {
  return {
    toClient: { key: secret.subarray(0, 32), iv: secret.subarray(64, 80) },
    toServer: { key: secret.subarray(32, 64), iv: secret.subarray(80, 96) },
  }
}

/** Null when the server's key is no key. `secret`: 160 random bytes. */
export function makeHello(server: Uint8Array, client: Identity, secret: Uint8Array): Uint8Array | null {
  const shared = client.shareWith(server)
  if (shared === null) return null
  const digest = sha256(secret)
  const { key, iv } = keyOfHello(shared, digest)
  const sealed = createCipheriv(ALGORITHM, key, iv).update(secret)
  return Buffer.concat([keyIdOf(server), client.key, digest, sealed])
}

/** Null when the hello is not for this server, or was not made by the rules. */
export function openHello(hello: Uint8Array, server: Identity): StreamKeys | null {
  if (Buffer.compare(hello.subarray(0, 32), server.keyId) !== 0) return null
  const shared = server.shareWith(hello.subarray(32, 64))
  if (shared === null) return null
  const digest = hello.subarray(64, 96)
  const { key, iv } = keyOfHello(shared, digest)
  const secret = createDecipheriv(ALGORITHM, key, iv).update(hello.subarray(96, HELLO_BYTES))
  return Buffer.compare(sha256(secret), digest) === 0 ? streamKeys(secret) : null
}
