// How a call takes its lane, waits for it, leaves it, and what its caller has used by that.

import { ApiError } from '../../../shared/errors.ts'
import { LaneQueueFull, type Lanes, SlicedWork, type Slicing } from '../../fairness/index.ts'
import type { RunningCall } from './runningCall.ts'

/** Rows of a short list. */
const FEW = 20
/** Characters of a result that cost as much again as a call with next to none. */
const COSTLY = 8192
/** Milliseconds in a lane that cost as much. */
const COSTLY_MS = 10

/** Calls of one caller that share its lanes evenly: short ones wait for a few long ones only. */
export type CallKind = 'short' | 'long'

export function kindOfCall({ limit, count }: Readonly<Record<string, unknown>>): CallKind {
  const rows = limit ?? count
  return typeof rows === 'number' && rows > FEW ? 'long' : 'short'
}

/** Of the lanes of one caller: short calls have two thirds while both wait. */
const WEIGHTS: Readonly<Record<CallKind, number>> = { short: 2, long: 1 }

/** What a call has used, by what it has made and how long it held its lane: a search that finds nothing is not cheap. */
const usedBy = (kind: CallKind, length: number, ms: number) => ({
  kind,
  cost: 1 + length / COSTLY + ms / COSTLY_MS,
  weight: WEIGHTS[kind],
})

/** Items of a list that is handled in the turn in which it came. */
const SHORT_LIST = 100

function hasLongList(params: Readonly<Record<string, unknown>>): boolean {
  for (const name in params) {
    const value = params[name]
    if (Array.isArray(value) && value.length > SHORT_LIST) return true
  }
  return false
}

/** Another turn of the event loop for a call with a long list: to read and check that took the time of this one. Null for others. */
const turnForLongList = (params: Readonly<Record<string, unknown>>, caller: Slicing): Promise<void> | null =>
  hasLongList(params) ? new SlicedWork(caller).ownTurn() : null

/** Waits for a lane. Rejects with ApiError. */
async function enterLane(lanes: Lanes, running: RunningCall, kind: CallKind): Promise<void> {
  try {
    await lanes.enter(running.caller.subject, running.signal, kind)
  } catch (error) {
    if (error instanceof LaneQueueFull) {
      const { limit } = error
      const text = `Too many calls wait: ${limit} of one caller at most`
      throw new ApiError('busy', text, { limit, retryAfter: 1 }, { cause: error })
    }
    throw error instanceof ApiError
      ? error
      : new ApiError('timeout', 'Timeout: the call was given up', {}, { cause: error })
  }
}

/** A call that takes lanes. */
export interface LaneJob {
  readonly entry: { readonly lanes: Lanes | null }
  readonly params: Readonly<Record<string, unknown>>
  readonly running: RunningCall
  readonly kind: CallKind
  /** Since when it holds its lane, on the clock of `performance.now()`; null without one. */
  inLaneSince: number | null
  /** Characters of its result. */
  readonly length: number
}

/** What a call waits for before it begins: a lane, or another turn of the event loop; null for one that begins now. */
export function waitToBegin(job: LaneJob): Promise<void> | null {
  const { entry, running, kind } = job
  const { lanes } = entry
  if (lanes !== null && !lanes.tryEnter(running.caller.subject, kind))
    return enterLane(lanes, running, kind).then(() => turnOf(job) ?? undefined)
  return turnOf(job)
}

/** The turn of one with a long list, for which it waits in its lane: several calls enter lanes at once. */
function turnOf(job: LaneJob): Promise<void> | null {
  const { entry, params, running } = job
  const turn = turnForLongList(params, running.caller)
  if (turn === null) return null
  job.inLaneSince = entry.lanes && performance.now()
  return turn.then(() => running.signal.throwIfAborted())
}

export async function enterAgain(job: LaneJob): Promise<void> {
  const { lanes } = job.entry
  if (lanes === null) return
  await enterLane(lanes, job.running, job.kind)
  job.inLaneSince = performance.now()
}

/** Releases the lane once no SQL statement of the call is running: a statement goes on after its caller has disconnected. */
export function leaveLane(job: LaneJob): void {
  const { entry, running, inLaneSince } = job
  if (inLaneSince === null) return
  job.inLaneSince = null
  running.whenEnded(() => {
    const ms = performance.now() - inLaneSince
    entry.lanes?.leave(running.caller.subject, usedBy(job.kind, job.length, ms))
  })
}
