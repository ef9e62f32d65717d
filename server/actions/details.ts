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

/** A number as the public interface has it; past those that every reader of JSON keeps exact, as text. */
export const jsonNumber = (value: bigint): number | string =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)

/** An amount, or null for none. */
export const digits = (value: bigint | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
