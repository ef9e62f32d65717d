// Keys and usage in the JSON of the administration: snake_case names, times in ISO 8601.

import { z } from 'zod'
import { ApiError } from '../../../shared/errors.ts'
import { NETWORKS, type Network } from '../../../shared/network.ts'
import { parseFields } from '../../../shared/parseFields.ts'
import {
  type CountedUsage,
  CUSTOM,
  dayOf,
  type KeyOrder,
  type KeyRecord,
  type KeyRights,
  keyState,
  MAX_PER_SECOND,
  type Plan,
  planNamed,
  rateOf,
  type UsageRange,
} from '../../access/index.ts'
import type { FailureCount } from '../../observe/index.ts'

const DAY_MS = 86_400_000
/** The old secret of a rotated key works for so long unless the caller says otherwise. */
const OVERLAP_S = 86_400
const MOST_OVERLAP_S = 3_650 * 86_400
const USAGE_DAYS = 30

const AllAccounts = z
  .boolean()
  .describe('Whether it may subscribe to all accounts at once: `addresses: ["*"]`, or `opcodes` without addresses.')

/** What a key is to be. */
export const KeyOrderBody = z.strictObject({
  plan: z.string().min(1).max(64).describe('Name of a plan: `GET /api/admin/plans`.'),
  per_second: z
    .int()
    .min(1)
    .max(MAX_PER_SECOND)
    .nullable()
    .default(null)
    .describe('Calls per second of a custom plan; the others have their own.'),
  monthly: z.int().min(1).nullable().default(null).describe('Calls of a calendar month in UTC, by weight.'),
  label: z.string().default('').describe('Whose key it is.'),
  all_accounts: AllAccounts.default(false),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null).describe('Null for no end.'),
  network: z.enum(NETWORKS).optional().describe('By default that of the service.'),
})

export const KeyChangesBody = z.strictObject({ all_accounts: AllAccounts })

export const RotationBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(MOST_OVERLAP_S)
    .default(OVERLAP_S)
    .describe('How long the old secret still works.'),
})

/** PostgreSQL has no year 0, and the list begins 29 days before its last day. */
const FIRST_DAY = '1970-01-01'
const Day = z.iso.date().refine((day) => day >= FIRST_DAY, `must be a day from ${FIRST_DAY} on`)
export const UsageQuery = z.strictObject({
  from: Day.optional().describe('First day; by default 29 days before the last one.'),
  to: Day.optional().describe('Last day; by default today, in UTC.'),
  key: z
    .string()
    .max(64)
    .refine((id) => !id.includes('\0'), 'is not the id of a key')
    .optional()
    .describe('Id of one key.'),
})

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function keyJson(record: KeyRecord, plans: readonly Plan[]): Readonly<Record<string, unknown>> {
  const { id, hint, network, plan, perSecond, monthly, label, allAccounts } = record
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = record
  return {
    id,
    hint,
    network,
    plan,
    monthly,
    label,
    all_accounts: allAccounts,
    per_second: rateOf(planNamed(plans, plan), perSecond),
    state: keyState(record, Date.now()),
    created_at: instant(createdAt),
    expires_at: instant(expiresAt),
    revoked_at: instant(revokedAt),
    last_used_at: instant(lastUsedAt),
  }
}

export function orderOf(body: unknown, ownNetwork: Network): KeyOrder {
  const { plan, per_second, monthly, label, all_accounts, expires_at, network } = parseFields(KeyOrderBody, body)
  if (plan === CUSTOM && per_second === null)
    throw new ApiError('invalidParams', 'per_second: needed by the plan custom')
  const expiresAt = expires_at === null ? null : Date.parse(expires_at)
  const order = { plan, perSecond: per_second, monthly, label, allAccounts: all_accounts }
  return { ...order, expiresAt, network: network ?? ownNetwork }
}

export const keyChangesOf = (body: unknown): KeyRights => ({
  allAccounts: parseFields(KeyChangesBody, body).all_accounts,
})

/** Milliseconds. */
export const overlapOf = (body: unknown): number => parseFields(RotationBody, body).overlap_seconds * 1000

/** The id of a key in a path. */
export function idOf(part: string | undefined): string {
  if (part?.startsWith('tonrpc_'))
    throw new ApiError('invalidParams', 'that is the key itself, not its id: ids are in GET /api/admin/keys')
  return part ?? ''
}

/** The last thirty days unless the query says otherwise. */
export function rangeOf(query: string): UsageRange {
  const { from, to, key } = parseFields(UsageQuery, Object.fromEntries(new URLSearchParams(query)))
  const end = to ?? dayOf(Date.now())
  const begin = from ?? dayOf(Date.parse(end) - (USAGE_DAYS - 1) * DAY_MS)
  if (begin > end) throw new ApiError('invalidParams', `from: must not be after the last day, ${end}`)
  return { from: begin, to: end, keyId: key ?? null }
}

export const usageJson = ({ day, keyId, ...counts }: CountedUsage): Readonly<Record<string, unknown>> => ({
  day,
  key: keyId === '' ? null : keyId,
  ...counts,
})

export const failuresJson = ({ requestId, at, ms, ...rest }: FailureCount): Readonly<Record<string, unknown>> => ({
  ...rest,
  newest: { time: new Date(at).toISOString(), request_id: requestId, ms: Math.round(ms) },
})

type Sums = Pick<CountedUsage, 'calls' | 'weight' | 'errors' | 'limited' | 'bytes'>

export function sumOf(rows: readonly CountedUsage[]): Sums {
  const sums = { calls: 0, weight: 0, errors: 0, limited: 0, bytes: 0 }
  for (const row of rows) {
    sums.calls += row.calls
    sums.weight += row.weight
    sums.errors += row.errors
    sums.limited += row.limited
    sums.bytes += row.bytes
  }
  return sums
}
