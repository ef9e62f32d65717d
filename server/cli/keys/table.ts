// Keys as a person reads them: aligned columns, no secret, nothing a hand-edited label could forge.

import { type KeyRecord, keyState, type Plan, planNamed, rateOf } from '../../access/index.ts'
import { printable } from '../../process/index.ts'
import { alignedLines } from '../alignedLines.ts'

const HEAD = [
  'ID',
  'KEY',
  'NETWORK',
  'PLAN',
  'RATE',
  'MONTHLY',
  'ACCOUNTS',
  'STATE',
  'CREATED',
  'EXPIRES',
  'LAST USED',
  'LABEL',
]

/** Lines, the heading first. */
export const keysTable = (records: readonly KeyRecord[], plans: readonly Plan[], now: number): readonly string[] =>
  alignedLines([HEAD, ...records.map((record) => cells(record, plans, now))])

/** A moment in UTC to the minute, `never` without one. */
export const momentOf = (ms: number | null): string =>
  ms === null ? 'never' : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}Z`

const cells = (record: KeyRecord, plans: readonly Plan[], now: number): string[] => [
  record.id,
  record.hint,
  record.network,
  record.plan,
  `${rateOf(planNamed(plans, record.plan), record.perSecond)}/s`,
  record.monthly === null ? '-' : String(record.monthly),
  record.allAccounts ? 'all' : '-',
  keyState(record, now),
  momentOf(record.createdAt),
  momentOf(record.expiresAt),
  momentOf(record.lastUsedAt),
  printable(record.label),
]
