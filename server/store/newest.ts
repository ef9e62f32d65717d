// A cache of the rows that were written last: the sender of a message requests its transaction as soon as it is indexed, and is
// answered without reading it from the tables again.

import { LRUCache } from 'lru-cache'
import { goingThrough, inPieces } from '../fairness/index.ts'
import { bytesKey } from './read/bytesKey.ts'
import { JoinedMessages, type TransactionFound } from './read/transactionParts.ts'
import type { AccountStateRow } from './tables/accounts.ts'
import type { TransactionRow } from './tables/chain.ts'
import type { MasterBlockRows } from './write/masterBlocks.ts'

type Written = Pick<MasterBlockRows, 'transactions' | 'messages' | 'accountStates'>

/** The last batch is always cached; older ones while all together have at most this many transactions. */
const MOST_TRANSACTIONS = 500
const MOST_STATES = 5_000

const isSameBlock = (a: TransactionRow, b: Pick<TransactionRow, 'mcSeqno' | 'block'>): boolean =>
  a.mcSeqno === b.mcSeqno && a.block.seqno === b.block.seqno && a.block.workchain === b.block.workchain

type Parts = Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>

/** One batch, indexed when it is first read: a large one in pieces, until whose end nothing of it is found. */
class Batch {
  readonly rows: Written
  #transactions: ReadonlyMap<string, Parts> | null = null
  #indexing: Generator<void, ReadonlyMap<string, Parts>> | null = null
  /** Hashes of states between two transactions of one block, with no other facts. */
  readonly #between = new Set<string>()

  constructor(rows: Written) {
    this.rows = rows
  }

  find(hash: string): Parts | undefined {
    if (this.#indexing === null) this.#index()
    return this.#transactions?.get(hash)
  }

  isBetween(state: string): boolean {
    return this.#between.has(state)
  }

  #index(): void {
    const indexing = this.#byHash()
    this.#indexing = indexing
    const finish = (found: ReadonlyMap<string, Parts>): void => {
      this.#transactions = found
    }
    if (this.rows.transactions.length > MOST_TRANSACTIONS) {
      void inPieces(indexing, { subject: 'newest' }).then(finish)
      return
    }
    let piece = indexing.next()
    while (piece.done !== true) piece = indexing.next()
    finish(piece.value)
  }

  *#byHash(): Generator<void, ReadonlyMap<string, Parts>> {
    const { transactions, messages, accountStates } = this.rows
    const left = new Set<string>()
    yield* goingThrough(transactions, ({ stateAfter }) => left.add(bytesKey(stateAfter)))
    yield* goingThrough(accountStates, ({ hash }) => left.delete(bytesKey(hash)))
    yield* goingThrough(transactions, ({ stateBefore }) => {
      const state = bytesKey(stateBefore)
      if (left.has(state)) this.#between.add(state)
    })
    const ends = new JoinedMessages()
    yield* goingThrough(messages, (message) => ends.add(message))
    const byHash = new Map<string, Parts>()
    yield* goingThrough(transactions, (row) => byHash.set(bytesKey(row.hash), ends.of(row)))
    return byHash
  }
}

export class NewestTransactions {
  #batches: readonly Batch[] = []
  readonly #states = new LRUCache<string, AccountStateRow>({ maxSize: MOST_STATES, sizeCalculation: () => 1 })

  /** Takes rows that are committed. */
  wrote({ transactions, messages, accountStates }: Written): void {
    const rows = { transactions, messages, accountStates }
    for (const state of accountStates.slice(-MOST_STATES)) this.#states.set(bytesKey(state.hash), state)
    let room = MOST_TRANSACTIONS
    this.#batches = [new Batch(rows), ...this.#batches].filter((batch, i) => {
      room -= batch.rows.transactions.length
      return i === 0 || room >= 0
    })
  }

  /** The messages and states of a transaction; undefined unless all are cached. */
  get(row: TransactionRow): TransactionFound | undefined {
    const hash = bytesKey(row.hash)
    for (const batch of this.#batches) {
      const cached = batch.find(hash)
      if (cached !== undefined) return isSameBlock(cached.row, row) ? this.#whole({ ...cached, row }, batch) : undefined
    }
    return undefined
  }

  /** The row of a transaction, when it is cached as it is in the tables. */
  rowOf(place: Pick<TransactionRow, 'hash' | 'mcSeqno' | 'block'>): TransactionRow | undefined {
    const hash = bytesKey(place.hash)
    const cached = this.#batches.map((batch) => batch.find(hash)).find((parts) => parts !== undefined)
    return cached !== undefined && isSameBlock(cached.row, place) ? cached.row : undefined
  }

  #whole(parts: Parts, batch: Batch): TransactionFound | undefined {
    const { row, inMessage, outMessages } = parts
    const before = this.#state(row.stateBefore, batch)
    const after = this.#state(row.stateAfter, batch)
    const isMissing = inMessage === null && row.inMsgHash !== null
    if (isMissing || before === undefined || after === undefined) return undefined
    return { row, inMessage, outMessages, before, after }
  }

  #state(hash: Uint8Array, batch: Batch): AccountStateRow | null | undefined {
    const name = bytesKey(hash)
    return this.#states.get(name) ?? (batch.isBetween(name) ? null : undefined)
  }
}
