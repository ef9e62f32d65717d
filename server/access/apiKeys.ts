// The secret a caller sends: how it is made, read and kept. Nothing here stores one.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { NETWORKS, type Network } from '../../shared/network.ts'

const SECRET_BYTES = 32
const PATTERN = `tonrpc_(${NETWORKS.join('|')})_[A-Za-z0-9_-]{43}`
const SHAPE = new RegExp(`^${PATTERN}$`)
const IN_TEXT = new RegExp(PATTERN, 'g')

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
  text.includes('tonrpc_') ? text.replace(IN_TEXT, (key) => hintOf(key)) : text
