// Pending traces: of messages sent here, the part in blocks, and the rest as the TVM predicts it. Computed on request,
// once per indexed block: a new run
// shows whether a message was refused, replaced or expired meanwhile.

import { type BinaryHash, type Cell, hashFromBytes } from '../../cell/index.ts'
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
import { Emulation, type EmulationTools } from '../emulation/emulation.ts'
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
}

export interface PendingTools extends EmulationTools {
  readonly chain: EmulationTools['chain'] & Pick<Chain, 'transactions'> & ChainAtIndexTools['chain']
  readonly pool: Pick<TvmPool, 'share'>
  readonly store: Sql
  readonly mempool: PendingMessages
}

/** Maximum transactions emulated for one block, over all messages: bounds the cost of one call. */
const MOST_TRANSACTIONS = 4000
const LONGEST_MS = 8000
/** After this only messages that were sent here are emulated. */
const FOREIGN_MS = 4000

const nameOf = (hash: Uint8Array): BinaryHash => hashFromBytes(hash)

export class PendingTraces {
  readonly #tools: PendingTools
  readonly #atIndex: ChainAtIndex
  /** The answer as of one block, shared by all calls until the next. */
  #latest: {
    readonly at: BlockIdExt
    readonly version: number
    readonly traces: Promise<readonly PendingTrace[]>
  } | null = null

  constructor(tools: PendingTools) {
    this.#tools = tools
    this.#atIndex = new ChainAtIndex(tools)
  }

  /** All of them, in order of arrival. Throws ApiError or StoreError. */
  async all(): Promise<readonly PendingTrace[]> {
    if (this.#tools.mempool.isEmpty) return []
    return this.#atIndex.run(async (at) => (at === null ? [] : this.#asOf(at)))
  }

  #asOf(at: BlockIdExt): Promise<readonly PendingTrace[]> {
    const { version } = this.#tools.mempool
    if (this.#latest === null || !isSameBlock(this.#latest.at, at) || this.#latest.version !== version) {
      const traces = this.#collect(at)
      this.#latest = { at, version, traces }
      // A failure rejects those who wait for it; the next call tries again.
      traces.catch(() => {
        if (this.#latest?.traces === traces) this.#latest = null
      })
    }
    return this.#latest.traces
  }

  /** Messages in no block yet, in order of arrival, and the newest indexed block; null when there is none. */
  async waiting(signal: AbortSignal): Promise<{ readonly at: BlockIdExt; readonly messages: readonly Cell[] } | null> {
    if (this.#tools.mempool.isEmpty) return null
    return this.#atIndex.run(async (at) => at && { at, messages: await this.#waitingAt(signal) })
  }

  async #waitingAt(signal: AbortSignal): Promise<readonly Cell[]> {
    const { mempool, chain } = this.#tools
    const sent = await this.#sent(mempool.all())
    const messages: Cell[] = []
    for (const message of mempool.all()) {
      const known = sent.get(nameOf(message.hashNorm))
      if (known === undefined && !mempool.isOver(message)) messages.push(message.cell)
      if (known?.state === 'pending')
        messages.push(...(await cellsOf(chain, unconsumed(await this.#committed(known.traceId)), signal)))
    }
    return messages
  }

  async #collect(at: BlockIdExt): Promise<readonly PendingTrace[]> {
    const { mempool, pool, settings } = this.#tools
    const signal = timeLimit(LONGEST_MS)
    const sent = await this.#sent(mempool.all())
    const emulation = new Emulation(this.#tools, at)
    const { params } = await settings.at(at, signal)
    const globalVersion = globalVersionOf(params)
    const traces: PendingTrace[] = []
    let left = MOST_TRANSACTIONS
    const foreignEnd = performance.now() + FOREIGN_MS
    for (const message of mempool.all()) {
      const known = sent.get(nameOf(message.hashNorm))
      if (known?.state === 'complete' || (known === undefined && mempool.isOver(message))) {
        mempool.remove(message)
        continue
      }
      if (left <= 0 || (message.isShared && performance.now() > foreignEnd)) break
      const committed = known === undefined ? [] : await this.#committed(known.traceId)
      const messages =
        known === undefined ? [message.cell] : await cellsOf(this.#tools.chain, unconsumed(committed), signal)
      const { transactions } = await emulation.follow(messages, { pool: pool.share(message.share), signal })
      left -= transactions.length
      const names = { traceId: known?.traceId ?? null, hash: message.hash }
      const nodes = [
        ...committed.map((found) => ({ found, emulated: false })),
        ...transactions.map((one) => ({ found: foundOf(one, names, globalVersion), emulated: true })),
      ]
      // A message that its contract refuses leads to nothing.
      if (nodes.length > 0) traces.push({ ...message, ...names, nodes })
    }
    return traces
  }

  /** Indexed traces of messages, by normalised hash. */
  async #sent(messages: readonly PendingMessage[]): Promise<ReadonlyMap<BinaryHash, SentFound>> {
    const hashes = messages.flatMap(({ hash, hashNorm }) => [hash, hashNorm])
    const found = await readAll(this.#tools.store, sentRead(hashes))
    const byName = new Map<BinaryHash, SentFound>()
    for (const one of found) {
      const name = nameOf(one.hashNorm ?? one.hash)
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
