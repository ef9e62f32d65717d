// Actions of pending traces, as far as they are known. Classified once for each, on request.

import { type ClassifiedAction, classifyingTrace, withNewItems, withNewWallets } from '../../actions/index.ts'
import { base64Of } from '../../cell/index.ts'
import {
  type FactRows,
  readFacts,
  type TraceHead,
  toActionRow,
  toTraceInput,
  traceTransactions,
} from '../../facts/index.ts'
import { inPieces, inSlices, SlicedWork } from '../../fairness/index.ts'
import { timeLimit } from '../../process/index.ts'
import type { ActionRow } from '../../store/index.ts'
import type { PendingTrace } from './pendingTraces.ts'

export interface PendingAction {
  readonly row: ActionRow
  /** Whether all its transactions are in blocks. */
  readonly isCommitted: boolean
}

/** Facts of a whole trace, as far as known. */
function headOf({ nodes, traceId }: PendingTrace): TraceHead {
  const rows = nodes.map(({ found }) => found.row)
  const [first] = rows
  if (first === undefined) throw new Error('A trace without a transaction')
  return {
    traceId: traceId ?? first.hash,
    startLt: first.lt,
    startUtime: first.now,
    endLt: rows.reduce((most, { lt }) => (lt > most ? lt : most), first.lt),
    endUtime: Math.max(...rows.map(({ now }) => now)),
    mcSeqnoEnd: Math.max(...rows.map(({ mcSeqno }) => mcSeqno)),
  }
}

type RowOfAction = Pick<PendingAction, 'row'>

/** In order of their beginning, like the actions of a finished trace. */
export function byBeginning({ row: a }: PendingAction, { row: b }: PendingAction): number {
  if (a.startLt !== b.startLt) return a.startLt < b.startLt ? -1 : 1
  return a.endLt === b.endLt ? 0 : a.endLt < b.endLt ? -1 : 1
}

/** The last to end first, and of those the last to begin. */
export function byLatestEnd({ row: a }: RowOfAction, { row: b }: RowOfAction): number {
  if (a.endLt !== b.endLt) return a.endLt > b.endLt ? -1 : 1
  return a.startLt === b.startLt ? 0 : a.startLt > b.startLt ? -1 : 1
}

/** For the contract calls of all traces of a list: strangers may have made them slow. */
const CONTRACTS_MS = 2000
/** The same for one trace alone, which its caller has emulated or sent. */
const LONGEST_MS = 8000

export class PendingActions {
  readonly #rows: FactRows
  readonly #contractsMs: number
  readonly #classified = new WeakMap<PendingTrace, Promise<readonly PendingAction[]>>()

  /** `contractsMs`: milliseconds for the contracts of a list of traces together. */
  constructor(rows: FactRows, contractsMs = CONTRACTS_MS) {
    this.#rows = rows
    this.#contractsMs = contractsMs
  }

  /** Of each, in the order of the traces. `subject` is who reads them first: they are made to the end, for all who wait for them. */
  ofAll(
    traces: readonly PendingTrace[],
    subject: string,
  ): Promise<readonly (readonly [PendingTrace, readonly PendingAction[]])[]> {
    const signal = timeLimit(this.#contractsMs)
    // At once, so that their senders take turns in the TVM.
    return Promise.all(
      traces.map(async (trace) => [trace, await this.of(trace, new SlicedWork({ subject }), signal)] as const),
    )
  }

  /** `slices` are those of the call that reads it first, and once `signal` aborts contracts are not called. */
  of(
    trace: PendingTrace,
    slices = new SlicedWork(),
    signal = timeLimit(LONGEST_MS),
  ): Promise<readonly PendingAction[]> {
    const cached = this.#classified.get(trace)
    if (cached !== undefined) return cached
    const forget = (): boolean => this.#classified.delete(trace)
    const running = this.#classify(trace, slices, { signal, onPart: forget })
    this.#classified.set(trace, running)
    // A failure rejects those who wait for it; the next call tries again.
    running.catch(forget)
    return running
  }

  /** `onPart` is called when a later try may find more. */
  async #classify(
    trace: PendingTrace,
    slices: SlicedWork,
    { signal, onPart }: { readonly signal: AbortSignal; readonly onPart: () => void },
  ): Promise<readonly PendingAction[]> {
    const parts = trace.nodes.map(({ found }) => found)
    const input = toTraceInput(headOf(trace), parts, await inSlices(parts, traceTransactions(), slices))
    const supposed = withNewItems(input, withNewWallets(input, await readFacts(this.#rows, [input])))
    const whole = { facts: supposed, isWhole: true }
    const { facts, isWhole } = (await trace.factsAfter?.(supposed, slices, signal)) ?? whole
    if (!isWhole) onPart()
    const emulated = new Set(trace.nodes.filter((node) => node.emulated).map(({ found }) => base64Of(found.row.hash)))
    if (slices.isDue) await slices.rest()
    const toAction = (action: ClassifiedAction): PendingAction => ({
      row: toActionRow(action, input),
      isCommitted: action.transactions.every((hash) => !emulated.has(hash)),
    })
    const actions = await inSlices((await inPieces(classifyingTrace(input, facts), slices)).actions, toAction, slices)
    return actions.sort(byLatestEnd)
  }
}
