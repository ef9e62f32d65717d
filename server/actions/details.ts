// Values as details show them.

import type { Details, DetailValue } from './action.ts'

/** Without what is unknown. */
export const omitNulls = (details: Readonly<Record<string, DetailValue | undefined>>): Details =>
  Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, DetailValue] => entry[1] !== null && entry[1] !== undefined,
    ),
  )

/** An amount, or null for none. */
export const digits = (value: bigint | number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)
