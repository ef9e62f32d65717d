// The secret a caller sends: how it is made, read and kept. Nothing here stores one.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { NETWORKS, type Network } from '../../shared/network.ts'

const SECRET_BYTES = 32
const SHAPE = new RegExp(`^tonrpc_(${NETWORKS.join('|')})_[A-Za-z0-9_-]{43}$`)
const NETWORK = NETWORKS.map((name) => escapable(name)).join('|')
const SECRET = '(?:[A-Za-z0-9_-]|%(?:25)*(?:2[Dd]|3[0-9]|[46][1-9A-Fa-f]|5[0-9AaFf]|7[0-9Aa])){43}'
/** In a path, where any character may be escaped, also more than once. */
const IN_TEXT = new RegExp(`${escapable('tonrpc_')}(?:${NETWORK})${escapable('_')}${SECRET}`, 'g')

/** A new secret for one network, 256 random bits of it. */
export function makeKey(network: Network): string {
  return `tonrpc_${network}_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** The network a well-formed key names, null when the text is not shaped like a key; says nothing of who issued it. */
export function networkOfKey(key: string): Network | null {
  const named = SHAPE.exec(key)?.[1]
  return NETWORKS.find((network) => network === named) ?? null
}

/** SHA-256 in hex, the only form a key is stored in: 256 random bits need no slow hash. */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left, 'latin1')
  const b = Buffer.from(right, 'latin1')
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What a person recognises a key by: its prefix and last four characters. */
export function hintOf(key: string): string {
  return `${key.slice(0, key.length - 43)}...${key.slice(-4)}`
}

/** A text for logs: each key in it is replaced by its hint. Callers put keys into all kinds of places. */
export const withoutKeys = (text: string): string =>
  text.includes('tonrpc_') || text.includes('%') ? text.replace(IN_TEXT, (key) => hintOf(unescaped(key))) : text

/** A pattern of a text, and of each way in which it may be escaped in a path. */
function escapable(text: string): string {
  const hex = (char: string): string => char.charCodeAt(0).toString(16)
  const either = (char: string): string => `(?:${char}|%(?:25)*(?:${hex(char)}|${hex(char).toUpperCase()}))`
  return Array.from(text, either).join('')
}

const unescaped = (key: string): string =>
  key.replace(/%(?:25)*([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
