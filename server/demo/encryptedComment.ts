// A text that only sender and receiver can read, as wallets write it: both derive the same secret from their own key and
// the public key of the counterpart, and the encrypted text is bound to the sender's address.

import { createCipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { toFriendly } from '../../shared/address.ts'
import { everyday } from '../bodies/index.ts'
import { beginCell, type Cell } from '../cell/index.ts'
import type { WellKnownAccount } from '../devchain/index.ts'

const ENCRYPTED = everyday.encryptedComment.opcode
/** Bytes in the first cell, after the operation, and in each further cell. */
const FIRST_CELL = 35
const NEXT_CELL = 127
const P = 2n ** 255n - 19n
// What precedes the 32 bytes of an X25519 key in PKCS #8 and in SPKI.
const PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex')
const PUBLIC = Buffer.from('302a300506032b656e032100', 'hex')

const mod = (value: bigint): bigint => ((value % P) + P) % P

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = mod(square * square))
    if (rest & 1n) result = mod(result * square)
  return result
}

/** The same key on the curve for key exchange: u = (1 + y) / (1 - y). */
function exchangeKey(publicKey: Uint8Array): Uint8Array {
  const y = BigInt(`0x${Buffer.from(publicKey).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const u = mod((1n + y) * power(mod(1n - y), P - 2n))
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse()
}

function sharedSecret(seed: Uint8Array, otherPublicKey: Uint8Array): Uint8Array {
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE, scalar]), format: 'der', type: 'pkcs8' })
  const der = Buffer.concat([PUBLIC, exchangeKey(otherPublicKey)])
  return diffieHellman({ privateKey, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) })
}

/** 16 to 31 bytes before the text, so that both fill blocks of 16; the first byte is their number. */
function padded(text: Buffer): Buffer {
  const length = 16 + ((16 - (text.length % 16)) % 16)
  const filling = createHash('sha256').update(text).digest().subarray(0, length)
  filling[0] = length
  return Buffer.concat([filling, text])
}

const hmac = (key: Uint8Array | string, ...parts: Uint8Array[]): Buffer =>
  createHmac('sha512', key).update(Buffer.concat(parts)).digest()

/** The body of a message from one well-known account to another. The same text gives the same body. */
export function encryptedCommentBody(text: string, from: WellKnownAccount, to: WellKnownAccount): Cell {
  const data = padded(Buffer.from(text, 'utf8'))
  const secret = sharedSecret(from.seed, to.publicKey)
  const key = hmac(toFriendly({ ...from.address, bounceable: true, testOnly: false }), data).subarray(0, 16)
  const stream = hmac(secret, key)
  const cipher = createCipheriv('aes-256-cbc', stream.subarray(0, 32), stream.subarray(32, 48)).setAutoPadding(false)
  const both = Buffer.from(from.publicKey.map((byte, place) => byte ^ (to.publicKey[place] ?? 0)))
  const bytes = Buffer.concat([both, key, cipher.update(data), cipher.final()])
  let rest: Cell | null = null
  const parts: Buffer[] = []
  for (let at = FIRST_CELL; at < bytes.length; at += NEXT_CELL) parts.push(bytes.subarray(at, at + NEXT_CELL))
  for (const part of parts.reverse()) {
    const builder = beginCell().storeBytes(part)
    rest = (rest === null ? builder : builder.storeRef(rest)).end()
  }
  const first = beginCell().storeUint(ENCRYPTED, 32).storeBytes(bytes.subarray(0, FIRST_CELL))
  return (rest === null ? first : first.storeRef(rest)).end()
}
