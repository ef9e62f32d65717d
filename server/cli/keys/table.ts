// Keys as a person reads them: aligned columns, no secret, nothing a hand-edited label could forge.
import { type KeyRecord, keyState, type Plan, planNamed, rateOf } from '../../access/index.ts'
import { printable } from '../../process/index.ts'

const HEAD = ['ID', 'KEY', 'NETWORK', 'PLAN', 'RATE', 'MONTHLY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'LABEL']
/** Lines of a table of keys, the heading first. */
export function keysTable(records: readonly KeyRecord[], plans: readonly Plan[], now: number): string[] {
  return alignedLines([HEAD, ...records.map((record) => cells(record, plans, now))])
}

/** Rows of equal length, each column as wide as its widest cell. */
export function alignedLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
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
  keyState(record, now),
  momentOf(record.createdAt),
  momentOf(record.expiresAt),
  momentOf(record.lastUsedAt),
  printable(record.label),
]
