// Reports one block: its traces, then its accounts, then the blocks it is made of.

import { inPieces } from '../fairness/index.ts'
import {
  type Finality,
  type Foresight,
  finalityOf,
  isLargeTrace,
  type LiveTrace,
  type LiveTraces,
  rawOfKey,
  traceKey,
  traceParts,
} from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { AccountKey, BlockRows, TraceRow, TransactionFound } from '../store/index.ts'
import { type EmitParts, emit } from './emit.ts'
import { notifications } from './notifications/index.ts'
import { wantsOwners } from './notifications/nftsChange.ts'
import type { NotificationType } from './notifications/notification.ts'
import { blockMark, partBehind, positionOf, positionOfPart, writeStreamCursor } from './streamCursor.ts'
import { accountsInTrace, blocksOf, findingAccounts } from './subjects.ts'
import { type BlockTrace, fewAtATime, findingWanted, foresightOf, lookingWhetherKnown } from './tracesOfBlock.ts'

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
  /** Whether a newer block can be read already; never when absent. */
  readonly isLate?: () => boolean
  /** Whether nothing more of it is to be predicted, as traces that go on are in every block; never when absent. */
  readonly isBehind?: () => boolean
  /** Waited for after each notification. */
  readonly drained?: () => Promise<void>
  /** Whether nothing more is wanted of the block for now; never when absent. */
  readonly isEnough?: () => boolean
  /** Whether others send the transactions of traces that are too large for one notification. */
  readonly isWithoutLarge?: boolean
}

const TRACES = 0
const ACCOUNTS = 1
const BLOCKS = 2

/** Reports a trace that no block has changed. */
export async function emitTrace(parts: EmitParts, trace: LiveTrace): Promise<void> {
  for (const type of notifications.trace) await emit(parts, type, trace, () => null)
}

type Visited = Omit<BlockEmission, 'books' | 'counts' | 'texts'>

/** Called with each subject of a block and each of the types that report it. */
export type Visit = <S>(type: NotificationType<S>, subject: S, cursorOf: () => string) => Promise<void>

export const emitBlock = (parts: BlockEmission, rows: BlockRows, moment: BlockMoment): Promise<void> =>
  visitBlock(parts, rows, { ...moment, visit: (type, subject, cursorOf) => emit(parts, type, subject, cursorOf) })

/** Visits what may concern the subscribers of a block. */
export async function visitBlock(parts: Visited, rows: BlockRows, moment: Visiting): Promise<void> {
  const { finality, after, isLate = () => false, isBehind = () => false, isEnough = () => false } = moment
  const report = reporting(parts, rows, moment)
  const foresight = foresightOf(parts.routes)
  const predicts = foresight === 'tail' && isLate() ? 'nothing' : foresight
  const wanted = await inPieces(findingWanted(parts.routes, rows, predicts), parts.pace)
  const left = wanted.filter(([index]) => positionOf(TRACES, index + 1, 0) > after)
  for (const group of fewAtATime(left, rows)) {
    if (isEnough()) return
    const [first] = group
    if (first !== undefined && isLargeTrace(first[1])) {
      if (finality === 'finalized') await visitLarge(parts, first, { ...moment, report })
      continue
    }
    const traces = await liveTraces(parts, { rows, wanted: group, foresight, finality, isLate, isBehind })
    for (const [at, [index]] of group.entries()) {
      if (isEnough()) return
      const trace = (await traces(at)) ?? null
      if (trace === null) continue
      parts.onTrace(trace, finalityOf(trace) === 'finalized')
      await report(notifications.trace, trace, positionOf(TRACES, index, 0))
    }
  }
  let accounts = 0
  const owners = wantsOwners(parts.routes) ? await rows.itemOwners() : []
  const found = await inPieces(findingAccounts(rows, owners), parts.pace)
  for (const change of accountsInTrace(rows, found, finality)) {
    if (isEnough()) return
    await report(notifications.account, change, positionOf(ACCOUNTS, accounts++, 0))
  }
  if (notifications.block.every(({ name }) => parts.routes.ofType(name).size === 0)) return
  for (const [index, change] of blocksOf(rows, finality).entries())
    await report(notifications.block, change, positionOf(BLOCKS, index, 0))
}

interface Visiting extends BlockMoment {
  readonly visit: Visit
}

/** Visits a subject with each of some types, whose positions follow a first one. */
type Report = <S>(types: readonly NotificationType<S>[], subject: S, first: number) => Promise<void>

function reporting(parts: Visited, rows: BlockRows, { after, drained, visit }: Visiting): Report {
  const block = blockMark(rows.rootHash)
  return async (types, subject, first) => {
    for (const type of types) {
      const position = first + type.place
      if (position <= after) continue
      await visit(type, subject, () => writeStreamCursor({ mcSeqno: rows.mcSeqno, position, block }))
      if (parts.routes.ofType(type.name).size > 0) await drained?.()
    }
    if (parts.pace.isDue) await parts.pace.rest()
  }
}

/** A trace that has ended: its transactions in several notifications, what is said of the whole, and its messages like those. */
async function visitLarge(
  { traces: { large }, routes, pace, onTrace }: Visited,
  [index, row]: BlockTrace,
  { after, report, isEnough = () => false, isWithoutLarge = false }: Visiting & { readonly report: Report },
): Promise<void> {
  const head = await large.head(row)
  if (head === null) return
  onTrace(head, true)
  const position = positionOf(TRACES, index, 0)
  for (const type of notifications.trace) {
    if (type.parts === undefined) await report([type], head, position)
    else if (!isWithoutLarge && routes.ofType(type.name).size > 0) {
      const isNamed = (account: AccountKey): boolean => type.parts === 'all' || routes.hasAddress(rawOfKey(account))
      const wanted = { first: partBehind(position + type.place, after), isNamed, pace }
      for await (const { part, trace } of large.parts(head, row, wanted)) {
        await report([type], trace, positionOfPart(position, part))
        if (isEnough()) return
      }
    }
  }
}

/** Traces that are read before the ones in front of them are reported; where all of them are predicted, fewer. */
const AHEAD = 64
const PREDICTED_AHEAD = 8

interface TracesOfBlock extends Pick<BlockMoment, 'finality'>, Required<Pick<BlockMoment, 'isLate' | 'isBehind'>> {
  readonly rows: BlockRows
  readonly wanted: readonly BlockTrace[]
  readonly foresight: Foresight
}

/** Traces by their index among the wanted ones, made some at a time and in order. */
async function liveTraces(
  parts: Visited,
  { rows, wanted, foresight, finality, isLate, isBehind }: TracesOfBlock,
): Promise<(at: number) => Promise<LiveTrace | null> | undefined> {
  const { traces, routes } = parts
  const begun = wanted.map(([, row]) => row).filter(({ mcSeqnoStart }) => mcSeqnoStart < rows.mcSeqno)
  const earlier = begun.length === 0 ? new Map<string, TransactionFound[]>() : await traces.earlierThan(rows, begun)
  const running: Promise<LiveTrace | null>[] = []
  const start = async (row: TraceRow): Promise<LiveTrace | null> => {
    const before = earlier.get(traceKey(row.traceId)) ?? []
    const known = [...before, ...traceParts(rows, row.traceId).transactions]
    // Its next transactions are in a block that waits: a prediction would only make that one later.
    const predicts = isBehind() || (foresight === 'tail' && isLate()) ? 'nothing' : foresight
    const isOurs =
      predicts === 'all' ||
      routes.hasHashes ||
      (await inPieces(lookingWhetherKnown(routes, known, traceParts(rows, row.traceId).actions), parts.pace))
    return isOurs ? await liveTrace(parts, rows, row, { finality, predicts, earlier: before }) : null
  }
  const ahead = foresight === 'all' ? PREDICTED_AHEAD : AHEAD
  return (at) => {
    for (const [, row] of wanted.slice(running.length, at + ahead)) {
      const made = start(row)
      // Thrown where it is awaited.
      made.catch(() => undefined)
      running.push(made)
    }
    return running[at]
  }
}

async function liveTrace(
  { traces, log }: Visited,
  rows: BlockRows,
  row: TraceRow,
  how: Parameters<LiveTraces['ofBlock']>[2],
): Promise<LiveTrace | null> {
  // Of one that ended later the rest is not predicted: it is known, and is reported with its block.
  if (row.state !== 'pending' || how.predicts === 'nothing')
    return await traces.ofBlock(rows, row, { ...how, predicts: 'nothing' })
  try {
    return await traces.ofBlock(rows, row, how)
  } catch (error) {
    log.warn({ err: error }, 'trace not predicted for streams')
    return await traces.ofBlock(rows, row, { ...how, predicts: 'nothing' })
  }
}
