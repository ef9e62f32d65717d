// The newest actions and transactions as rows of traces.

import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action, Transaction } from '../../index.ts'
import { inOrder } from '../actions/order.ts'

export interface Row {
  /** Hex of the trace's id. */
  readonly trace: string
  readonly utime: number
  readonly lt: bigint
  /** What the row says; null for a trace without known actions. */
  readonly action: Action | null
  /** How many other actions the trace has. */
  readonly more: number
  /** Transactions of the trace among those that were read. */
  readonly transactions: readonly Transaction[]
  /** Why it failed: the exit code of the first transaction that did, when there is one. */
  readonly exitCode: number | null
  readonly failed: boolean
}

function exitCodeOf({ description }: Transaction): number | null {
  const { compute_ph: compute, action } = description
  if (compute && !compute.skipped && !compute.success) return compute.exit_code
  return action && !action.success ? action.result_code : null
}

const byTime = (a: { readonly lt: string }, b: { readonly lt: string }): number =>
  BigInt(a.lt) < BigInt(b.lt) ? -1 : 1

/** Newest first. */
export function rowsOf(actions: readonly Action[], transactions: readonly Transaction[]): readonly Row[] {
  const groups = new Map<string, { readonly actions: Action[]; readonly transactions: Transaction[] }>()
  const groupOf = (trace: string) => {
    const group = groups.get(trace) ?? { actions: [], transactions: [] }
    groups.set(trace, group)
    return group
  }
  for (const action of actions) if (action.trace_id !== null) groupOf(action.trace_id).actions.push(action)
  for (const transaction of transactions)
    if (transaction.trace_id) groupOf(transaction.trace_id).transactions.push(transaction)
  const rows = [...groups].map(([trace, group]): Row => {
    const ordered = [...group.transactions].sort(byTime)
    const all = inOrder(group.actions)
    const action = all.find(({ type }) => type !== 'call_contract' && type !== 'contract_deploy') ?? all[0] ?? null
    const exitCode = ordered.map(exitCodeOf).find((code) => code !== null) ?? null
    const times = [...group.actions.map(({ start_utime }) => start_utime), ...ordered.map(({ now }) => now)]
    const lts = [...group.actions.map(({ start_lt }) => BigInt(start_lt)), ...ordered.map(({ lt }) => BigInt(lt))]
    return {
      trace: hexOf(trace) ?? trace,
      utime: Math.min(...times),
      lt: lts.reduce((least, lt) => (lt < least ? lt : least), lts[0] ?? 0n),
      action,
      more: Math.max(0, group.actions.length - 1),
      transactions: ordered,
      exitCode,
      failed: group.actions.some(({ success }) => !success) || ordered.some(({ description }) => description.aborted),
    }
  })
  return rows.sort((a, b) => (a.lt < b.lt ? 1 : -1))
}
