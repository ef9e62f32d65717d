// Pending traces: of messages sent here, the part in blocks, and the rest as the TVM predicts it. Computed on request, once per
// indexed block: a new run shows whether a message was refused, replaced or expired meanwhile.

import { type BinaryHash, type Cell, hashFromBytes } from '../../cell/index.ts'
import { GasMeter } from '../../contracts/index.ts'
import { oneAtATime } from '../../fairness/index.ts'
import { type BlockIdExt, type Chain, isSameBlock } from '../../node/index.ts'
import { timeLimit } from '../../process/index.ts'
import {
  readAll,
  readTransactionParts,
  type SentFound,
  type Sql,
  sentRead,
  type TransactionFound,
  transactionsOfTracesRead,
} from '../../store/index.ts'
import type { TvmPool } from '../../tvm/index.ts'
import { type EmulatedTransaction, Emulation, type EmulationTools, type FollowedSoFar } from '../emulation/emulation.ts'
import { type FactsAfter, factsAfter } from '../emulation/factsAfter.ts'
import { globalVersionOf } from '../emulation/globalVersionOf.ts'
import { foundOf } from '../emulation/traceNames.ts'
import { ChainAtIndex, type ChainAtIndexTools } from './chainAtIndex.ts'
import type { PendingMessage } from './messageShelf.ts'
import type { PendingMessages } from './pendingMessages.ts'
import { cellsOf, unconsumed } from './unconsumed.ts'

export interface PendingNode {
  readonly found: TransactionFound
  readonly emulated: boolean
}

export interface PendingTrace {
  /** As it was sent. */
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** Null as long as no block has its first transaction. */
  readonly traceId: Uint8Array | null
  /** Those of blocks first, then the others, breadth first. */
  readonly nodes: readonly PendingNode[]
  /** Adds the facts that only the emulated contracts can give. */
  readonly factsAfter?: FactsAfter
}

export interface PendingTools extends EmulationTools {
  readonly chain: EmulationTools['chain'] & Pick<Chain, 'transactions'> & ChainAtIndexTools['chain']
  readonly pool: Pick<TvmPool, 'share'>
  readonly store: Sql
  readonly mempool: PendingMessages
  readonly followMs?: ChainAtIndexTools['followMs']
  /** Milliseconds for the emulation of all of them. */
  readonly emulationMs?: number | undefined
}

/** Maximum transactions emulated for one block, over all messages: bounds the cost of one call. */
const MOST_EMULATED = 4000
/** Who calls during one run waits for the next: two of them, and the contracts of actions, are to fit into the time of a call. */
const LONGEST_MS = 3500
/** The part of the time after which only one message of each caller is emulated, and none of those that were sent elsewhere. */
const LATE = 1 / 2
/** The part after which the rest of traces that are in blocks is not emulated: they may never end. */
const BEGUN = 1 / 4
/** The part after which no more messages are delivered before what earlier ones lead to, and how many are. */
const FIRST = 1 / 8
const MOST_FIRST = 1000
/** Maximum transactions read of traces in blocks: of all together, and of one. */
const MOST_READ = 10_000
const LONGEST_READ = 4000

interface CollectRun {
  readonly emulation: Emulation
  readonly globalVersion: number
  readonly signal: AbortSignal
  readonly isFollowed: boolean
  /** What get-methods have used, by whose messages led to the contracts. */
  readonly gas: Map<string, GasMeter>
  /** What is emulated of the message already. */
  readonly begun?: FollowedSoFar | undefined
}

const emulatedNodes = (
  transactions: readonly EmulatedTransaction[],
  { traceId, hash }: Pick<PendingTrace, 'traceId' | 'hash'>,
  globalVersion: number,
): readonly PendingNode[] =>
  transactions.map((one) => ({ found: foundOf(one, { traceId, hash }, globalVersion), emulated: true }))

/** Unfinished traces that are read, the shortest first. Longer ones may never end, and are left out. */
function readable(found: readonly SentFound[]): ReadonlySet<SentFound> {
  let left = MOST_READ
  const shortest = found.filter(({ state, nodes }) => state !== 'complete' && nodes <= LONGEST_READ)
  shortest.sort((a, b) => a.nodes - b.nodes)
  const isRead = ({ nodes }: SentFound): boolean => {
    left -= nodes
    return left >= 0
  }
  return new Set(shortest.filter(isRead))
}

/** Callers take turns: the first message of each comes before the second of any. Each message comes with the number of its turn. */
function inTurns(messages: readonly PendingMessage[]): readonly (readonly [number, PendingMessage])[] {
  const counts = new Map<string, number>()
  const turns = messages.map((message): readonly [number, PendingMessage] => {
    const turn = counts.get(message.share) ?? 0
    counts.set(message.share, turn + 1)
    return [turn, message]
  })
  return turns.sort(([a], [b]) => a - b)
}

/** The answer as of one block. */
interface Computed {
  readonly at: BlockIdExt
  readonly version: number
  /** What the chain's clock had been moved to. */
  readonly movedTo: number
  readonly traces: readonly PendingTrace[]
}

export class PendingTraces {
  readonly #tools: PendingTools
  readonly #atIndex: ChainAtIndex
  /** Shared by all calls until the next block or message. */
  #latest: Computed | null = null
  readonly #computed = oneAtATime(() => this.#compute())

  constructor(tools: PendingTools) {
    this.#tools = tools
    this.#atIndex = new ChainAtIndex(tools)
  }

  /** All of them, in order of arrival. Throws ApiError or StoreError. */
  async all(): Promise<readonly PendingTrace[]> {
    if (this.#tools.mempool.isEmpty) return []
    const at = await this.#atIndex.head()
    if (at === null) return []
    return (this.#latestAt(at) ?? (await this.#computed()))?.traces ?? []
  }

  #latestAt(at: BlockIdExt): Computed | null {
    const latest = this.#latest
    if (latest === null || !isSameBlock(latest.at, at) || latest.version !== this.#tools.mempool.version) return null
    return latest.movedTo === this.#movedTo() ? latest : null
  }

  readonly #movedTo = (): number => this.#tools.chain.movedTo?.() ?? 0

  /** Null when the index is empty. */
  async #compute(): Promise<Computed | null> {
    this.#latest = await this.#atIndex.run(async (at) => {
      if (at === null) return null
      const { version } = this.#tools.mempool
      const movedTo = this.#movedTo()
      return this.#latestAt(at) ?? { at, version, movedTo, traces: await this.#collect(at) }
    })
    return this.#latest
  }

  /** Messages in no block yet, in order of arrival, and the newest indexed block; null when there is none. */
  async waiting(signal: AbortSignal): Promise<{ readonly at: BlockIdExt; readonly messages: readonly Cell[] } | null> {
    if (this.#tools.mempool.isEmpty) return null
    return this.#atIndex.run(async (at) => at && { at, messages: await this.#waitingAt(signal) })
  }

  async #waitingAt(signal: AbortSignal): Promise<readonly Cell[]> {
    const { mempool, chain } = this.#tools
    const messages = mempool.all()
    const sent = await this.#sent(messages)
    const read = readable([...sent.values()])
    const waiting: Cell[] = []
    for (const message of messages) {
      const known = sent.get(hashFromBytes(message.hashNorm))
      if (known === undefined && !mempool.isOver(message)) waiting.push(message.cell)
      if (known?.state === 'pending' && read.has(known))
        waiting.push(...(await cellsOf(chain, unconsumed(await this.#committed(known.traceId)), signal)))
    }
    return waiting
  }

  async #collect(at: BlockIdExt): Promise<readonly PendingTrace[]> {
    const { settings, emulationMs = LONGEST_MS } = this.#tools
    const signal = timeLimit(emulationMs)
    const { fresh, begun } = await this.#going()
    const { params } = await settings.at(at, signal)
    const run = {
      emulation: new Emulation(this.#tools, at),
      globalVersion: globalVersionOf(params),
      signal,
      gas: new Map<string, GasMeter>(),
    }
    const traces = new Map<PendingMessage, PendingTrace>()
    const firsts = new Map<PendingMessage, FollowedSoFar>()
    const start = performance.now()
    const isAfter = (part: number): boolean => performance.now() - start > part * emulationMs
    let left = MOST_EMULATED
    const add = async (message: PendingMessage, known: SentFound | null): Promise<void> => {
      const isFollowed = known === null || (left > 0 && !isAfter(BEGUN))
      const begun = firsts.get(message)
      const emulatedBefore = begun?.transactions.length ?? 0
      const followed = await this.#nodes(message, known, { ...run, isFollowed, begun })
      const { nodes } = followed
      // A message that its contract refuses leads to nothing.
      if (nodes.length > 0) traces.set(message, { ...message, traceId: known?.traceId ?? null, ...followed })
      left -= nodes.filter(({ emulated }) => emulated).length - emulatedBefore
    }
    try {
      const turns = inTurns(fresh)
      // As a block does: messages from outside come before what earlier ones lead to.
      for (const [, message] of turns.slice(0, MOST_FIRST)) {
        if (isAfter(FIRST)) break
        const following = run.emulation.begin([message.cell])
        await run.emulation.proceed(following, { pool: this.#tools.pool.share(message.share), signal }, 1)
        left -= following.transactions.length
        // What is refused now may be accepted after what earlier ones lead to, in a later block.
        if (following.refused === null) firsts.set(message, following)
      }
      for (const [turn, message] of turns) {
        if (left <= 0) break
        if (!isAfter(LATE) || (turn === 0 && !message.isShared)) await add(message, null)
      }
      for (const [message, known] of begun) await add(message, known)
    } catch (error) {
      if (!signal.aborted || traces.size + firsts.size === 0) throw error
    }
    // Others were predicted after these, so they are shown as far as they went.
    for (const [message, { transactions }] of firsts) {
      const trace = { ...message, traceId: null }
      if (!traces.has(message))
        traces.set(message, { ...trace, nodes: emulatedNodes(transactions, trace, run.globalVersion) })
    }
    return [...traces.keys()].sort((a, b) => a.since - b.since).flatMap((message) => traces.get(message) ?? [])
  }

  async #nodes(
    message: PendingMessage,
    known: SentFound | null,
    { emulation, globalVersion, signal, isFollowed, gas, begun }: CollectRun,
  ): Promise<Pick<PendingTrace, 'nodes' | 'factsAfter'>> {
    const { chain, settings } = this.#tools
    const committed = known === null ? [] : await this.#committed(known.traceId)
    const inBlocks = committed.map((found) => ({ found, emulated: false }))
    if (!isFollowed) return { nodes: inBlocks }
    const messages = known === null ? [message.cell] : await cellsOf(chain, unconsumed(committed), signal)
    const following = begun ?? emulation.begin(messages)
    const pool = this.#tools.pool.share(message.share)
    const { transactions } = await emulation.proceed(following, { pool, signal })
    const names = { traceId: known?.traceId ?? null, hash: message.hash }
    const emulated = emulatedNodes(transactions, names, globalVersion)
    const meter = gas.get(message.share) ?? new GasMeter()
    gas.set(message.share, meter)
    return {
      nodes: [...inBlocks, ...emulated],
      factsAfter: factsAfter(
        { chain, pool, settings, gas: meter },
        emulation.at,
        transactions,
        emulated.map(({ found }) => found),
      ),
    }
  }

  /** Messages in no block, in order of arrival, and those whose traces are in blocks, the shortest first. Removes finished ones. */
  async #going(): Promise<{
    fresh: readonly PendingMessage[]
    begun: readonly (readonly [PendingMessage, SentFound])[]
  }> {
    const { mempool } = this.#tools
    const sent = await this.#sent(mempool.all())
    const read = readable([...sent.values()])
    const fresh: PendingMessage[] = []
    const begun: [PendingMessage, SentFound][] = []
    for (const message of mempool.all()) {
      const known = sent.get(hashFromBytes(message.hashNorm))
      if (known === undefined ? mempool.isOver(message) : known.state === 'complete') mempool.remove(message)
      else if (known === undefined) fresh.push(message)
      else if (read.has(known)) begun.push([message, known])
    }
    return { fresh, begun: begun.sort(([, a], [, b]) => a.nodes - b.nodes) }
  }

  /** Indexed traces of messages, by normalised hash. */
  async #sent(messages: readonly PendingMessage[]): Promise<ReadonlyMap<BinaryHash, SentFound>> {
    const hashes = messages.flatMap(({ hash, hashNorm }) => [hash, hashNorm])
    const found = await readAll(this.#tools.store, sentRead(hashes))
    const byName = new Map<BinaryHash, SentFound>()
    for (const one of found) {
      const name = hashFromBytes(one.hashNorm ?? one.hash)
      // One message may have started several traces; it is finished when one of them is.
      if (byName.get(name)?.state !== 'complete') byName.set(name, one)
    }
    return byName
  }

  async #committed(traceId: Uint8Array): Promise<readonly TransactionFound[]> {
    const { store } = this.#tools
    return readTransactionParts(store, await readAll(store, transactionsOfTracesRead([traceId])))
  }
}
