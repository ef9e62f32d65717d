// Signs with the published keys of test accounts, by the browser's own cryptography.

import { toHex } from '../../../../shared/hex.ts'
import { type BagCell, hashOf } from '../../cell/readBag.ts'

const text = (words: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(words))

const ROUNDS = 100_000
const SEED_BITS = 256
/** Around the seed of an Ed25519 key in PKCS #8. */
const PKCS8 = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20)

async function seedOf(mnemonic: string): Promise<Uint8Array> {
  const { subtle } = crypto
  const hmac = { name: 'HMAC', hash: 'SHA-512' }
  const words = await subtle.importKey('raw', text(mnemonic), hmac, false, ['sign'])
  const entropy = await subtle.sign('HMAC', words, new Uint8Array())
  const base = await subtle.importKey('raw', entropy, 'PBKDF2', false, ['deriveBits'])
  const derivation = { name: 'PBKDF2', hash: 'SHA-512', salt: text('TON default seed'), iterations: ROUNDS }
  return new Uint8Array(await subtle.deriveBits(derivation, base, SEED_BITS))
}

/** Hex of the part of a secret key that is in front of the public one. */
export const secretKeyOf = async (mnemonic: string): Promise<string> => toHex(await seedOf(mnemonic))

const makeKey = async (mnemonic: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', Uint8Array.from([...PKCS8, ...(await seedOf(mnemonic))]), 'Ed25519', false, ['sign'])

const keys = new Map<string, Promise<CryptoKey>>()

function keyOf(mnemonic: string): Promise<CryptoKey> {
  const known = keys.get(mnemonic)
  if (known !== undefined) return known
  const made = makeKey(mnemonic)
  keys.set(mnemonic, made)
  made.catch(() => keys.delete(mnemonic))
  return made
}

/** The signature of a cell's hash. Throws an Error for browsers that cannot. */
export async function signatureOf(cell: BagCell, mnemonic: string): Promise<Uint8Array> {
  if (crypto.subtle === undefined)
    throw new Error('This browser signs on secure pages only: send from any address, without a signature.')
  const hash = await hashOf(cell)
  if (hash === null) throw new Error('The message contains a cell whose hash is not known here.')
  let key: CryptoKey
  try {
    key = await keyOf(mnemonic)
  } catch (cause) {
    throw new Error('This browser cannot sign with Ed25519: send from any address, without a signature.', { cause })
  }
  return new Uint8Array(await crypto.subtle.sign('Ed25519', key, Uint8Array.from(hash)))
}
