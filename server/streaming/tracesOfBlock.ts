// Which traces of a block may concern its subscribers, and how many of them are in memory at once.

import {
  type Foresight,
  groupingParts,
  isLargeTrace,
  leavesOnlyNotices,
  rawOfKey,
  traceParts,
} from '../methods/index.ts'
import type { ActionRow, BlockRows, MessageRow, TraceRow, TransactionFound } from '../store/index.ts'
import { notifications } from './notifications/index.ts'
import type { Routes } from './streamRoutes.ts'

/** With its place in the block. */
export type BlockTrace = readonly [index: number, row: TraceRow]

/** Transactions of all traces that go on in a block: a stranger may have hundreds of them. The shortest are reported. */
const MOST_OF_ALL_UNFINISHED = 20_000
/** Transactions of earlier blocks that are in memory at once. */
const MOST_AT_ONCE = 20_000
/** Transactions that are looked at in one piece: a block may have ten thousand, in one trace. */
const PIECE = 50

const isBegun = ({ mcSeqnoStart }: TraceRow, { mcSeqno }: BlockRows): boolean => mcSeqnoStart < mcSeqno

const endsIn = ({ state, mcSeqnoEnd }: TraceRow, { mcSeqno }: BlockRows): boolean =>
  state === 'complete' && mcSeqnoEnd === mcSeqno

/** Traces that end in a block and are too large for one notification. */
export const largeTracesOf = (rows: BlockRows): readonly TraceRow[] =>
  rows.traces.filter((row) => row.externalHash !== null && isLargeTrace(row) && endsIn(row, rows))

const goesOn = (row: TraceRow, rows: BlockRows): boolean => isBegun(row, rows) && !endsIn(row, rows)

/**
 * What of a trace that goes on is predicted. Where only what is in blocks is sent, it matters for traces that wait for
 * notifications alone: of these the actions are reported, of all others nothing.
 */
export function foresightOf(routes: Routes): Foresight {
  if (routes.wants('pending')) return 'all'
  return routes.ofType('actions').size > 0 || routes.ofType('trace').size > 0 ? 'tail' : 'nothing'
}

/**
 * Whether an account of a trace is named: one that acted, one that is sent a message, or one of its actions; or the opcode of one of
 * its messages.
 */
export function* lookingWhetherKnown(
  routes: Routes,
  transactions: readonly TransactionFound[],
  actions: readonly ActionRow[],
): Generator<void, boolean> {
  const isNamed = (account: Uint8Array | null): boolean => account !== null && routes.hasAddress(rawOfKey(account))
  const hasName = (message: MessageRow | null): boolean =>
    message !== null && ((message.opcode !== null && routes.hasOpcode(message.opcode)) || isNamed(message.destination))
  let looks = 0
  for (const { row, inMessage, outMessages } of transactions) {
    if (isNamed(row.account) || hasName(inMessage) || outMessages.some(hasName)) return true
    if (++looks % PIECE === 0) yield
  }
  for (const { accounts } of actions) {
    if (accounts.some(isNamed)) return true
    if (++looks % PIECE === 0) yield
  }
  return false
}

/** Whether something may be reported of a trace that goes on, by what the block has of it. */
function mayBeReported({ state, traceId }: TraceRow, rows: BlockRows, predicts: Foresight): boolean {
  if (predicts === 'nothing') return false
  return predicts === 'all' || (state === 'pending' && leavesOnlyNotices(traceParts(rows, traceId).transactions))
}

/**
 * Traces that may concern a subscriber. One that began earlier may do so by what is not in this block. One that goes on may do so for
 * ever: it is read where something of it may be reported, and again when it has ended.
 */
export function* findingWanted(
  routes: Routes,
  rows: BlockRows,
  predicts: Foresight,
): Generator<void, readonly BlockTrace[]> {
  const wanted: BlockTrace[] = []
  if (notifications.trace.every(({ name }) => routes.ofType(name).size === 0)) return wanted
  yield* groupingParts(rows)
  for (const [index, row] of rows.traces.entries()) {
    if (index % PIECE === PIECE - 1) yield
    if (row.externalHash === null || (isLargeTrace(row) && !endsIn(row, rows))) continue
    if (goesOn(row, rows) && !mayBeReported(row, rows, predicts)) continue
    const isAny = isBegun(row, rows) || routes.hasHashes
    const { transactions, actions } = traceParts(rows, row.traceId)
    if (isAny || (yield* lookingWhetherKnown(routes, transactions, actions))) wanted.push([index, row])
  }
  return fitting(wanted, rows)
}

/** Without the longest of those that go on, where they are too many. */
function fitting(wanted: readonly BlockTrace[], rows: BlockRows): readonly BlockTrace[] {
  const unfinished = wanted.map(([, row]) => row).filter((row) => goesOn(row, rows))
  const leftOut = new Set<TraceRow>()
  let left = MOST_OF_ALL_UNFINISHED
  for (const row of unfinished.sort((a, b) => a.nodes - b.nodes)) {
    left -= row.nodes
    if (left < 0) leftOut.add(row)
  }
  return wanted.filter(([, row]) => !leftOut.has(row))
}

/** In their order, as many at a time as may be in memory; one that is too large is alone. */
export function* fewAtATime(wanted: readonly BlockTrace[], rows: BlockRows): Generator<readonly BlockTrace[]> {
  let group: BlockTrace[] = []
  let left = MOST_AT_ONCE
  for (const one of wanted) {
    const [, row] = one
    const earlier = isLargeTrace(row) ? Number.POSITIVE_INFINITY : isBegun(row, rows) ? row.nodes : 0
    if (group.length > 0 && earlier > left) {
      yield group
      group = []
      left = MOST_AT_ONCE
    }
    group.push(one)
    left -= earlier
  }
  yield group
}
