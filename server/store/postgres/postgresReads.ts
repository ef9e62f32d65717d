// Reads from one PostgreSQL, over connections of their own.

import type { ReadLoad, Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { isLost } from '../failure.ts'
import { aborted, rejectOnAbort } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { Outage } from './outage.ts'
import { PostgresConnections } from './postgresConnections.ts'
import { PreparedStatements } from './preparedStatements.ts'
import { retryLost } from './retryLost.ts'
import { IDLE_IN_TRANSACTION_MS, runStatement, runStatementWithin, USUAL_TRANSACTIONS } from './statements.ts'

export interface ReadsOptions {
  readonly address: string
  readonly most: number
  readonly queueLimit: number
  readonly limitMs: number
  /** Aborted when the database is closed. */
  readonly closing: AbortSignal
  readonly notice: StoreNotice
}

/**
 * Sets the cost of a page that suits fast disks, unless the server's own setting is not the default of 4. With that, the planner
 * reads and sorts all rows that match, or scans all accounts, although an index has the rows in order. Engines without it ignore it.
 */
const costOfPages = (isLocal: boolean): string =>
  `select set_config('random_page_cost', '1.1', ${isLocal}) where current_setting('random_page_cost', true) = '4'`

/** Compiling a statement takes longer than any of these runs. */
const withoutCompiling = (isLocal: boolean): string =>
  `select set_config('jit', 'off', ${isLocal}) where current_setting('jit', true) = 'on'`

/** For one transaction, where a session is shared with others. */
const SHARED = [costOfPages(true), withoutCompiling(true)]

export class PostgresReads implements Sql {
  readonly #options: ReadsOptions
  readonly #connections: PostgresConnections
  readonly #prepared = new PreparedStatements()
  readonly #outage: Outage

  constructor(options: ReadsOptions) {
    const { address, most, queueLimit, closing, notice } = options
    this.#options = options
    this.#connections = new PostgresConnections({
      address,
      most,
      queueLimit,
      greeting: [
        `set statement_timeout = ${options.limitMs}`,
        `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
        'set default_transaction_read_only = on',
        ...USUAL_TRANSACTIONS,
        withoutCompiling(false),
        costOfPages(false),
      ],
      greet: (client) => this.#prepared.greet(client),
      isFull: (client) => this.#prepared.isFull(client),
    })
    this.#outage = new Outage({
      probe: () => this.#once(sql`select 1`, {}),
      closing,
      onDown: (cause) => notice('database unreachable: reads are refused until it answers', { cause: cause.message }),
      onUp: () => notice('database reachable again', {}),
    })
  }

  get load(): ReadLoad {
    return this.#connections.load
  }

  giveRoom(): void {
    this.#connections.giveRoom()
  }

  async query<R extends SqlRow>(statement: SqlText, options: StatementOptions = {}): Promise<readonly R[]> {
    const once = () => this.#once<R>(statement, options)
    if (options.retries === false) {
      const rows = await once()
      this.#outage.end()
      return rows
    }
    this.#outage.throwIfDown()
    try {
      return await retryLost(once, options.signal)
    } catch (error) {
      const isGivenUp = options.signal?.aborted !== true && !this.#options.closing.aborted
      if (isGivenUp && error instanceof StoreError && isLost(error)) this.#outage.begin(error)
      throw error
    }
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #once<R extends SqlRow>(
    statement: SqlText,
    { timeoutMs, signal, onBegun }: StatementOptions,
  ): Promise<readonly R[]> {
    if (this.#options.closing.aborted) throw new StoreError('closed', 'The database is closed')
    if (signal?.aborted === true) throw aborted(signal)
    const usual = this.#options.limitMs
    const limit = timeoutMs ?? usual
    const answer = this.#prepared.retried(() =>
      this.#connections.use((client) => {
        // It may have waited for a connection.
        if (signal?.aborted === true) throw aborted(signal)
        const isOwn = this.#connections.isOwn(client)
        if (isOwn && limit === usual) {
          return this.#prepared.run(client, statement, (sent) =>
            runStatement<R>(client, statement, { limitMs: limit, ...sent }),
          )
        }
        this.#prepared.leaveNames(client)
        return runStatementWithin<R>(client, statement, { limitMs: limit, settings: isOwn ? [] : SHARED })
      }),
    )
    onBegun?.(answer)
    if (signal === undefined) return answer
    // The statement keeps its connection until it ends: the server enforces its timeout.
    return Promise.race([answer, rejectOnAbort(signal, answer)])
  }
}
