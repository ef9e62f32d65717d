// What was written last, kept as it was written: who sent a message asks for what came of it as soon as that is indexed,
// and is spared what would be read again out of the tables it has just gone into.

import { LRUCache } from 'lru-cache'
import { bytesKey } from './read/bytesKey.ts'
import { sentBefore, type TransactionFound, withMessages } from './read/transactionParts.ts'
import type { AccountStateRow } from './tables/accounts.ts'
import type { TransactionRow } from './tables/chain.ts'
import type { MasterBlockRows } from './write/masterBlocks.ts'

type Written = Pick<MasterBlockRows, 'transactions' | 'messages' | 'accountStates'>

/** The last batch and as many before it as have so many transactions together. */
const MOST_TRANSACTIONS = 500
const MOST_STATES = 5_000

const isSamePlace = (a: TransactionRow, b: TransactionRow): boolean =>
  a.mcSeqno === b.mcSeqno && a.block.seqno === b.block.seqno && a.block.workchain === b.block.workchain

type Parts = Pick<TransactionFound, 'row' | 'inMessage' | 'outMessages'>

/** One batch, put in order when somebody asks for it. */
class Batch {
  readonly rows: Written
  #transactions: ReadonlyMap<string, Parts> | null = null
  /** Of states between two transactions of one block only the hash is known. */
  readonly #between = new Set<string>()

  constructor(rows: Written) {
    this.rows = rows
  }

  find(hash: string): Parts | undefined {
    this.#transactions ??= this.#order()
    return this.#transactions.get(hash)
  }

  isBetween(state: string): boolean {
    return this.#between.has(state)
  }

  #order(): ReadonlyMap<string, Parts> {
    const { transactions, messages, accountStates } = this.rows
    const left = new Set(transactions.map(({ stateAfter }) => bytesKey(stateAfter)))
    for (const { hash } of accountStates) left.delete(bytesKey(hash))
    for (const { stateBefore } of transactions) {
      const state = bytesKey(stateBefore)
      if (left.has(state)) this.#between.add(state)
    }
    return new Map(withMessages(transactions, messages).map((parts) => [bytesKey(parts.row.hash), parts]))
  }
}

export class NewestTransactions {
  #batches: readonly Batch[] = []
  readonly #states = new LRUCache<string, AccountStateRow>({ maxSize: MOST_STATES, sizeCalculation: () => 1 })

  /** Takes what has been committed. */
  wrote({ transactions, messages, accountStates }: Written): void {
    const rows = { transactions, messages, accountStates }
    for (const state of accountStates) this.#states.set(bytesKey(state.hash), state)
    let room = MOST_TRANSACTIONS
    this.#batches = [new Batch(rows), ...this.#batches].filter((batch, i) => {
      room -= batch.rows.transactions.length
      return i === 0 || room >= 0
    })
  }

  /** What belongs to a transaction; undefined unless all of it is here. */
  get(row: TransactionRow): TransactionFound | undefined {
    const hash = bytesKey(row.hash)
    for (const batch of this.#batches) {
      const kept = batch.find(hash)
      if (kept !== undefined) return isSamePlace(kept.row, row) ? this.#whole({ ...kept, row }, batch) : undefined
    }
    return undefined
  }

  #whole(parts: Parts, batch: Batch): TransactionFound | undefined {
    const { row, inMessage, outMessages } = parts
    const [before, after] = [this.#state(row.stateBefore, batch), this.#state(row.stateAfter, batch)]
    const isMissing = inMessage === null && row.inMsgHash !== null
    if (isMissing || before === undefined || after === undefined) return undefined
    return { row, inMessage, outMessages: [...outMessages].sort(sentBefore), before, after }
  }

  #state(hash: Uint8Array, batch: Batch): AccountStateRow | null | undefined {
    const name = bytesKey(hash)
    return this.#states.get(name) ?? (batch.isBetween(name) ? null : undefined)
  }
}
