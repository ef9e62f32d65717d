// Reads from a replica. While it does not answer, or is not of the same chain, they go to the primary.

import type { ReadLoad, Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { Outage } from './outage.ts'
import type { PostgresReads } from './postgresReads.ts'

export interface ReplicaOptions {
  readonly replica: PostgresReads
  readonly primary: PostgresReads
  readonly closing: AbortSignal
  readonly notice: StoreNotice
}

const NO_SUCH_TABLE = '42P01'

/** Which chain the index is of; empty for an index without one. */
async function chainOf(server: Sql): Promise<string> {
  try {
    const [row] = await server.query(sql`select t::text as chain from chain_identity t`, { retries: false })
    return String(row?.chain ?? '')
  } catch (error) {
    if (error instanceof StoreError && error.sqlState === NO_SUCH_TABLE) return ''
    throw error
  }
}

const isUnavailable = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === 'unavailable' || error.code === 'damaged')

/** Each by its name: a call is such an object, and its limits are no fields of its own. */
const withoutRetries = ({ timeoutMs, signal, onBegun }: StatementOptions): StatementOptions => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(signal === undefined ? {} : { signal }),
  ...(onBegun === undefined ? {} : { onBegun }),
  retries: false,
})

export class ReplicaReads implements Sql {
  readonly #options: ReplicaOptions
  readonly #outage: Outage

  constructor(options: ReplicaOptions) {
    const { closing, notice } = options
    this.#options = options
    this.#outage = new Outage({
      probe: () => this.#check(),
      closing,
      onDown: ({ message }) =>
        notice('replica unreachable: reads go to the primary until it answers', { cause: message }),
      onUp: () => notice('replica reachable again', {}),
    })
  }

  get load(): ReadLoad {
    const [a, b] = [this.#options.replica.load, this.#options.primary.load]
    return { open: a.open + b.open, busy: a.busy + b.busy, waiting: a.waiting + b.waiting }
  }

  giveRoom(): void {
    this.#options.primary.giveRoom()
  }

  /** Looks whether it can be read from. */
  async open(): Promise<void> {
    try {
      await this.#check()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      this.#outage.begin(error)
    }
  }

  async query<R extends SqlRow>(statement: SqlText, options: StatementOptions = {}): Promise<readonly R[]> {
    const { replica, primary, closing } = this.#options
    if (!this.#outage.isDown) {
      try {
        return await replica.query<R>(statement, withoutRetries(options))
      } catch (error) {
        if (!isUnavailable(error) || closing.aborted || options.signal?.aborted === true) throw error
        this.#outage.begin(error)
      }
    }
    return await primary.query<R>(statement, options)
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.replica.close(), this.#options.primary.close()])
  }

  /** Throws StoreError while it cannot be read from. */
  async #check(): Promise<void> {
    const { replica, primary } = this.#options
    const own = await chainOf(replica)
    // Without its primary a replica is read from all the same.
    const chain = await chainOf(primary).catch(() => own)
    if (own !== chain)
      throw new StoreError('unavailable', 'The replica has another chain than the database, or none yet')
  }
}
