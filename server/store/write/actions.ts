// What traces did, written in the SQL transaction of the blocks that completed them.

import type { ActionWrites, WrittenAction } from '../actionRows.ts'
import type { Sql } from '../database.ts'
import type { AccountKey, ClassificationState } from '../rows.ts'
import { sql } from '../sql.ts'
import { ask } from './ask.ts'
import { insertRows, type Table } from './bulk.ts'
import { together } from './together.ts'

const actionsTable: Table<WrittenAction> = {
  name: 'actions',
  columns: [
    ['trace_id', 'bytea', (row) => row.traceId],
    ['action_id', 'bytea', (row) => row.actionId],
    ['type', 'text', (row) => row.type],
    ['success', 'bool', (row) => row.success],
    ['start_lt', 'int8', (row) => row.startLt],
    ['end_lt', 'int8', (row) => row.endLt],
    ['start_utime', 'int8', (row) => row.startUtime],
    ['end_utime', 'int8', (row) => row.endUtime],
    ['trace_end_lt', 'int8', (row) => row.traceEndLt],
    ['trace_end_utime', 'int8', (row) => row.traceEndUtime],
    ['trace_mc_seqno_end', 'int4', (row) => row.traceMcSeqnoEnd],
    ['trace_external_hash', 'bytea', (row) => row.traceExternalHash],
    ['trace_external_hash_norm', 'bytea', (row) => row.traceExternalHashNorm],
    ['transactions', 'bytea[]', (row) => row.transactions],
    ['accounts', 'bytea[]', (row) => row.accounts],
    ['details', 'json', (row) => row.details],
    ['parent_action_id', 'bytea', (row) => row.parentActionId],
    ['ancestor_types', 'text[]', (row) => row.ancestorTypes],
    ['parent_gasless_action', 'bytea', (row) => row.parentGaslessAction],
    ['is_system', 'bool', (row) => row.isSystem],
  ],
}

interface Concerned {
  readonly account: AccountKey
  readonly action: WrittenAction
}

const actionAccountsTable: Table<Concerned> = {
  name: 'action_accounts',
  columns: [
    ['account', 'bytea', ({ account }) => account],
    ['trace_id', 'bytea', ({ action }) => action.traceId],
    ['action_id', 'bytea', ({ action }) => action.actionId],
    ['end_lt', 'int8', ({ action }) => action.endLt],
    ['end_utime', 'int8', ({ action }) => action.endUtime],
    ['trace_end_lt', 'int8', ({ action }) => action.traceEndLt],
    ['trace_end_utime', 'int8', ({ action }) => action.traceEndUtime],
    ['is_system', 'bool', ({ action }) => action.isSystem],
  ],
}

/** All tables of this file, to be emptied. */
export const actionTableNames: readonly string[] = [actionsTable.name, actionAccountsTable.name]

/** Writes into the SQL transaction `to` belongs to. */
export async function writeActions(to: Sql, { actions }: Pick<ActionWrites, 'actions'>): Promise<void> {
  const concerned = actions.flatMap((action) => action.accounts.map((account) => ({ account, action })))
  await together([insertRows(to, actionsTable, actions), insertRows(to, actionAccountsTable, concerned)])
}

/** What there is to tell of these traces stands in the table. Before `markTraces`, which knows of failures. */
export const markClassified = (to: Sql, traces: readonly Uint8Array[]): void => mark(to, traces, 'ok')

/** Notes which traces could not be classified; after the traces themselves. */
export function markTraces(to: Sql, { failed, broken }: Omit<ActionWrites, 'actions'>): void {
  mark(to, failed, 'failed')
  mark(to, broken, 'broken')
}

function mark(to: Sql, traces: readonly Uint8Array[], state: ClassificationState): void {
  if (traces.length === 0) return
  ask(to, sql`update traces set classification = ${state} where trace_id = any(${traces}::bytea[])`)
}

/** Takes out what these traces did. */
export async function forgetActions(on: Sql, traces: readonly Uint8Array[]): Promise<void> {
  if (traces.length === 0) return
  // By the key of its table, which begins with the account.
  await on.query(sql`delete from action_accounts using (
      select unnest(accounts) as account, trace_end_lt, trace_id, end_lt, action_id
      from actions where trace_id = any(${traces}::bytea[])
    ) gone
    where action_accounts.account = gone.account and action_accounts.trace_end_lt = gone.trace_end_lt
      and action_accounts.trace_id = gone.trace_id and action_accounts.end_lt = gone.end_lt
      and action_accounts.action_id = gone.action_id`)
  await on.query(sql`delete from actions where trace_id = any(${traces}::bytea[])`)
}
