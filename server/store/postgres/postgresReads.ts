// Reads from one PostgreSQL, over connections of their own.

import type pg from 'pg'
import type { ReadLoad, Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import type { DatabaseAddress } from '../databaseAddress.ts'
import { isLost } from '../failure.ts'
import { aborted, unlessAborted } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { Outage } from './outage.ts'
import { PostgresConnections } from './postgresConnections.ts'
import { PreparedStatements } from './preparedStatements.ts'
import { retryLost } from './retryLost.ts'
import { IDLE_IN_TRANSACTION_MS, runStatement, runStatementWithin, USUAL_READS } from './statements.ts'

export interface ReadsOptions {
  readonly address: DatabaseAddress
  readonly most: number
  readonly queueLimit: number
  readonly limitMs: number
  /** Aborted when the database is closed. */
  readonly closing: AbortSignal
  readonly notice: StoreNotice
  readonly isPrimary: boolean
  /** Called when a connection broke. */
  readonly onBroken?: (() => void) | undefined
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
        ...USUAL_READS,
        withoutCompiling(false),
        costOfPages(false),
      ],
      greet: (client) => this.#prepared.greet(client),
      isFull: (client) => this.#prepared.isFull(client),
      failed: (client) => this.#prepared.failed(client),
      isPrimary: options.isPrimary,
      onBroken: options.onBroken,
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

  query<R extends SqlRow>(statement: SqlText, options: StatementOptions = {}): Promise<readonly R[]> {
    const once = () => this.#once<R>(statement, options)
    if (options.retries === false) return this.#answered(once())
    const { error } = this.#outage
    if (error !== null) return Promise.reject(error)
    const began = performance.now()
    return once().catch((error: unknown) => this.#again(once, { error, began }, options.signal))
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    const rows = await answer
    this.#outage.end()
    return rows
  }

  async #again<T>(
    once: () => Promise<T>,
    failed: { readonly error: unknown; readonly began: number },
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      return await retryLost(once, failed, signal)
    } catch (error) {
      const isGivenUp = signal?.aborted !== true && !this.#options.closing.aborted
      if (isGivenUp && error instanceof StoreError && isLost(error)) this.#outage.begin(error)
      throw error
    }
  }

  /** Few promises: each costs a read of one row a hundredth of its time. */
  #once<R extends SqlRow>(statement: SqlText, options: StatementOptions): Promise<readonly R[]> {
    const { signal, onBegun } = options
    if (this.#options.closing.aborted) return Promise.reject(new StoreError('closed', 'The database is closed'))
    if (signal?.aborted === true) return Promise.reject(aborted(signal))
    const run = (client: pg.ClientBase) => this.#run<R>(client, statement, options)
    const answer = this.#prepared.retried(() => this.#connections.use(run))
    onBegun?.(answer)
    // The statement keeps its connection until it ends: the server enforces its timeout.
    return signal === undefined ? answer : unlessAborted(answer, signal)
  }

  #run<R extends SqlRow>(
    client: pg.ClientBase,
    statement: SqlText,
    { timeoutMs, signal }: StatementOptions,
  ): Promise<readonly R[]> {
    // It may have waited for a connection.
    if (signal?.aborted === true) throw aborted(signal)
    const usual = this.#options.limitMs
    const limitMs = timeoutMs ?? usual
    const isOwn = this.#connections.isOwn(client)
    if (isOwn && limitMs === usual) {
      const { name, setting } = this.#prepared.sent(client, statement)
      return runStatement<R>(client, statement, { limitMs, name, setting })
    }
    this.#prepared.leaveNames(client)
    return runStatementWithin<R>(client, statement, { limitMs, settings: isOwn ? [] : SHARED })
  }
}
