// The key of an account in the store, and back.

import type { ParsedAddress } from '../../shared/address.ts'
import { bytesText } from '../cell/index.ts'
import type { AccountKey } from '../store/index.ts'

const BIAS = 128

/** Its workchain has to fit one byte. */
export function keyOfAccount({ workchain, hash }: Pick<ParsedAddress, 'workchain' | 'hash'>): AccountKey {
  const key = new Uint8Array(33)
  key[0] = workchain + BIAS
  key.set(hash, 1)
  return key
}

/** By the first byte of a key. */
export const workchainOf = (biased: number): number => biased - BIAS

export const addressOfKey = (key: AccountKey): Pick<ParsedAddress, 'workchain' | 'hash'> => ({
  workchain: workchainOf(key[0] ?? 0),
  hash: key.subarray(1),
})

/** A character for each byte: as a key of a Map half as long as hex. */
export const charsOfKey = (account: AccountKey): string => bytesText(account, 'latin1')

/** What v3 writes in front of the hash of an account, by the first byte of its key. */
const PREFIXES: readonly string[] = Array.from({ length: 256 }, (_, biased) => `${biased - BIAS}:`)

export const chainPrefixOf = (biased: number): string => PREFIXES[biased] ?? ''

/** The place of each among all, by the first byte of the key. */
const RANKS: readonly number[] = PREFIXES.map((prefix) => PREFIXES.filter((other) => other < prefix).length)

/** A number that is in order as the text of the workchain is, by the first byte of the key. */
export const rankOfChain = (biased: number): number => RANKS[biased] ?? 0

const PREFIX_CODES = PREFIXES.map((prefix) => Uint8Array.from(Buffer.from(prefix)))

/** Both digits of each byte, in large letters. */
const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0').toUpperCase()).readUInt16BE(),
)

// The longest prefix, and a hash.
const RAW = Buffer.alloc(5 + 64)
const RAW_VIEW = new DataView(RAW.buffer, RAW.byteOffset, RAW.length)

/** `0:83DFD5…`: how v3 writes an account. By way of hex in small letters it took three times as long. */
export function rawOfKey(key: AccountKey): string {
  let at = 0
  for (const code of PREFIX_CODES[key[0] ?? 0] ?? []) RAW[at++] = code
  for (let i = 1; i < key.length; i++, at += 2) RAW_VIEW.setUint16(at, HEX_PAIRS[key[i] ?? 0] ?? 0)
  return RAW.toString('latin1', 0, at)
}

/** Of a text that `rawOfKey` wrote, as `charsOfKey` has it. */
export function charsOfRaw(raw: string): string {
  const colon = raw.indexOf(':')
  const hash = Buffer.from(raw.slice(colon + 1), 'hex')
  return String.fromCharCode(Number(raw.slice(0, colon)) + BIAS) + hash.toString('latin1')
}
