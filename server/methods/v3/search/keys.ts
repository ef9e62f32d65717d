// Beginnings of addresses and hashes as ranges of keys.

import type { KeyRange } from '../../../store/index.ts'

const KEY_BYTES = 33
const HASH_BYTES = 32
/** A shorter beginning fits too much to be meant. */
const LEAST_DIGITS = 6
const LEAST_FRIENDLY = 8
/** Tag and workchain. */
const HEAD_BITS = 16
const TAGS = [0x11, 0x51, 0x91, 0xd1]

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsOfHex = (hex: string): string =>
  [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')

const bytesOf = (bits: string, length: number, filling: '0' | '1'): Uint8Array => {
  const full = bits.padEnd(8 * length, filling)
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(full.slice(8 * i, 8 * i + 8), 2))
}

const rangeOf = (bits: string, length: number): KeyRange => ({
  from: bytesOf(bits, length, '0'),
  to: bytesOf(bits, length, '1'),
})

const workchainBits = (workchain: number): string => (workchain + 128).toString(2).padStart(8, '0')

/** The digits of a text that can be the beginning of a hash. */
const digitsIn = (text: string): string | null =>
  new RegExp(`^(?:0x)?([0-9a-f]{${LEAST_DIGITS},64})$`, 'i').exec(text)?.[1] ?? null

export function hashRange(text: string): KeyRange | null {
  const digits = digitsIn(text)
  return digits === null ? null : rangeOf(bitsOfHex(digits), HASH_BYTES)
}

/** Workchain and the first bits of a friendly form, whatever its checksum. */
function friendlyBits(text: string): string | null {
  if (!/^[EUk0][\w+/-]+$/.test(text) || text.length < LEAST_FRIENDLY || text.length > 48) return null
  const letters = text.replaceAll('+', '-').replaceAll('/', '_')
  const bits = [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(6, '0')).join('')
  const tag = Number.parseInt(bits.slice(0, 8), 2)
  const workchain = Number.parseInt(bits.slice(8, 16), 2)
  if (!TAGS.includes(tag) || (workchain !== 0 && workchain !== 0xff)) return null
  return workchainBits(workchain === 0 ? 0 : -1) + bits.slice(HEAD_BITS, HEAD_BITS + 8 * HASH_BYTES)
}

/** The accounts whose address can begin so: of a bare hash those of both workchains. */
export function accountRanges(text: string): readonly KeyRange[] {
  const raw = /^(-1|0):([0-9a-f]{4,64})$/i.exec(text)
  if (raw !== null) return [rangeOf(workchainBits(Number(raw[1])) + bitsOfHex(raw[2] ?? ''), KEY_BYTES)]
  const digits = digitsIn(text)
  const friendly = friendlyBits(text)
  return [
    ...(friendly === null ? [] : [rangeOf(friendly, KEY_BYTES)]),
    ...(digits === null ? [] : [0, -1].map((wc) => rangeOf(workchainBits(wc) + bitsOfHex(digits), KEY_BYTES))),
  ]
}

/** Hex digits two keys begin with alike. */
export function sharedDigits(a: Uint8Array, b: Uint8Array): number {
  const one = Buffer.from(a).toString('hex')
  const other = Buffer.from(b).toString('hex')
  const at = [...one].findIndex((digit, i) => digit !== other[i])
  return at < 0 ? one.length : at
}

/** Chance alone makes neighbours among a thousand million keys share eight. */
export const LEAST_SHARED_PREFIX = 12
