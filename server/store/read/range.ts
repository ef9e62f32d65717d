// Bounds of a list as conditions on a column: the first and the last value that are shown.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'

/** Later than any time of 32 bits, in seconds. */
export const LATEST_TIME = 2 ** 32
export const LATEST_LT = 2n ** 63n - 1n

/** Both ends included; one that is undefined is no condition. */
export function inRange<T extends number | bigint>(
  column: SqlText,
  first: T | undefined,
  last: T | undefined,
): SqlText[] {
  const parts: SqlText[] = []
  if (first !== undefined) parts.push(sql`${column} >= ${first}`)
  if (last !== undefined) parts.push(sql`${column} <= ${last}`)
  return parts
}
