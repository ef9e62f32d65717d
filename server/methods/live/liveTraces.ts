// Makes traces as of now: of a message that was sent, of a block that has come, of what is indexed.

import { base64Of } from '../../cell/index.ts'
import type { RunSettings } from '../../contracts/index.ts'
import { type BlockIdExt, type Chain, MASTERCHAIN, WHOLE_SHARD } from '../../node/index.ts'
import { timeLimit } from '../../process/index.ts'
import {
  type ActionRow,
  addToGroup,
  type BlockRows,
  factRows,
  readAll,
  readTransactionsOfTraces,
  type SentFound,
  type Sql,
  sentRead,
  type TraceRow,
  type TransactionFound,
} from '../../store/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { Emulation, type EmulationTools } from '../emulation/emulation.ts'
import { type FactsAfter, factsAfter } from '../emulation/factsAfter.ts'
import { globalVersionOf } from '../emulation/globalVersionOf.ts'
import { foundOf } from '../emulation/traceNames.ts'
import { indexedHead } from '../pending/indexedHead.ts'
import { PendingActions } from '../pending/pendingActions.ts'
import { cellsOf, unconsumed } from '../pending/unconsumed.ts'
import { traceKey, traceParts } from './blockParts.ts'
import { bytesOfTransactions } from './bytesOfTransactions.ts'
import { isLargeTrace, LargeTraces } from './largeTraces.ts'
import {
  type Finality,
  isNotice,
  type LiveAction,
  type LiveNode,
  type LiveTrace,
  type LiveTraceNames,
  leastOf,
  namesOfTrace,
} from './liveTrace.ts'
import { hasContents } from './liveViews.ts'
import { readFound } from './readFound.ts'
import { RecentParts } from './recentParts.ts'
import { RestOfTraces } from './restOfTraces.ts'
import type { SentMessage } from './sentMessages.ts'
import { sharedFactRows } from './sharedFactRows.ts'

export interface LiveTraceNeeds {
  readonly chain: EmulationTools['chain'] & Pick<Chain, 'transactions'>
  readonly pool: Pick<TvmPool, 'share'>
  readonly settings: RunSettings
  readonly store: Sql
}

/** Of one trace. */
const LONGEST_MS = 8000
/** Predictions of traces that were not sent by a caller have a share of their own. */
const OWN_SHARE = 'streams'

/** Whether what these transactions sent and none of them received only notifies. */
export const leavesOnlyNotices = (found: readonly TransactionFound[]): boolean =>
  unconsumed(found).every(({ outMessages }) => outMessages.every(isNotice))

interface Predicted {
  readonly nodes: readonly LiveNode[]
  /** With gas of their own for each classification. */
  readonly facts?: () => FactsAfter
  /** What it takes in memory, about. */
  readonly bytes: number
}

/** What of a trace that goes on is predicted: all that is still to come, or only notifications at its ends, or nothing. */
export type Foresight = 'all' | 'tail' | 'nothing'

interface OfBlock {
  readonly finality: Finality
  readonly predicts: Foresight
  readonly earlier: readonly TransactionFound[]
}

export class LiveTraces {
  /** Those that have ended and are too large for `ofBlock`. */
  readonly large: LargeTraces
  readonly #needs: LiveTraceNeeds
  readonly #actions: PendingActions
  readonly #recent = new RecentParts()
  readonly #rests = new RestOfTraces<Predicted>()

  constructor(needs: LiveTraceNeeds) {
    this.#needs = needs
    this.large = new LargeTraces(needs.store)
    this.#actions = new PendingActions(sharedFactRows(factRows(needs.store)))
  }

  /** The newest masterchain block of the index; null when it is empty. */
  head(): Promise<BlockIdExt | null> {
    return indexedHead(this.#needs.store)
  }

  /** All of it predicted; null when its contract refuses the message. Throws ApiError or StoreError. */
  async ofMessage({ cell, share, ...names }: SentMessage, at: BlockIdExt): Promise<LiveTrace | null> {
    const signal = timeLimit(LONGEST_MS)
    const predicted = await this.#predict([cell], { ...names, traceId: null }, { at, share, signal })
    if (predicted.nodes.length === 0) return null
    return await this.#classified({ ...names, traceId: null, isWhole: true }, predicted)
  }

  /**
   * A trace of which a block brought transactions; `earlier` has those of the blocks before it. Null for one that no message from
   * outside began, and for one that began before the index.
   */
  async ofBlock(
    block: BlockRows,
    trace: TraceRow,
    { finality, predicts, earlier }: OfBlock,
  ): Promise<LiveTrace | null> {
    const { transactions: own, actions } = traceParts(block, trace.traceId)
    const found = [...earlier, ...own]
    const names = namesOfTrace(found)
    if (names === null) return null
    const nodes = [
      ...earlier.map((one): LiveNode => ({ found: one, finality: 'finalized' })),
      ...own.map((one): LiveNode => ({ found: one, finality })),
    ]
    if (trace.state === 'complete' && trace.mcSeqnoEnd === block.mcSeqno) {
      return { ...names, nodes, actions: actions.map((row) => ({ row, finality })), isWhole: true }
    }
    if (predicts === 'nothing' || (predicts === 'tail' && !leavesOnlyNotices(found)) || !earlier.every(hasContents))
      return { ...names, nodes, actions: [], isWhole: false }
    const rest = this.#rests.take(block, trace.traceId) ?? (await this.#restOf(block, found, names))
    if (finality !== 'finalized') this.#rests.keep(block, trace.traceId, rest)
    return await this.#classified({ ...names, isWhole: true }, { ...rest, nodes: [...nodes, ...rest.nodes] })
  }

  /** The finished trace that began with a message of this hash, plain or normalised; null without one that ended since a time. */
  async ofHash(hash: Uint8Array, since: number, actionsOf: (traceId: Uint8Array) => Promise<readonly ActionRow[]>) {
    const sent = (await readAll(this.#needs.store, sentRead([hash]))).find(({ state }) => state === 'complete')
    if (sent === undefined || sent.endUtime < since) return null
    if (isLargeTrace(sent)) return await this.large.head(sent)
    const found = await this.#indexed(sent)
    const names = namesOfTrace(found)
    if (names === null) return null
    const finality = 'finalized' as const
    const actions = (await actionsOf(sent.traceId)).map((row) => ({ row, finality }))
    const nodes = found.map((one): LiveNode => ({ found: one, finality }))
    return { ...names, nodes, actions, isWhole: true } satisfies LiveTrace
  }

  /** Takes blocks one after the other, so that their traces need not be read again. */
  follow(block: BlockRows): void {
    this.#recent.add(block)
  }

  /** What was followed may have been undone since. */
  forget(): void {
    this.#recent.clear()
  }

  /** The transactions that traces have in the blocks before one, by the keys of the traces. */
  async earlierThan(block: BlockRows, traces: readonly TraceRow[]): Promise<ReadonlyMap<string, TransactionFound[]>> {
    const all = new Map<string, TransactionFound[]>()
    const begun = traces.filter(({ traceId, mcSeqnoStart }) => {
      const recent = this.#recent.before(block, traceId)
      if (recent !== undefined) all.set(traceKey(traceId), [...recent])
      return recent === undefined && mcSeqnoStart < block.mcSeqno
    })
    if (begun.length === 0) return all
    const { store } = this.#needs
    const rows = await readTransactionsOfTraces(store, begun)
    const found = await readFound(
      store,
      rows.filter(({ mcSeqno }) => mcSeqno < block.mcSeqno),
    )
    for (const one of found) addToGroup(all, traceKey(one.row.traceId), one)
    for (const { traceId } of begun) this.#recent.learn(block, traceId, all.get(traceKey(traceId)) ?? [])
    return all
  }

  async #indexed(trace: SentFound): Promise<TransactionFound[]> {
    const { store } = this.#needs
    return await readFound(store, await readTransactionsOfTraces(store, [trace]))
  }

  /** What is still to come of a trace behind a block. */
  async #restOf(block: BlockRows, found: readonly TransactionFound[], names: LiveTraceNames): Promise<Predicted> {
    const signal = timeLimit(LONGEST_MS)
    const cells = await cellsOf(this.#needs.chain, unconsumed(found), signal)
    return await this.#predict(cells, names, { at: masterIdOf(block), share: OWN_SHARE, signal })
  }

  async #predict(
    messages: Parameters<Emulation['follow']>[0],
    names: LiveTraceNames,
    { at, share, signal }: { readonly at: BlockIdExt; readonly share: string; readonly signal: AbortSignal },
  ): Promise<Predicted> {
    if (messages.length === 0) return { nodes: [], bytes: 0 }
    const { chain, settings } = this.#needs
    const pool = this.#needs.pool.share(share)
    const [{ transactions }, { params }] = await Promise.all([
      new Emulation(this.#needs, at).follow(messages, { pool, signal }),
      settings.at(at, signal),
    ])
    const version = globalVersionOf(params)
    const found = transactions.map((one) => foundOf(one, names, version))
    return {
      nodes: found.map((one) => ({ found: one, finality: 'pending' })),
      bytes: transactions.reduce((sum, { after }) => sum + after.length, bytesOfTransactions(found)),
      facts: () => factsAfter({ chain, pool, settings }, at, transactions, found),
    }
  }

  async #classified(
    trace: Omit<LiveTrace, 'actions' | 'nodes'>,
    { nodes: live, facts }: Omit<Predicted, 'bytes'>,
  ): Promise<LiveTrace> {
    const nodes = live.map(({ found, finality }) => ({ found, emulated: finality === 'pending' }))
    const levels = new Map(live.map(({ found, finality }) => [base64Of(found.row.hash), finality]))
    const after = facts === undefined ? {} : { factsAfter: facts() }
    const actions = await this.#actions.of({ ...trace, ...after, nodes })
    return {
      ...trace,
      nodes: live,
      actions: actions.map(({ row }): LiveAction => ({ row, finality: leastIn(row, levels) })),
    }
  }
}

const leastIn = ({ transactions }: ActionRow, levels: ReadonlyMap<string, Finality>): Finality =>
  leastOf(transactions.map((hash) => levels.get(base64Of(hash)) ?? 'pending'))

export function masterIdOf({ mcSeqno, rootHash, blocks }: BlockRows): BlockIdExt {
  const master = blocks.find(({ workchain }) => workchain === MASTERCHAIN)
  if (master === undefined) throw new Error('A masterchain block without itself')
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: mcSeqno, rootHash, fileHash: master.fileHash }
}
