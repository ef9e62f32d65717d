// What was written last, kept as it was written: who sent a message asks for what came of it as soon as that is indexed,
// and is spared what would be read again out of the tables it has just gone into.

import { LRUCache } from 'lru-cache'
import { nameOf, sentBefore, type TransactionFound } from './read/transactionParts.ts'
import type { AccountStateRow, MessageRow, TransactionRow } from './rows.ts'
import type { MasterBlockRows } from './write/masterBlocks.ts'

type Written = Pick<MasterBlockRows, 'transactions' | 'messages' | 'accountStates'>

/** The last batch and as many before it as have so many transactions together. */
const MOST_TRANSACTIONS = 500
const MOST_STATES = 5_000

const isSamePlace = (a: TransactionRow, b: TransactionRow): boolean =>
  a.mcSeqno === b.mcSeqno && a.block.seqno === b.block.seqno && a.block.workchain === b.block.workchain

/** One batch, put in order when somebody asks for it. */
class Batch {
  readonly rows: Pick<Written, 'transactions' | 'messages'>
  #transactions: ReadonlyMap<string, TransactionRow> | null = null
  readonly #messages = new Map<string, MessageRow>()
  readonly #sentBy = new Map<string, MessageRow[]>()
  /** Of states between two transactions of one block only the hash is known. */
  readonly #between = new Set<string>()

  constructor(rows: Batch['rows']) {
    this.rows = rows
  }

  find(hash: string): TransactionRow | undefined {
    this.#transactions ??= this.#order()
    return this.#transactions.get(hash)
  }

  message(hash: string): MessageRow | undefined {
    return this.#messages.get(hash)
  }

  sentBy(hash: string): readonly MessageRow[] {
    return this.#sentBy.get(hash) ?? []
  }

  isBetween(state: string): boolean {
    return this.#between.has(state)
  }

  #order(): ReadonlyMap<string, TransactionRow> {
    const { transactions, messages } = this.rows
    for (const message of messages) {
      this.#messages.set(nameOf(message.hash), message)
      if (message.outTxHash === null) continue
      const sender = nameOf(message.outTxHash)
      const sent = this.#sentBy.get(sender)
      if (sent === undefined) this.#sentBy.set(sender, [message])
      else sent.push(message)
    }
    const left = new Set(transactions.map(({ stateAfter }) => nameOf(stateAfter)))
    for (const { stateBefore } of transactions) {
      const state = nameOf(stateBefore)
      if (left.has(state)) this.#between.add(state)
    }
    return new Map(transactions.map((row) => [nameOf(row.hash), row]))
  }
}

export class NewestTransactions {
  #batches: readonly Batch[] = []
  readonly #states = new LRUCache<string, AccountStateRow>({ maxSize: MOST_STATES, sizeCalculation: () => 1 })

  /** Takes what has been committed. */
  wrote({ transactions, messages, accountStates }: Written): void {
    for (const state of accountStates) this.#states.set(nameOf(state.hash), state)
    let room = MOST_TRANSACTIONS
    this.#batches = [new Batch({ transactions, messages }), ...this.#batches].filter((batch, i) => {
      room -= batch.rows.transactions.length
      return i === 0 || room >= 0
    })
  }

  /** What belongs to a transaction; undefined unless all of it is here. */
  get(row: TransactionRow): TransactionFound | undefined {
    const hash = nameOf(row.hash)
    for (const batch of this.#batches) {
      const kept = batch.find(hash)
      if (kept !== undefined) return isSamePlace(kept, row) ? this.#whole(row, batch) : undefined
    }
    return undefined
  }

  #whole(row: TransactionRow, batch: Batch): TransactionFound | undefined {
    const inMessage = row.inMsgHash === null ? null : batch.message(nameOf(row.inMsgHash))
    const [before, after] = [this.#state(row.stateBefore, batch), this.#state(row.stateAfter, batch)]
    if (inMessage === undefined || before === undefined || after === undefined) return undefined
    return { row, inMessage, outMessages: [...batch.sentBy(nameOf(row.hash))].sort(sentBefore), before, after }
  }

  #state(hash: Uint8Array, batch: Batch): AccountStateRow | null | undefined {
    const name = nameOf(hash)
    return this.#states.get(name) ?? (batch.isBetween(name) ? null : undefined)
  }
}
