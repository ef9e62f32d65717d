// Values as details show them.

import type { ClassifiedDetails, DetailValue } from './action.ts'

/** Without what is unknown. */
export function omitNulls(details: Readonly<Record<string, DetailValue | undefined>>): ClassifiedDetails {
  const known: Record<string, DetailValue> = {}
  for (const name in details) {
    const value = details[name]
    if (value !== null && value !== undefined) known[name] = value
  }
  return known
}

/** An amount, or null for none. */
export const digits = (value: bigint | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
