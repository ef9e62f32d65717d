// A PostgreSQL, or a database with its protocol: reads and writes on separate connections, so that neither waits for the other.

import type {
  Database,
  Leadership,
  ReadLoad,
  Row,
  Sql,
  SqlText,
  StatementOptions,
  TransactionOptions,
} from '../database.ts'
import { isLost } from '../failure.ts'
import { aborted, rejectOnAbort } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { keepStatistics } from './keepStatistics.ts'
import { leadByLease } from './lease.ts'
import { leadByLock } from './lock.ts'
import { Outage } from './outage.ts'
import { PostgresConnections } from './postgresConnections.ts'
import { PreparedStatements } from './preparedStatements.ts'
import { retryConflict, retryLost } from './retryLost.ts'
import { IDLE_IN_TRANSACTION_MS, runPostgresTransaction, runStatement, runStatementWithin } from './statements.ts'

const LEASE_STATEMENT_MS = 2_000

export interface PostgresOptions {
  readonly address: string
  readonly readAddress: string
  readonly readConnections: number
  readonly writeConnections: number
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly queueLimit: number
  readonly notice: StoreNotice
}

/** Fails unless the server answers. Throws StoreError. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(options)
  try {
    await database.read.query(sql`select 1`, { retries: false })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly read: Sql
  readonly #options: PostgresOptions
  readonly #reads: PostgresConnections
  readonly #prepared = new PreparedStatements()
  readonly #writes: PostgresConnections
  readonly #closing = new AbortController()
  readonly #outage: Outage

  constructor(options: PostgresOptions) {
    const { address, readAddress, queueLimit, readTimeoutMs } = options
    const idle = `set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
    this.#options = options
    this.#reads = new PostgresConnections({
      address: readAddress,
      most: options.readConnections,
      queueLimit,
      // Compiling a statement takes longer than any of these runs.
      greeting: [
        `set statement_timeout = ${readTimeoutMs}`,
        idle,
        'set default_transaction_read_only = on',
        'set jit = off',
      ],
      greet: (client) => this.#prepared.greet(client),
      isFull: (client) => this.#prepared.isFull(client),
    })
    this.#writes = new PostgresConnections({ address, most: options.writeConnections, queueLimit, greeting: [] })
    this.#outage = new Outage({
      probe: () => this.#readOnce(sql`select 1`, {}),
      closing: this.#closing.signal,
      notice: options.notice,
    })
    this.read = { query: (statement, options = {}) => this.#whileOpen(this.#read(statement, options)) }
  }

  get load(): ReadLoad {
    return this.#reads.load
  }

  transaction<T>(work: (to: Sql) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#whileOpen(
      retryConflict(() =>
        this.#writes.use((client) =>
          runPostgresTransaction(client, work, { limitMs: this.#options.writeTimeoutMs, ...options }),
        ),
      ),
    )
  }

  async lead(signal: AbortSignal): Promise<Leadership> {
    const { lost, release } = await this.#leadAlone(AbortSignal.any([signal, this.#closing.signal]))
    const stop = keepStatistics(this)
    lost.addEventListener('abort', stop, { once: true })
    const end = () => {
      stop()
      return release()
    }
    return { lost, release: end }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new StoreError('closed', 'The database is closed'))
    await Promise.all([this.#reads.close(), this.#writes.close()])
  }

  /** By a lock or a lease. */
  async #leadAlone(either: AbortSignal): Promise<Leadership> {
    const byLock = await leadByLock(this.#options.address, either)
    if (byLock !== null) return byLock
    this.#options.notice('no advisory locks, or a pooler in between: leading by lease', {})
    return this.#leadByLease(either)
  }

  /** Over a connection of its own, so that a renewal never waits for the writes it protects. */
  async #leadByLease(signal: AbortSignal): Promise<Leadership> {
    const own = new PostgresConnections({ address: this.#options.address, most: 1, queueLimit: 10, greeting: [] })
    const writes: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        retryConflict(() => own.use((client) => runPostgresTransaction(client, work, { limitMs: LEASE_STATEMENT_MS }))),
    }
    try {
      const { lost, release } = await leadByLease(writes, signal)
      lost.addEventListener('abort', () => void own.close(), { once: true })
      return { lost, release: () => release().finally(() => (lost.aborted ? undefined : own.close())) }
    } catch (error) {
      await own.close()
      throw error
    }
  }

  async #whileOpen<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (this.#closing.signal.aborted) throw new StoreError('closed', 'The database is closed', { cause: error })
      throw error
    }
  }

  async #read<R extends Row>(statement: SqlText, options: StatementOptions): Promise<readonly R[]> {
    const once = () => this.#readOnce<R>(statement, options)
    if (options.retries === false) return await once()
    this.#outage.throwIfDown()
    try {
      return await retryLost(once, options.signal)
    } catch (error) {
      const isGivenUp = options.signal?.aborted !== true && !this.#closing.signal.aborted
      if (isGivenUp && error instanceof StoreError && isLost(error)) this.#outage.begin(error)
      throw error
    }
  }

  async #readOnce<R extends Row>(statement: SqlText, { timeoutMs, signal }: StatementOptions): Promise<readonly R[]> {
    if (this.#closing.signal.aborted) throw new StoreError('closed', 'The database is closed')
    if (signal?.aborted === true) throw aborted(signal)
    const usual = this.#options.readTimeoutMs
    const limit = timeoutMs ?? usual
    const answer = this.#prepared.retried(() =>
      this.#reads.use((client) => {
        if (limit === usual) {
          const name = this.#prepared.nameOn(client, statement)
          return runStatement<R>(client, statement, { limitMs: limit, name })
        }
        this.#prepared.leaveNames(client)
        return runStatementWithin<R>(client, statement, limit)
      }),
    )
    if (signal === undefined) return answer
    // The statement keeps its connection until it ends: the server enforces its timeout.
    return Promise.race([answer, rejectOnAbort(signal, answer)])
  }
}
