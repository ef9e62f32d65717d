// Traces that have ended with more transactions than are in memory at once: they are read some at a time, the last first.

import { bytesText } from '../../cell/index.ts'
import type { SlicedWork } from '../../fairness/index.ts'
import {
  type AccountKey,
  accountsOfTraceRead,
  lastOfTraceRead,
  readAll,
  readTransactionsByHash,
  type Sql,
  type TraceRow,
  type TransactionFound,
} from '../../store/index.ts'
import { MOST_OF_TRACE } from '../view/v3/traceTree.ts'
import { type LiveTrace, namesOfTrace } from './liveTrace.ts'
import { readFound } from './readFound.ts'

/** Transactions of a part. Cursors of clients hold numbers of parts: it is never changed. */
const PART = 100
/** Transactions whose names are read at once, in whole parts: each such statement goes through the whole trace. */
const NAMES = 100 * PART

interface LargeTracePart {
  readonly part: number
  /** With some of the transactions of that part. */
  readonly trace: LiveTrace
}

interface Wanted {
  /** The first part. */
  readonly first: number
  /** Accounts whose transactions are read. */
  readonly isNamed: (account: AccountKey) => boolean
  readonly pace: Pick<SlicedWork, 'isDue' | 'rest'>
}

export const isLargeTrace = ({ nodes }: Pick<TraceRow, 'nodes'>): boolean => nodes > MOST_OF_TRACE

export class LargeTraces {
  readonly #store: Sql

  constructor(store: Sql) {
    this.#store = store
  }

  /** The trace without its transactions; null for one that no message from outside began, or that began before the index. */
  async head(traceId: Uint8Array): Promise<LiveTrace | null> {
    const names = namesOfTrace(await this.#found([traceId]))
    return names === null ? null : { ...names, nodes: [], actions: [], isWhole: true, isTooLarge: true }
  }

  /** All accounts of a trace, some at a time. */
  async *accounts({ traceId }: TraceRow): AsyncGenerator<readonly AccountKey[]> {
    let after: AccountKey | null = null
    do {
      const found: readonly AccountKey[] = await readAll(
        this.#store,
        accountsOfTraceRead(traceId, { after, limit: NAMES }),
      )
      yield found
      after = found.length < NAMES ? null : (found.at(-1) ?? null)
    } while (after !== null)
  }

  /** Parts with a transaction of the accounts. */
  async *parts(
    head: LiveTrace,
    { traceId, nodes }: TraceRow,
    { first, isNamed, pace }: Wanted,
  ): AsyncGenerator<LargeTracePart> {
    for (let offset = first * PART; offset < nodes; offset += NAMES) {
      const names = await readAll(this.#store, lastOfTraceRead(traceId, { offset, limit: NAMES }))
      for (let at = 0; at < names.length; at += PART) {
        if (pace.isDue) await pace.rest()
        const own = names.slice(at, at + PART).filter(({ account }) => isNamed(account))
        if (own.length === 0) continue
        const found = await this.#found(own.map(({ hash }) => hash))
        const trace = { ...head, nodes: found.map((one) => ({ found: one, finality: 'finalized' as const })) }
        yield { part: (offset + at) / PART, trace }
      }
    }
  }

  /** In the same order. */
  async #found(hashes: readonly Uint8Array[]): Promise<TransactionFound[]> {
    const rows = await readTransactionsByHash(this.#store, hashes)
    const byHash = new Map(rows.map((row) => [bytesText(row.hash, 'latin1'), row]))
    const ordered = hashes.flatMap((hash) => byHash.get(bytesText(hash, 'latin1')) ?? [])
    return await readFound(this.#store, ordered)
  }
}
