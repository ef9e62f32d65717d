// Rows of `trace_accounts` are found by account and end of the trace, for which there is an index; by trace alone the whole table
// would be read.

import type { Sql, SqlText } from '../database.ts'
import { equalsHash, isAccount } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import { enqueue } from './enqueue.ts'

/** Deletes the rows with these accounts, ends and traces. */
export const forgetTraceAccounts = (on: Sql, gone: SqlText): void =>
  enqueue(
    on,
    sql`delete from trace_accounts where ctid = any(array(
      select a.ctid from ${gone} as gone (account, end_lt, trace_id)
        cross join lateral (select o.ctid from trace_accounts o
          where ${isAccount(sql`o.account`, sql`gone.account`)} and o.end_lt = gone.end_lt and o.trace_id = gone.trace_id offset 0) a))`,
  )

/** Deletes all of some traces, before their transactions or their ends change. */
export function forgetAccountsOf(on: Sql, traces: readonly Uint8Array[]): void {
  if (traces.length === 0) return
  forgetTraceAccounts(
    on,
    sql`(select distinct t.account, k.end_lt, k.trace_id from traces k cross join lateral (
        select account from transactions o where ${equalsHash(sql`o.trace_id`, sql`k.trace_id`)} offset 0) t
      where k.trace_id = any(${traces}::bytea[]))`,
  )
}
