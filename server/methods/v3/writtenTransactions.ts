// Transactions as finished text. An indexed one never changes except its block: a rollback can remove it and index it again
// in another. So the cache key is its hash and its block, and nothing has to be evicted on a rollback.

import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Transaction } from '../../../shared/v3/transaction.ts'
import { inSlices } from '../../fairness/index.ts'
import {
  type AccountKey,
  type MessageRow,
  type NewestTransactions,
  type QueryOptions,
  readTransactionParts,
  type Sql,
  type TransactionFound,
  type TransactionRow,
} from '../../store/index.ts'
import { accountsOfTransaction, writeTransaction } from '../view/v3/transaction.ts'
import type { Written } from '../written.ts'

export interface WrittenTransaction {
  /** Made on first use, then cached. */
  readonly text: Written<z.output<typeof Transaction>>
  /** Those it sent, for who took them in. */
  readonly outMessages: readonly Pick<MessageRow, 'hash'>[]
  /** Whom an address book for it names. */
  readonly accounts: readonly AccountKey[]
}

/** Some five thousand of the usual size. */
const MOST_BYTES = 16 << 20
/** Of an account or a hash, and of anything kept next to its text. */
const NAME_BYTES = 150
const BYTES_BESIDE = 500

const sizeOf = ({ text, accounts, outMessages }: WrittenTransaction): number =>
  text.json.length + (accounts.length + outMessages.length) * NAME_BYTES + BYTES_BESIDE

const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')

const nameOf = ({ hash, mcSeqno, block, traceId, traceExternalHash }: TransactionRow): string =>
  `${latin1(hash)}${latin1(traceId)}${traceExternalHash === null ? '' : latin1(traceExternalHash)}` +
  `${mcSeqno},${block.workchain},${block.shard},${block.seqno}`

/**
 * Of states inside a block only the hash is known, and of those before the index began. That changes when the index begins
 * anew, or a block is made again with less in it: until then the old text is used.
 */
const PARTIAL_MS = 10_000

const isWhole = ({ row, inMessage, before, after }: TransactionFound): boolean =>
  before !== null && after !== null && (inMessage !== null || row.inMsgHash === null)

interface Clock {
  /** Milliseconds from any moment. */
  now(): number
}

export interface WrittenParts {
  /** What this process has written last into the same store. */
  readonly newest?: Pick<NewestTransactions, 'get'> | undefined
  readonly clock?: Clock
}

export class WrittenTransactions {
  readonly #store: Sql
  readonly #newest: WrittenParts['newest']
  readonly #kept: LRUCache<string, WrittenTransaction>

  constructor(store: Sql, { newest, clock = performance }: WrittenParts = {}) {
    this.#store = store
    this.#newest = newest
    this.#kept = new LRUCache({ maxSize: MOST_BYTES, sizeCalculation: sizeOf, perf: clock })
  }

  /** Texts of some rows, in their order: the side data is read only for those not cached. */
  async of(rows: readonly TransactionRow[], options?: QueryOptions): Promise<WrittenTransaction[]> {
    const known = await inSlices(rows, (row) => this.#kept.get(nameOf(row)))
    const found = await this.#find(
      rows.filter((_, i) => known[i] === undefined),
      options,
    )
    const others = (await inSlices(found, (one) => this.#toBeWritten(one))).values()
    return known.flatMap((one) => one ?? others.next().value ?? [])
  }

  async #find(rows: readonly TransactionRow[], options?: QueryOptions): Promise<readonly TransactionFound[]> {
    const kept = rows.map((row) => this.#newest?.get(row))
    const others = rows.filter((_, i) => kept[i] === undefined)
    const read = (await readTransactionParts(this.#store, others, options)).values()
    return kept.flatMap((one) => one ?? read.next().value ?? [])
  }

  #toBeWritten(found: TransactionFound): WrittenTransaction {
    const beside = {
      outMessages: found.outMessages.map(({ hash }) => ({ hash })),
      accounts: accountsOfTransaction(found),
    }
    let made: WrittenTransaction | null = null
    const write = (): WrittenTransaction => {
      made = { text: writeTransaction(found), ...beside }
      this.#kept.set(nameOf(found.row), made, isWhole(found) ? {} : { ttl: PARTIAL_MS })
      return made
    }
    return {
      ...beside,
      get text() {
        return (made ?? write()).text
      },
    }
  }
}
