// Actions, written in the SQL transaction of the blocks that completed their traces.

import { lightInSlices } from '../../fairness/index.ts'
import type { Sql } from '../database.ts'
import { traceStart } from '../read/actionFilter.ts'
import { equalsAnyHash, isAccount } from '../read/shortKey.ts'
import { sql } from '../sql.ts'
import {
  type ActionKindRow,
  actionAccounts,
  actionKindOf,
  actionKinds,
  actions as actionsTable,
  TRACE_START_BYTES,
  type WrittenAction,
  type WrittenActionAccount,
} from '../tables/actions.ts'
import type { ClassificationState } from '../tables/traces.ts'
import { insertRows } from './bulk.ts'
import { RowsByAccount } from './byAccount.ts'
import { enqueue, settleAll } from './enqueue.ts'

/** Actions of traces that are complete. */
export interface ActionWrites {
  readonly actions: readonly WrittenAction[]
  /** Traces whose classification failed: their actions are only their messages. */
  readonly failed: readonly Uint8Array[]
  /** Traces that are too large to be classified. */
  readonly broken: readonly Uint8Array[]
}

interface Concerned {
  readonly accounts: readonly WrittenActionAccount[]
  /** Each once. */
  readonly kinds: readonly ActionKindRow[]
}

const isSame = (one: Uint8Array, other: Uint8Array | null): boolean =>
  other !== null && Buffer.compare(one, other) === 0

/** The accounts of the actions, and the kinds that these actions are for them. */
async function concernedBy(written: readonly WrittenAction[]): Promise<Concerned> {
  const kinds = new Map<string, ActionKindRow>()
  const kindFor = ({ type, ancestorTypes, isSystem }: WrittenAction, isStarter: boolean): ActionKindRow => {
    const name = `${type} ${ancestorTypes.join()} ${isSystem} ${isStarter}`
    const known = kinds.get(name)
    if (known !== undefined) return known
    const parts = { type, ancestorTypes, isSystem, isStarter }
    const kind = { ...parts, kind: actionKindOf(parts) }
    kinds.set(name, kind)
    return kind
  }
  const accounts = new RowsByAccount<WrittenActionAccount>()
  const addAccounts = (action: WrittenAction): void => {
    const { traceId, actionId, traceEndLt, traceEndUtime, starter } = action
    const traceStart = traceId.subarray(0, TRACE_START_BYTES)
    for (const account of action.accounts) {
      const { kind } = kindFor(action, isSame(account, starter))
      accounts.add({ account, traceStart, actionId, traceEndLt, traceEndUtime, kind })
    }
  }
  await lightInSlices(written, addAccounts)
  return { accounts: accounts.all(), kinds: [...kinds.values()] }
}

/** Writes into the SQL transaction `to` belongs to. */
export async function writeActions(to: Sql, { actions }: Pick<ActionWrites, 'actions'>): Promise<void> {
  const { accounts, kinds } = await concernedBy(actions)
  await settleAll([
    insertRows(to, actionsTable, actions),
    insertRows(to, actionKinds, kinds),
    insertRows(to, actionAccounts, accounts),
  ])
}

/** Marks traces whose actions are written. Before `markTraces`, which marks those of them that failed. */
export const markClassified = (to: Sql, traces: readonly Uint8Array[]): void => mark(to, traces, 'ok')

/** Marks traces that could not be classified; after the traces themselves are written. */
export function markTraces(to: Sql, { failed, broken }: Omit<ActionWrites, 'actions'>): void {
  mark(to, failed, 'failed')
  mark(to, broken, 'broken')
}

function mark(to: Sql, traces: readonly Uint8Array[], state: ClassificationState): void {
  if (traces.length === 0) return
  enqueue(to, sql`update traces set classification = ${state} where trace_id = any(${traces}::bytea[])`)
}

/** Deletes the actions of these traces. */
export async function forgetActions(on: Sql, traces: readonly Uint8Array[]): Promise<void> {
  if (traces.length === 0) return
  // With the end of the trace, so that an index leads to the rows of each account.
  await on.query(sql`delete from action_accounts using (
      select unnest(accounts) as account, trace_end_lt, ${traceStart(sql`trace_id`)} as trace_start, action_id
      from actions where ${equalsAnyHash(sql`trace_id`, traces)}
    ) gone
    where ${isAccount(sql`action_accounts.account`, sql`gone.account`)} and action_accounts.trace_end_lt = gone.trace_end_lt
      and action_accounts.trace_start = gone.trace_start and action_accounts.action_id = gone.action_id`)
  await on.query(sql`delete from actions where ${equalsAnyHash(sql`trace_id`, traces)}`)
}
