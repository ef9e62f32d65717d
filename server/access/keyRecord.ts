// The life of a key as pure functions over its records, so that a file and a database agree on what issuing, rotating
// and revoking mean. One record per secret; the secrets of one id share its label, plan and budget.

import { randomBytes } from 'node:crypto'
import type { Network } from '../../shared/network.ts'
import type { Plan } from './access.ts'
import { hashKey, hintOf, makeKey } from './apiKeys.ts'
import { KeyStoreError } from './keyStoreError.ts'
import { BUILT_IN, checkOrderedPlan } from './plans.ts'

/** One secret. Times are milliseconds since 1970. */
export interface KeyRecord {
  /** Names the key in lists, logs and budgets; not a secret. */
  readonly id: string
  /** SHA-256 of the secret in hex. */
  readonly hash: string
  readonly hint: string
  readonly network: Network
  /** Name of the plan. */
  readonly plan: string
  /** Of a custom plan, null for the others. */
  readonly perSecond: number | null
  /** Calls of a calendar month by their weights, in UTC; null without a quota. */
  readonly monthly: number | null
  readonly label: string
  /** Whether it may subscribe to all accounts at once. */
  readonly allAccounts: boolean
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** What an operator decides about a key. */
export type KeyOrder = Pick<KeyRecord, 'network' | 'plan' | 'perSecond' | 'label' | 'expiresAt'> &
  Partial<Pick<KeyRecord, 'monthly' | 'allAccounts'>>

/** A new secret as text: only its hash is kept. */
export interface IssuedKey {
  readonly key: string
  readonly record: KeyRecord
}

const MAX_LABEL_LENGTH = 100

const ID_LENGTH = 10
/** Thirty-two signs without i, l, o and u: hard to misread, and no words. */
const ID_SIGNS = '0123456789abcdefghjkmnpqrstvwxyz'
/** Line breaks, terminal escapes and direction marks would let a label forge what a list shows; no database keeps half a pair. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Whether a secret works at a moment, and why not. */
export function keyState(
  record: Pick<KeyRecord, 'expiresAt' | 'revokedAt'>,
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (record.revokedAt !== null) return 'revoked'
  return record.expiresAt !== null && record.expiresAt <= now ? 'expired' : 'active'
}

/** A new key with an id that no record in `records` has. Throws KeyStoreError `refused` for an order that makes no sense. */
export function issueKey(
  records: readonly KeyRecord[],
  order: KeyOrder,
  now: number,
  plans: readonly Plan[] = BUILT_IN,
): IssuedKey {
  checkOrderedPlan(plans, order.plan, order.perSecond)
  refuseBadOrder(order, now)
  const taken = new Set(records.map((record) => record.id))
  let id = newId()
  while (taken.has(id)) id = newId()
  return issueSecret(id, order, now)
}

/**
 * A new secret for an id; its older secrets end after `overlap` milliseconds, or when they would have anyway. The end
 * of the key itself stays where it was. Throws KeyStoreError when there is no such key or it no longer works.
 */
export function rotateKey(
  records: readonly KeyRecord[],
  id: string,
  overlap: number,
  now: number,
): { issued: IssuedKey; records: readonly KeyRecord[] } {
  if (!(overlap >= 0 && overlap < Number.POSITIVE_INFINITY))
    throw new KeyStoreError('refused', 'The overlap of two secrets must be zero or more milliseconds')
  const working = secretsOf(records, id).filter((record) => keyState(record, now) === 'active')
  const newest = working.at(-1)
  if (newest === undefined) throw endedKeyError(records, id)
  const issued = issueSecret(id, newest, now)
  const kept = records.filter((record) => record.id !== id || keyState(record, now) !== 'expired')
  const end = now + Math.round(overlap)
  const ended = kept.map((record) =>
    record.id === id ? { ...record, expiresAt: Math.min(record.expiresAt ?? end, end) } : record,
  )
  return { issued, records: [...ended, issued.record] }
}

/** Revokes all secrets of an id for good. Throws KeyStoreError `notFound` for an unknown id. */
export function revokeKey(records: readonly KeyRecord[], id: string, now: number): readonly KeyRecord[] {
  secretsOf(records, id)
  return records.map((record) =>
    record.id === id && record.revokedAt === null ? { ...record, revokedAt: now } : record,
  )
}

/** What an operator may change of a key. */
export type KeyRights = Pick<KeyRecord, 'allAccounts'>

/** Changes all secrets of an id. Throws KeyStoreError when there is no such key or it no longer works. */
export function changeKey(
  records: readonly KeyRecord[],
  id: string,
  changes: KeyRights,
  now: number,
): readonly KeyRecord[] {
  if (secretsOf(records, id).every((record) => keyState(record, now) !== 'active')) throw endedKeyError(records, id)
  return records.map((record) => (record.id === id ? { ...record, ...changes } : record))
}

function issueSecret(id: string, order: KeyOrder, now: number): IssuedKey {
  const { network, plan, perSecond, monthly = null, label, allAccounts = false, expiresAt } = order
  const key = makeKey(network)
  const made = { createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null }
  const secret = { hash: hashKey(key), hint: hintOf(key) }
  return { key, record: { id, ...secret, network, plan, perSecond, monthly, label, allAccounts, ...made } }
}

function refuseBadOrder({ monthly = null, label, expiresAt }: KeyOrder, now: number): void {
  if (label.length > MAX_LABEL_LENGTH || UNPRINTABLE.test(label))
    throw new KeyStoreError('refused', `A label is at most ${MAX_LABEL_LENGTH} printable characters on one line`)
  if (monthly !== null && !(monthly >= 1 && Number.isSafeInteger(monthly)))
    throw new KeyStoreError('refused', 'A monthly quota is a whole number of at least 1')
  if (expiresAt !== null && !(expiresAt > now && Number.isSafeInteger(expiresAt)))
    throw new KeyStoreError('refused', 'A key must expire in the future')
}

function secretsOf(records: readonly KeyRecord[], id: string): readonly KeyRecord[] {
  const secrets = records.filter((record) => record.id === id)
  if (secrets.length === 0) throw new KeyStoreError('notFound', `There is no key with the id ${JSON.stringify(id)}`)
  return secrets
}

function endedKeyError(records: readonly KeyRecord[], id: string): KeyStoreError {
  const revoked = records.some((record) => record.id === id && record.revokedAt !== null)
  return revoked
    ? new KeyStoreError('revoked', `The key ${id} was revoked; create a new one instead`)
    : new KeyStoreError('expired', `The key ${id} has expired; create a new one instead`)
}

const newId = (): string => Array.from(randomBytes(ID_LENGTH), (byte) => ID_SIGNS.charAt(byte & 31)).join('')
