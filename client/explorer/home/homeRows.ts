// The newest actions as rows of traces.

import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action, Transaction } from '../../index.ts'
import { inOrder } from '../actions/inOrder.ts'

export interface HomeRow {
  /** Hex of the trace's id. */
  readonly trace: string
  readonly utime: number
  readonly lt: bigint
  /** What the row says. */
  readonly action: Action
  /** How many other actions the trace has. */
  readonly more: number
  readonly failed: boolean
  /** Hashes of the transactions of what failed. */
  readonly suspects: readonly string[]
}

function exitCodeOf({ description }: Transaction): number | null {
  const { compute_ph: compute, action } = description
  if (compute && !compute.skipped && !compute.success) return compute.exit_code
  return action && !action.success ? action.result_code : null
}

/** The first exit code among the transactions of a row, when they were read. */
export function exitCodeIn(row: HomeRow, transactions: readonly Transaction[]): number | null {
  const own = transactions
    .filter(({ hash }) => row.suspects.includes(hash))
    .sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))
  return own.map(exitCodeOf).find((code) => code !== null) ?? null
}

/** What says least of a trace comes last: a deployment goes along with much else, and a transfer of TON with a deployment. */
const PLAIN = ['contract_deploy', 'ton_transfer', 'call_contract']
const telling = (actions: readonly Action[]): Action | undefined =>
  actions.find(({ type }) => !PLAIN.includes(type)) ??
  PLAIN.map((plain) => actions.find(({ type }) => type === plain)).find((found) => found !== undefined)

function rowOf(trace: string, actions: readonly Action[]): HomeRow | null {
  const all = inOrder(actions)
  const [first] = all
  if (first === undefined) return null
  const failed = all.filter(({ success }) => !success)
  return {
    trace: hexOf(trace) ?? trace,
    utime: first.start_utime,
    lt: BigInt(first.start_lt),
    action: failed[0] ?? telling(all) ?? first,
    more: all.length - 1,
    failed: failed.length > 0,
    suspects: failed.flatMap(({ transactions }) => transactions),
  }
}

/** Newest first. */
export function homeRowsOf(actions: readonly Action[]): readonly HomeRow[] {
  const groups = new Map<string, Action[]>()
  for (const action of actions) {
    if (action.trace_id === null) continue
    const group = groups.get(action.trace_id)
    if (group === undefined) groups.set(action.trace_id, [action])
    else group.push(action)
  }
  return [...groups].flatMap(([trace, own]) => rowOf(trace, own) ?? []).sort((a, b) => (a.lt < b.lt ? 1 : -1))
}
