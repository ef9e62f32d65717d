// A list by two conditions with an index each, of which one may have few rows however many fit the other. The planner expects as many rows
// of both as if they were independent, and walks along the frequent one until the page is full.

import type { SqlText } from '../database.ts'
import { sql } from '../sql.ts'

/** As many rows are looked through at once. */
export const MOST_FEW = 10_000

type Conditional = (isWanted: SqlText) => SqlText

export interface FewList {
  /** Selects the rows of the index that may have few; ends with its conditions, so that one more can follow. */
  readonly counted: SqlText
  /** The list along that index, and along the other: where a condition is true. */
  readonly few: Conditional
  readonly many: Conditional
}

export const fewFirst =
  ({ counted, few, many }: FewList): Conditional =>
  (isWanted) => {
    const isFew = sql`(select r.is_few from rare r)`
    return sql`with rare as materialized (
        select count(*) <= ${MOST_FEW} as is_few from (${counted} and ${isWanted} limit ${MOST_FEW + 1}) c)
      select * from (${few(sql`${isWanted} and ${isFew}`)}) m
      union all select * from (${many(sql`${isWanted} and not ${isFew}`)}) m`
  }
