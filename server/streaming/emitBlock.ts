// Reports one block: its traces, then its accounts, then the blocks it is made of.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Finality, finalityOf, type LiveTrace, type LiveTraces, rawOfKey } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRows } from '../store/index.ts'
import { blockMark, positionOf, writeCursor } from './cursor.ts'
import { type EmitParts, emit } from './emit.ts'
import { notifications } from './notifications/index.ts'
import type { NotificationType } from './notifications/notification.ts'
import { accountsOf, blocksOf } from './subjects.ts'

export interface BlockEmission extends EmitParts {
  readonly traces: LiveTraces
  readonly log: Pick<Log, 'warn'>
  /** Called with each trace that a block has a part of, before it is reported. */
  readonly onTrace: (trace: LiveTrace, isFinal: boolean) => void
}

export interface BlockMoment {
  readonly finality: Finality
  /** Only notifications behind this position are sent; -1 for all. */
  readonly after: number
}

/** Milliseconds of reporting in one turn of the event loop. */
const SLICE_MS = 8
const [TRACES, ACCOUNTS, BLOCKS] = [0, 1, 2]

/** Reports a trace that no block has changed. */
export async function emitTrace(parts: EmitParts, trace: LiveTrace): Promise<void> {
  for (const type of notifications.trace) await emit(parts, type, trace, null)
}

export async function emitBlock(parts: BlockEmission, rows: BlockRows, moment: BlockMoment): Promise<void> {
  const { finality, after } = moment
  const block = blockMark(rows.rootHash)
  let sliceEnd = performance.now() + SLICE_MS

  async function report<S>(types: readonly NotificationType<S>[], subject: S, kind: number, index: number) {
    for (const type of types) {
      const position = positionOf(kind, index, type.place)
      if (position <= after) continue
      await emit(parts, type, subject, writeCursor({ mcSeqno: rows.mcSeqno, position, block }))
    }
    if (performance.now() < sliceEnd) return
    await nextTurn()
    sliceEnd = performance.now() + SLICE_MS
  }

  for (const [index, row] of rows.traces.entries()) {
    if (row.externalHash === null || !isWanted(parts, rows, row)) continue
    const trace = await liveTrace(parts, rows, row, finality)
    if (trace === null) continue
    parts.onTrace(trace, finalityOf(trace) === 'finalized')
    await report(notifications.trace, trace, TRACES, index)
  }
  for (const [index, change] of accountsOf(rows, finality).entries())
    await report(notifications.account, change, ACCOUNTS, index)
  if (parts.routes.ofType('blocks').size === 0) return
  for (const [index, change] of blocksOf(rows, finality).entries())
    await report(notifications.block, change, BLOCKS, index)
}

type TraceRow = BlockRows['traces'][number]

/** Types that need to know what is still to come of a trace. */
const isForeseeing = ({ routes }: BlockEmission): boolean =>
  routes.wants('pending') || routes.ofType('actions').size > 0 || routes.ofType('trace').size > 0

async function liveTrace(parts: BlockEmission, rows: BlockRows, row: TraceRow, finality: Finality) {
  const { traces, log } = parts
  const isDone = row.state === 'complete' && row.mcSeqnoEnd === rows.mcSeqno
  // Of one that ended later the rest is not predicted: it is known, and is reported with its block.
  const predicts = row.state === 'pending' && isForeseeing(parts)
  if (isDone || !predicts) return await traces.ofBlock(rows, row, { finality, predicts: false })
  try {
    return await traces.ofBlock(rows, row, { finality, predicts })
  } catch (error) {
    log.warn({ err: error }, 'trace not predicted for streams')
    return await traces.ofBlock(rows, row, { finality, predicts: false })
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Whether a trace may concern a subscriber. One that began earlier may do so by what is not in this block. */
function isWanted({ routes }: BlockEmission, rows: BlockRows, { traceId, mcSeqnoStart }: TraceRow): boolean {
  const traceTypes = notifications.trace.some(({ name }) => routes.ofType(name).size > 0)
  if (!traceTypes) return false
  if (mcSeqnoStart < rows.mcSeqno || routes.hasHashes) return true
  const isNamed = (account: Uint8Array | null): boolean =>
    account !== null && routes.ofAddress(rawOfKey(account)).size > 0
  return (
    rows.transactions.some(
      ({ row, outMessages }) =>
        isSame(row.traceId, traceId) &&
        (isNamed(row.account) || outMessages.some(({ destination }) => isNamed(destination))),
    ) || rows.actions.some((action) => isSame(action.traceId, traceId) && action.accounts.some(isNamed))
  )
}
