// A trace as people look at it: its tree, what failed in it, what it cost, and where the TON went.

import type { Message, Trace, Transaction } from '../../index.ts'
import { carried, changeOf, feesOf } from './transactionCost.ts'
import { type LayoutTree, walk } from './treeLayout.ts'

type TraceNode = NonNullable<Trace['trace']>

export interface Step {
  /** Its place in the tree: the same in a preview and in what comes of it, where hashes differ. */
  readonly at: number
  /** Hash as the trace has it. */
  readonly hash: string
  readonly transaction: Transaction | null
  /** Message that caused it. */
  readonly message: Message | null
  readonly outcome: StepOutcome
  /** Messages that left the chain: logs. */
  readonly logs: number
}

export type StepOutcome = 'ok' | 'failed' | 'skipped' | 'bounce'

export interface TraceModel {
  readonly root: LayoutTree<Step> | null
  readonly size: number
  /** `partly`: it began well, and something further down failed; `large`: it came without its transactions. */
  readonly status: 'pending' | 'success' | 'partly' | 'failed' | 'large'
  readonly fees: bigint
  /** The step to look at first: the first one that failed, or left something out, else the first one. */
  readonly cause: Step | null
}

/** Actions that failed and were left out, as the contract asks for by their mode: the actions after them were done. */
export const ignoredActions = ({ description }: Transaction): number => description.action?.skipped_actions ?? 0

/** How a transaction ended. A contract that is not there skips its code: only messages to be sent back make that a failure. */
function outcomeOf({ description, in_msg: message }: Transaction): StepOutcome {
  const { compute_ph: compute, action, aborted } = description
  if (compute?.skipped === false && !compute.success) return 'failed'
  if (action && !action.success) return 'failed'
  if (message?.bounced) return 'bounce'
  if (compute?.skipped === true) return description.bounce ? 'failed' : 'skipped'
  return aborted ? 'failed' : 'ok'
}

function stepOf(at: number, hash: string, transactions: Readonly<Record<string, Transaction>>): Step {
  const transaction = Object.hasOwn(transactions, hash) ? (transactions[hash] ?? null) : null
  return {
    at,
    hash,
    transaction,
    message: transaction?.in_msg ?? null,
    outcome: transaction === null ? 'ok' : outcomeOf(transaction),
    logs: transaction?.out_msgs.filter(({ destination }) => destination === null).length ?? 0,
  }
}

/** The tree with its transactions, without recursion. */
function treeOf(root: TraceNode, transactions: Readonly<Record<string, Transaction>>): LayoutTree<Step> {
  interface Open {
    readonly value: Step
    readonly children: Open[]
  }
  let count = 0
  const open = ({ tx_hash: hash }: TraceNode): Open => ({ value: stepOf(count++, hash, transactions), children: [] })
  const top = open(root)
  const stack: [TraceNode, Open][] = [[root, top]]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, parent] = next
    for (const child of node.children) {
      const made = open(child)
      parent.children.push(made)
      stack.push([child, made])
    }
  }
  return top
}

const isPending = ({ trace_info: info }: Trace): boolean => info.trace_state === 'pending'

function statusOf(trace: Trace, steps: readonly Step[]): TraceModel['status'] {
  if (isPending(trace)) return 'pending'
  const [root] = steps
  if (root === undefined) return 'large'
  // An elector that sends a stake back runs well, and the stake failed all the same.
  const isWell =
    steps.every(({ outcome }) => outcome !== 'failed') && (trace.actions ?? []).every(({ success }) => success)
  if (isWell) return 'success'
  return root.outcome === 'failed' ? 'failed' : 'partly'
}

export function traceModel(trace: Trace): TraceModel {
  const transactions = trace.transactions ?? {}
  const root = trace.trace === undefined ? null : treeOf(trace.trace, transactions)
  // Of a trace that is too large there is at most the part of one account.
  const parts = Object.keys(transactions).map((hash, at) => stepOf(at, hash, transactions))
  const steps = root === null ? parts : [...walk(root)].map(({ value }) => value)
  const failed =
    steps.find(({ outcome }) => outcome === 'failed') ??
    steps.find(({ transaction }) => transaction && ignoredActions(transaction) > 0)
  return {
    root,
    size: steps.length,
    status: statusOf(trace, steps),
    fees: Object.values(transactions).reduce((sum, one) => sum + feesOf(one), 0n),
    cause: failed ?? steps[0] ?? null,
  }
}

export interface Flow {
  readonly account: string
  /** Balance after less balance before, of the transactions of the trace alone. */
  readonly ton: bigint
  readonly fees: bigint
}

export interface TonFlow {
  readonly flows: readonly Flow[]
  readonly fees: bigint
  /** TON of messages that no transaction of the trace sent: paid out by the chain itself. */
  readonly entered: bigint
  /** TON of messages that are not received yet. */
  readonly inFlight: bigint
  /** What is left when all is added up: 0 when nothing is missing. */
  readonly rest: bigint
}

const flowOf = (account: string, own: readonly Transaction[]): Flow => ({
  account,
  ton: changeOf(own),
  fees: own.reduce((sum, one) => sum + feesOf(one), 0n),
})

/** Where the TON of a trace came from and went to, by account in the order of their first transaction. */
export function valueFlow(trace: Trace): TonFlow {
  const all = Object.values(trace.transactions ?? {}).sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
  const byAccount = new Map<string, Transaction[]>()
  for (const one of all) {
    const known = byAccount.get(one.account)
    if (known === undefined) byAccount.set(one.account, [one])
    else known.push(one)
  }
  const flows = [...byAccount].map(([account, own]) => flowOf(account, own))
  const sent = all.flatMap(({ out_msgs }) => out_msgs).filter(({ destination }) => destination !== null)
  const received = all.flatMap(({ in_msg: message }) => (message === null || message.source === null ? [] : [message]))
  const [sentNames, receivedNames] = [sent, received].map((list) => new Set(list.map(({ hash }) => hash)))
  const sum = (list: readonly Message[]): bigint => list.reduce((total, one) => total + carried(one), 0n)
  const entered = sum(received.filter(({ hash }) => !sentNames?.has(hash)))
  const inFlight = sum(sent.filter(({ hash }) => !receivedNames?.has(hash)))
  const fees = flows.reduce((total, flow) => total + flow.fees, 0n)
  const gained = flows.reduce((total, { ton }) => total + ton, 0n)
  return { flows, fees, entered, inFlight, rest: gained + fees + inFlight - entered }
}
