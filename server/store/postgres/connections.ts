// Connections to one PostgreSQL, a bounded number of them.
//
// Statements have no names on the server and sessions keep nothing but bounds, so that a pooler may stand between: where it
// loses those bounds, ours hold all the same.

import pg from 'pg'
import { StoreError } from '../errors.ts'
import { isLost, isStillRunning, toStoreError } from '../failure.ts'
import { columnTypes } from '../parsers.ts'
import { showAddress } from './address.ts'

const CONNECT_MS = 5_000
const IDLE_MS = 30_000

export interface ConnectionsOptions {
  readonly address: string
  readonly most: number
  /** Those who may wait for a connection. */
  readonly queueLimit: number
  /** Statements each connection begins with; an engine that does not know one goes without it. */
  readonly greeting: readonly string[]
}

/** What a client and a pool are made with. */
export const connectionConfig = (address: string): pg.ClientConfig => ({
  connectionString: address,
  application_name: 'tonrpc',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  types: columnTypes,
})

export class Connections {
  readonly #pool: pg.Pool
  readonly #options: ConnectionsOptions
  /** Those who have a connection, and those who wait for one. */
  #users = 0

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      ...connectionConfig(options.address),
      max: options.most,
      idleTimeoutMillis: IDLE_MS,
      // Statements of a transaction that do not wait for each other are on their way together.
      pipeline: true,
      async onConnect(client) {
        for (const text of options.greeting) await client.query(text).catch(() => undefined)
      },
    })
    // A connection that breaks while nobody uses it is simply gone.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      // While it is used, its statement fails, and that is told to whoever waits for it.
      client.on('error', () => undefined)
    })
  }

  /** Runs `work` on a connection of its own and throws what it throws; one that is lost or late is not used again. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { most, queueLimit } = this.#options
    if (this.#users >= most + queueLimit) throw this.#busy()
    this.#users++
    try {
      return await this.#useNext(work)
    } finally {
      this.#users--
    }
  }

  /** Ends all, when what runs has ended. */
  close(): Promise<void> {
    return this.#pool.end()
  }

  async #useNext<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(isLost(error) || isStillRunning(error))
      throw error
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const isFull = () => this.#pool.totalCount >= this.#options.most && this.#pool.idleCount === 0
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (isFull() && !(error instanceof pg.DatabaseError)) throw this.#busy()
      const { code, message, sqlState } = toStoreError(error)
      throw new StoreError(code, `${message} (${showAddress(this.#options.address)})`, { cause: error, sqlState })
    }
  }

  #busy(): StoreError {
    return new StoreError('busy', `All ${this.#options.most} connections to the database are in use`)
  }
}
