// The two ways to write an account's name: raw `<workchain>:<64 hex>` and friendly, 48 characters of base64 holding a
// tag, the workchain as one byte, the 32-byte hash and a CRC16.

import { fromBase64, toBase64, toBase64Url } from './base64.ts'
import { fromHex, toHex } from './hex.ts'

export interface ParsedAddress {
  readonly workchain: number
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** How it was written. */
  readonly form: 'raw' | 'friendly'
  /** True for raw input, which has no flag. */
  readonly bounceable: boolean
  readonly testOnly: boolean
}

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80
const INT32 = 2 ** 31

const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

/** CRC16 in its XMODEM variant: polynomial 0x1021, nothing reflected, start value zero. */
export function crc16(bytes: Uint8Array, length = bytes.length): number {
  let crc = 0
  for (let at = 0; at < length; at++) crc = ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0)
  return crc
}

function parseRaw(text: string): ParsedAddress | null {
  const parts = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/.exec(text)
  if (!parts) return null
  const workchain = Number(parts[1])
  const hash = fromHex(parts[2] ?? '')
  if (!hash || workchain < -INT32 || workchain >= INT32) return null
  return { workchain, hash, form: 'raw', bounceable: true, testOnly: false }
}

function parseFriendly(text: string): ParsedAddress | null {
  const bytes = fromBase64(text)
  if (bytes?.length !== 36) return null
  const [tag = 0, wc = 0] = bytes
  const kind = tag & ~TEST_ONLY
  if (kind !== BOUNCEABLE && kind !== NON_BOUNCEABLE) return null
  if (crc16(bytes.subarray(0, 34)) !== (((bytes[34] ?? 0) << 8) | (bytes[35] ?? 0))) return null
  return {
    workchain: wc > 127 ? wc - 256 : wc,
    hash: bytes.slice(2, 34),
    form: 'friendly',
    bounceable: kind === BOUNCEABLE,
    testOnly: (tag & TEST_ONLY) !== 0,
  }
}

/** Reads any accepted form; null for other text. A space in a friendly form is an unescaped `+` of a query string. */
export function parseAddress(text: string): ParsedAddress | null {
  return text.length === 48 ? parseFriendly(text.replaceAll(' ', '+')) : parseRaw(text)
}

/** `0:83dfd5…`, lowercase. */
export const toRaw = (address: Pick<ParsedAddress, 'workchain' | 'hash'>): string =>
  `${address.workchain}:${toHex(address.hash)}`

/** `0:83DFD5…`, uppercase: the spelling of v3 and of `unpackAddress`. */
export const toRawUpper = (address: Pick<ParsedAddress, 'workchain' | 'hash'>): string => toRaw(address).toUpperCase()

/** Whether the workchain fits the one byte a friendly form has for it. */
export const fitsFriendly = (address: Pick<ParsedAddress, 'workchain'>): boolean =>
  address.workchain >= -128 && address.workchain <= 127

type Friendly = Pick<ParsedAddress, 'workchain' | 'hash' | 'bounceable' | 'testOnly'>

/** What a friendly form spells, in 36 new bytes or in those given. Throws RangeError when `fitsFriendly` is false. */
export function friendlyBytes(address: Friendly, bytes = new Uint8Array(36)): Uint8Array {
  if (!fitsFriendly(address)) throw new RangeError(`workchain ${address.workchain} has no friendly form`)
  bytes[0] = (address.bounceable ? BOUNCEABLE : NON_BOUNCEABLE) | (address.testOnly ? TEST_ONLY : 0)
  bytes[1] = address.workchain & 0xff
  bytes.set(address.hash, 2)
  const crc = crc16(bytes, 34)
  bytes[34] = crc >> 8
  bytes[35] = crc & 0xff
  return bytes
}

/** 48 characters of base64url with the flags the address carries. Throws RangeError when `fitsFriendly` is false. */
export const toFriendly = (address: Friendly): string => toBase64Url(friendlyBytes(address))

/** The same in the standard alphabet. */
export const toFriendlyStandard = (address: Friendly): string => toBase64(friendlyBytes(address))
