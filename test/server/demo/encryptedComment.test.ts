// An encrypted text, read by its receiver as the format says, with nothing of ours.

import { createDecipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { Address, type Cell } from '@ton/core'
import { expect, test } from 'vitest'
import { encryptedCommentBody } from '../../../server/demo/encryptedComment.ts'
import { createCast } from '../../../server/demo/index.ts'
import { toCore } from '../../setup/tonCore.ts'

const P = 2n ** 255n - 19n
const inverse = (value: bigint): bigint => {
  let result = 1n
  let square = ((value % P) + P) % P
  let rest = P - 2n
  for (; rest > 0n; rest >>= 1n, square = (square * square) % P) if (rest & 1n) result = (result * square) % P
  return result
}

const cast = createCast(-3)
const sender = cast.wallet(8)
const receiver = cast.wallet(9)

/** All bytes of a chain of cells. */
function bytesOf(cell: Cell): Buffer {
  const parts: Buffer[] = []
  for (let slice = cell.beginParse(); ; slice = slice.loadRef().beginParse()) {
    parts.push(slice.loadBuffer(slice.remainingBits / 8))
    if (slice.remainingRefs === 0) return Buffer.concat(parts)
  }
}

/** What is in front of the secret in PKCS 8. */
const X25519_SECRET = Buffer.from('302e020100300506032b656e04220420', 'hex')

function decrypt(body: Cell): string {
  const bytes = bytesOf(body)
  expect(bytes.readUInt32BE()).toBe(0x2167da4b)
  const mixed = bytes.subarray(4, 36)
  const senderKey = Buffer.from(mixed.map((byte, place) => byte ^ (receiver.publicKey[place] ?? 0)))
  expect(senderKey).toEqual(Buffer.from(sender.publicKey))
  const y = BigInt(`0x${Buffer.from(senderKey).reverse().toString('hex')}`) & ((1n << 255n) - 1n)
  const u = ((1n + y) * inverse(1n - y)) % P
  const x = Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse().toString('base64url')
  const d = createHash('sha512').update(receiver.seed).digest().subarray(0, 32)
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
  const privateKey = createPrivateKey({ key: Buffer.concat([X25519_SECRET, d]), format: 'der', type: 'pkcs8' })
  const secret = diffieHellman({ privateKey, publicKey })
  const key = bytes.subarray(36, 52)
  const stream = createHmac('sha512', secret).update(key).digest()
  const decipher = createDecipheriv('aes-256-cbc', stream.subarray(0, 32), stream.subarray(32, 48)).setAutoPadding(
    false,
  )
  const data = Buffer.concat([decipher.update(bytes.subarray(52)), decipher.final()])
  const address = new Address(0, Buffer.from(sender.address.hash)).toString()
  expect(createHmac('sha512', address).update(data).digest().subarray(0, 16)).toEqual(key)
  return data.subarray(data[0]).toString('utf8')
}

test.each(['', 'x', 'sixteen letters.', 'Meet me at the pier at noon', 'длинный текст '.repeat(30)])(
  'default: %j',
  (text) => {
    const body = encryptedCommentBody(text, sender, receiver)
    expect(decrypt(toCore(body))).toBe(text)
    expect(encryptedCommentBody(text, sender, receiver).hash()).toBe(body.hash())
  },
)
