// A message that waits for a block, as it is written to a Redis, and read from there like any foreign input.

import { hash } from 'node:crypto'
import type { StreamEntry } from './streamEntries.ts'

export interface SharedMessage {
  readonly boc: Uint8Array
  /** As the sender computed it: has to be compared. */
  readonly hashNorm: Uint8Array
  /** Names the caller without saying who that is. */
  readonly caller: string
  /** Since it was sent. */
  readonly ageMs: number
}

export interface WaitingMessage {
  readonly boc: Uint8Array
  readonly hashNorm: Uint8Array
  readonly caller: string
  /** When it was sent, in milliseconds. */
  readonly since: number
}

/** The network takes no longer ones. */
export const MOST_BYTES = 65_535

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const CALLER = /^[0-9a-f]{16}$/
const HASH_BYTES = 32

/** The name of a caller for other processes: its key or address stays here. */
export const callerName = (subject: string): string => hash('sha256', subject).slice(0, 16)

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

export const messageFields = ({ boc, hashNorm, caller, since }: WaitingMessage, now: number): readonly string[] => [
  'hash',
  base64(hashNorm),
  'caller',
  caller,
  'age',
  String(Math.max(0, Math.round(now - since))),
  'boc',
  base64(boc),
]

/** Null for an entry that is not a message, or is older than `lifetimeMs` at `now` by the clock of the Redis. */
export function readSharedMessage(
  { at, fields }: StreamEntry,
  { now, lifetimeMs }: { readonly now: number; readonly lifetimeMs: number },
): SharedMessage | null {
  const [hashText = '', caller = '', age = '', text = ''] = ['hash', 'caller', 'age', 'boc'].map((name) =>
    fields.get(name),
  )
  if (text.length > Math.ceil(MOST_BYTES / 3) * 4 || hashText.length > 2 * HASH_BYTES) return null
  if (!BASE64.test(text) || !BASE64.test(hashText) || !CALLER.test(caller) || !/^\d{1,9}$/.test(age)) return null
  const hashNorm = Buffer.from(hashText, 'base64')
  const ageMs = Number(age) + Math.max(0, now - at)
  if (hashNorm.length !== HASH_BYTES || ageMs > lifetimeMs) return null
  return { boc: Buffer.from(text, 'base64'), hashNorm, caller, ageMs }
}
