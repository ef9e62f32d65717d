// A PostgreSQL, or a database with its protocol: reads and writes on separate connections, so that neither waits for the other.

import { closeTogether } from '../../process/index.ts'
import type { Database, Leadership, MasterId, ReadLoad, Sql, TransactionOptions } from '../database.ts'
import { type DatabaseAddress, databaseAddressText } from '../databaseAddress.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { checkSettings } from './checkSettings.ts'
import { keepStatistics } from './keepStatistics.ts'
import { leadByLease } from './lease.ts'
import { leadByLock } from './lock.ts'
import { PostgresConnections } from './postgresConnections.ts'
import { PostgresReads } from './postgresReads.ts'
import { ReplicaReads } from './replicaReads.ts'
import { retryConflict } from './retryLost.ts'
import { afterStandby } from './standby.ts'
import { runPostgresTransaction } from './statements.ts'

const LEASE_STATEMENT_MS = 2_000

export interface PostgresOptions {
  readonly address: DatabaseAddress
  readonly readAddress: DatabaseAddress
  readonly readConnections: number
  readonly writeConnections: number
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly idleMs?: number | undefined
  readonly queueLimit: number
  readonly notice: StoreNotice
}

/** Fails unless the server answers, and then notes nothing: the error has the reason. Throws StoreError. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const notes: (() => void)[] = []
  let isOpen = false
  const notice: StoreNotice = (...note) =>
    isOpen ? options.notice(...note) : notes.push(() => options.notice(...note))
  const database = new PostgresDatabase({ ...options, notice })
  try {
    await database.open()
    isOpen = true
    for (const tell of notes) tell()
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
  readonly #reads: PostgresReads | ReplicaReads
  readonly #primary: PostgresReads
  readonly #writes: PostgresConnections
  readonly #closing = new AbortController()
  #closed: Promise<void> | null = null

  constructor(options: PostgresOptions) {
    const { address, readAddress, queueLimit } = options
    this.#options = options
    const primary = this.#readsFrom(address)
    this.#primary = primary
    const closing = this.#closing.signal
    const notice = options.notice
    this.#reads =
      databaseAddressText(readAddress) === databaseAddressText(address)
        ? primary
        : new ReplicaReads({ replica: (onBroken) => this.#readsFrom(readAddress, onBroken), primary, closing, notice })
    const makeRoom = (): void => this.#reads.giveRoom()
    this.#writes = new PostgresConnections({
      address,
      most: options.writeConnections,
      queueLimit,
      greeting: [],
      makeRoom,
    })
    this.read = { query: (statement, options) => this.#whileOpen(this.#reads.query(statement, options)) }
  }

  get load(): ReadLoad {
    return this.#reads.load
  }

  keepUp(head: MasterId | null): void {
    if (this.#reads instanceof ReplicaReads) this.#reads.keepUp(head)
  }

  transaction<T>(work: (to: Sql) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const { writeTimeoutMs: limitMs, idleMs } = this.#options
    return this.#whileOpen(
      retryConflict(() =>
        this.#writes.use((client) => runPostgresTransaction(client, work, { limitMs, idleMs, ...options })),
      ),
    )
  }

  async lead(signal: AbortSignal, onStandby: () => void = () => undefined): Promise<Leadership> {
    const either = AbortSignal.any([signal, this.#closing.signal])
    const { lost, release } = await this.#leadAlone(either, afterStandby(onStandby))
    // The counters of writes and of analyzes are those of the primary: a replica does not have them.
    const stop = keepStatistics({ read: this.#primary, transaction: (...work) => this.transaction(...work) })
    lost.addEventListener('abort', stop, { once: true })
    const end = () => {
      stop()
      return release()
    }
    return { lost, release: end }
  }

  async open(): Promise<void> {
    if (this.#reads instanceof ReplicaReads) await this.#reads.open()
    await checkSettings(this.read)
  }

  /** Further calls wait for the same end. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#closing.abort(new StoreError('closed', 'The database is closed'))
    await closeTogether(
      () => this.#reads.close(),
      () => this.#writes.close(),
    )
  }

  /** By a lock or a lease. */
  async #leadAlone(either: AbortSignal, onOther: () => void): Promise<Leadership> {
    const makeRoom = (): void => this.#reads.giveRoom()
    const byLock = await leadByLock(this.#options.address, either, { makeRoom, onOther })
    if (byLock !== null) return byLock
    this.#options.notice('no advisory locks, or a pooler in between: leading by lease', {})
    return this.#leadByLease(either, onOther)
  }

  /** Over a connection of its own, so that a renewal never waits for the writes it protects. */
  async #leadByLease(signal: AbortSignal, onOther: () => void): Promise<Leadership> {
    const own = new PostgresConnections({ address: this.#options.address, most: 1, queueLimit: 10, greeting: [] })
    const writes: Pick<Database, 'transaction'> = {
      transaction: (work) =>
        retryConflict(() => own.use((client) => runPostgresTransaction(client, work, { limitMs: LEASE_STATEMENT_MS }))),
    }
    try {
      const { lost, release } = await leadByLease(writes, signal, { onOther })
      lost.addEventListener('abort', () => void own.close(), { once: true })
      return { lost, release: () => release().finally(() => (lost.aborted ? undefined : own.close())) }
    } catch (error) {
      await own.close()
      throw error
    }
  }

  #whileOpen<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      if (this.#closing.signal.aborted) throw new StoreError('closed', 'The database is closed', { cause: error })
      throw error
    })
  }

  #readsFrom(address: DatabaseAddress, onBroken?: () => void): PostgresReads {
    const { readConnections: most, queueLimit, readTimeoutMs: limitMs, notice } = this.#options
    const isPrimary = onBroken === undefined
    const closing = this.#closing.signal
    return new PostgresReads({ address, most, queueLimit, limitMs, closing, notice, isPrimary, onBroken })
  }
}
