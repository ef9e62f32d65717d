// Domain names as resolvers take them (TEP-81): labels from the last to the first, a zero byte behind each.

import { type BinaryHash, sha256 } from '../../cell/index.ts'
import { utf8Text } from '../content/snake.ts'

/** Bytes of a name. */
const LONGEST_DOMAIN = 126

/** The name of a resolver's own records. */
const SELF = '.'

/** Categories of records that have names everybody knows; the number of one is the SHA-256 of its name. */
export const DNS_CATEGORIES = ['wallet', 'site', 'storage', 'dns_next_resolver'] as const
export type DnsCategory = (typeof DNS_CATEGORIES)[number]

export const dnsCategoryHash = (name: string): BinaryHash => sha256(Buffer.from(name))

/** Whether all bytes are above the space. */
const isPlain = (bytes: Uint8Array): boolean => bytes.every((byte) => byte > 0x20)

/** Null for a name that is too long, or has an empty label or one with spaces or control characters. */
export function encodeDomain(name: string): Buffer | null {
  if (name === SELF) return Buffer.alloc(1)
  const bytes = Buffer.from(name)
  // Half a surrogate pair does not survive.
  if (bytes.length > LONGEST_DOMAIN || bytes.toString() !== name) return null
  const labels = name.split('.').map((label) => Buffer.from(label))
  if (labels.some((label) => label.length === 0 || !isPlain(label))) return null
  return Buffer.concat(labels.reverse().flatMap((label) => [label, Buffer.alloc(1)]))
}

/** The name again, with or without a zero byte at either end; null for bytes that are no name. */
export function decodeDomain(bytes: Uint8Array): string | null {
  const text = utf8Text(bytes)?.replace(/^\0|\0$/g, '')
  if (text === undefined) return null
  if (text === '') return SELF
  const labels = text.split('\0').reverse()
  return labels.some((label) => label === '' || !isPlain(Buffer.from(label))) ? null : labels.join('.')
}
