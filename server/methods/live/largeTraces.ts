// Traces that have ended with more transactions than are in memory at once: they are read some at a time, the last first.

import { bytesText } from '../../cell/index.ts'
import { Lanes, type SlicedWork } from '../../fairness/index.ts'
import { LeanAbort } from '../../process/index.ts'
import {
  type AccountKey,
  accountsOfTraceRead,
  demandIndexed,
  lastOfTraceRead,
  readAll,
  readTransactionsByHash,
  type Sql,
  type TraceRow,
  type TransactionFound,
  unpackAccounts,
  unpackNames,
} from '../../store/index.ts'
import { MOST_OF_TRACE } from '../view/v3/traceTree.ts'
import { bytesOfTransactions } from './bytesOfTransactions.ts'
import { type LiveTrace, namesOfTrace } from './liveTrace.ts'
import { readFound } from './readFound.ts'
import { SharedReads } from './sharedReads.ts'

/** Transactions of a part. Cursors of clients hold numbers of parts: it is never changed. */
const PART = 100
/** Transactions whose names are read at once, in whole parts: 6.5 MB, packed. Each such statement goes through the whole trace. */
const NAMES = 1_000 * PART
/** Accounts that are read at once: 7 MB, packed. */
const MOST_ACCOUNTS = 200_000

/** Hundreds of readers may come back to one trace: few statements at once leave the database to others. */
const LANES = { total: 2, perCaller: 2, perTurn: 2, waitingPerCaller: Number.POSITIVE_INFINITY }
const READERS = 'large traces'
const HASH_BYTES = 32
const NEVER = new LeanAbort().signal

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

/** Hashes of the transactions that are wanted, by their parts, and as few objects as possible: a reader keeps them while it reads. */
async function ownOf(
  parts: readonly Uint8Array[],
  isNamed: Wanted['isNamed'],
  pace: Wanted['pace'],
): Promise<ReadonlyMap<number, Buffer>> {
  const own = new Map<number, Buffer>()
  for (const [at, packed] of parts.entries()) {
    if (pace.isDue) await pace.rest()
    const hashes = unpackNames(packed).flatMap(({ hash, account }) => (isNamed(account) ? [hash] : []))
    if (hashes.length > 0) own.set(at, Buffer.concat(hashes))
  }
  return own
}

const listOf = (hashes: Buffer): Buffer[] =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, i) => hashes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES))

export class LargeTraces {
  readonly #store: Sql
  readonly #lanes = new Lanes(LANES)
  readonly #pagesOfNames = new SharedReads<readonly Uint8Array[]>({
    mostBytes: 8 << 20,
    bytesOf: (parts) => parts.reduce((sum, { length }) => sum + length, 0),
  })
  readonly #parts = new SharedReads<readonly TransactionFound[]>({ mostBytes: 24 << 20, bytesOf: bytesOfTransactions })
  /** Names of traces in what is shared: readers of one block have the same rows of it, those of a block that was undone others. */
  readonly #names = new WeakMap<TraceRow, number>()
  #named = 0

  constructor(store: Sql) {
    this.#store = store
  }

  /**
   * The trace without its transactions; null for one that no message from outside began, or that began before the index. Throws
   * BlockNotIndexed where the index removes it meanwhile.
   */
  async head({ traceId, mcSeqnoEnd }: Pick<TraceRow, 'traceId' | 'mcSeqnoEnd'>): Promise<LiveTrace | null> {
    const names = namesOfTrace(await this.#found([traceId]))
    if (names !== null) return { ...names, nodes: [], actions: [], isWhole: true, isTooLarge: true }
    await demandIndexed(this.#store, mcSeqnoEnd)
    return null
  }

  /** All accounts of a trace, some at a time. Not in turn with its readers: all streams wait for it. Throws as `head` does. */
  async *accounts({
    traceId,
    mcSeqnoEnd,
  }: Pick<TraceRow, 'traceId' | 'mcSeqnoEnd'>): AsyncGenerator<readonly AccountKey[]> {
    let after: AccountKey | null = null
    do {
      const names = accountsOfTraceRead(traceId, { after, limit: MOST_ACCOUNTS })
      const packed: readonly Uint8Array[] = await readAll(this.#store, names)
      await demandIndexed(this.#store, mcSeqnoEnd)
      let count = 0
      let last: AccountKey | null = null
      for (const some of packed) {
        const accounts = unpackAccounts(some)
        yield accounts
        count += accounts.length
        last = accounts.at(-1) ?? last
      }
      after = count < MOST_ACCOUNTS ? null : last
    } while (after !== null)
  }

  /** Parts with a transaction of the accounts. Throws BlockNotIndexed where the index removes it meanwhile. */
  async *parts(head: LiveTrace, row: TraceRow, { first, isNamed, pace }: Wanted): AsyncGenerator<LargeTracePart> {
    const leaveBoth = [this.#pagesOfNames.enter(), this.#parts.enter()]
    try {
      for (let offset = first * PART; offset < row.nodes; offset += NAMES) {
        const wanted = await this.#inTurn(async () => await ownOf(await this.#namesAt(row, offset), isNamed, pace))
        for (const [at, hashes] of wanted) {
          const found = await this.#inTurn(() => this.#transactionsOf(row, hashes))
          const trace = { ...head, nodes: found.map((one) => ({ found: one, finality: 'finalized' as const })) }
          yield { part: offset / PART + at, trace }
        }
      }
    } finally {
      for (const leave of leaveBoth) leave()
    }
  }

  #nameOf(row: TraceRow): number {
    const name = this.#names.get(row) ?? ++this.#named
    this.#names.set(row, name)
    return name
  }

  #namesAt(row: TraceRow, offset: number): Promise<readonly Uint8Array[]> {
    const read = async (): Promise<readonly Uint8Array[]> => {
      const all = await readAll(this.#store, lastOfTraceRead(row.traceId, { offset, limit: NAMES, perRow: PART }))
      await demandIndexed(this.#store, row.mcSeqnoEnd)
      return all
    }
    return this.#pagesOfNames.of(`${this.#nameOf(row)} from ${offset}`, read)
  }

  #transactionsOf(row: TraceRow, hashes: Buffer): Promise<readonly TransactionFound[]> {
    const read = async (): Promise<readonly TransactionFound[]> => {
      const found = await this.#found(listOf(hashes))
      // Some may be gone, and those left would come as if they were all.
      if (found.length * HASH_BYTES < hashes.length) await demandIndexed(this.#store, row.mcSeqnoEnd)
      return found
    }
    return this.#parts.of(`${this.#nameOf(row)} ${bytesText(hashes, 'latin1')}`, read)
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (!this.#lanes.tryEnter(READERS)) await this.#lanes.enter(READERS, NEVER)
    try {
      return await read()
    } finally {
      this.#lanes.leave(READERS)
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
