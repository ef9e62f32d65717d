// Connections to one PostgreSQL, a bounded number of them.
//
// Behind a pooler, sessions are left as they were: it gives them to other clients, which may be other programs.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ReadLoad } from '../database.ts'
import { type DatabaseAddress, showAddress } from '../databaseAddress.ts'
import { isLost, isStillRunning, toStoreError } from '../failure.ts'
import { SQL_STATES } from '../sqlStates.ts'
import { StoreError } from '../storeError.ts'
import { connectionConfig, connectMsOf } from './connectionConfig.ts'
import { isPooled } from './pooled.ts'
import { answeredInTime, clientOf, cut, NoAnswer } from './pooledClient.ts'
import { isReplica } from './readOnlyPrimary.ts'

const IDLE_MS = 30_000
/** The error of the pool when all its connections are in use for too long; one of a server that is gone reads otherwise. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'
/** For so long no further connections are opened to a server that had none left. */
const FEWER_MS = 5_000
/** The same for a pooler, which does not refuse: a connection too many waits there until its time limit. */
const SILENT_MS = 30_000
/** Connections that are left to writes and to the leader. */
const ROOM = 3
/** Connections that were not taken again go to the pool, which closes what is idle. */
const SPARE_MS = 250
/** After room was requested, until the next attempt to connect; and after it was made, until it is made again. */
const ROOM_MS = 100
const AGAIN_MS = 2_000
/** Of a connection to a replica in place of the primary: its name may lead to another server by then. */
const REPLICA_MS = 5_000

export interface ConnectionsOptions {
  readonly address: DatabaseAddress
  readonly most: number
  /** Most callers that may wait for a connection. */
  readonly queueLimit: number
  /**
   * Statements that a connection with a session of its own begins with; a failure of one is ignored, since not every engine has
   * them.
   */
  readonly greeting: readonly string[]
  /** Prepares such a connection; a failure is ignored as well. */
  readonly greet?: (client: pg.ClientBase) => Promise<void>
  /** Whether a connection is replaced after it was used. */
  readonly isFull?: (client: pg.ClientBase) => boolean
  /** Called when work on a connection failed. */
  readonly failed?: (client: pg.ClientBase) => void
  /** Whether the address is that of a primary: one that turns out to be a replica is looked up again. */
  readonly isPrimary?: boolean
  /** Called when a connection broke. */
  readonly onBroken?: (() => void) | undefined
  /** Called where the server has no connection left and this has none. */
  readonly makeRoom?: () => void
}

export class PostgresConnections {
  readonly #pool: pg.Pool
  readonly #options: ConnectionsOptions
  /** Connections with a session of their own, not behind a pooler. */
  readonly #own = new WeakSet<pg.ClientBase>()
  /** Callers with a connection, and callers that wait for one. */
  #users = 0
  /** Connections that the server gave, and how many of them there are. */
  readonly #gave = new WeakSet<pg.ClientBase>()
  #given = 0
  /** On the clock of `performance.now()`. */
  #fewerUntil = 0
  #answeredAt = Number.NEGATIVE_INFINITY
  #roomUntil = 0
  /** Just given back, for the next callers: by way of the pool each takes two timers and a later step of the event loop. */
  readonly #spare: pg.PoolClient[] = []
  readonly #broken = new WeakSet<pg.ClientBase>()
  /** Until when connections to a replica are used, on the clock of `performance.now()`. */
  readonly #until = new WeakMap<pg.ClientBase, number>()
  #sparing: NodeJS.Timeout | undefined
  #isClosing = false
  /** Connections that may be kept while room is made for others. */
  #left = Number.POSITIVE_INFINITY

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#pool = new pg.Pool({
      ...connectionConfig(options.address),
      Client: clientOf(options.address),
      max: options.most,
      idleTimeoutMillis: IDLE_MS,
      // Statements of a transaction that do not wait for each other are sent together.
      pipeline: true,
      onConnect: (client) => this.#begin(client),
    })
    // An idle connection that breaks is removed by the pool.
    this.#pool.on('error', () => undefined)
    // Also one that breaks before it was given.
    this.#pool.on('remove', (client) => {
      if (this.#gave.delete(client)) this.#given--
    })
    this.#pool.on('connect', (client) => {
      this.#gave.add(client)
      this.#given++
      if (this.#isShort) this.#bound()
      // The statement of a connection that breaks in use fails with this error as well.
      client.on('error', () => this.#drop(client))
    })
  }

  get load(): ReadLoad {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.#pool
    return { open, busy: open - idleCount - this.#spare.length, waiting }
  }

  /** Runs `work` on a connection of its own. A connection that is lost or still runs a statement is not used again. */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { most, queueLimit } = this.#options
    if (this.#users >= most + queueLimit) throw this.#busy()
    this.#users++
    try {
      const client = this.#spare.pop() ?? (await this.#connect())
      try {
        const result = await work(client)
        this.#answeredAt = performance.now()
        this.#giveBack(client)
        return result
      } catch (error) {
        this.#options.failed?.(client)
        const isReadOnly = error instanceof StoreError && error.sqlState === SQL_STATES.readOnly
        const isOver = isLost(error) || isStillRunning(error) || isReadOnly
        if (isOver) cut(client)
        client.release(isOver)
        throw error
      }
    } finally {
      this.#users--
    }
  }

  isOwn(client: pg.ClientBase): boolean {
    return this.#own.has(client)
  }

  /** Leaves some connections to others for a while, but for one. */
  giveRoom(): void {
    const now = performance.now()
    if (now < this.#roomUntil || this.#given === 0) return
    this.#roomUntil = now + AGAIN_MS
    this.#returnSpare()
    this.#left = Math.max(1, this.#given - ROOM)
    const idle = Math.min(this.#pool.idleCount, this.#given - this.#left)
    this.#beShort()
    for (let i = 0; i < idle; i++) void this.use(() => Promise.resolve()).catch(() => undefined)
  }

  /** Closes all, once running work has ended. */
  close(): Promise<void> {
    this.#isClosing = true
    this.#returnSpare()
    return this.#pool.end()
  }

  /** To the next caller, or to the pool. */
  #giveBack(client: pg.PoolClient): void {
    // It may have broken right behind its answer.
    const isSpent =
      this.#broken.has(client) || performance.now() > (this.#until.get(client) ?? Number.POSITIVE_INFINITY)
    const isOver = this.#isAbove || isSpent || (this.#options.isFull?.(client) ?? false)
    if (isOver || this.#isClosing || this.#pool.waitingCount > 0 || this.#isShort) {
      client.release(isOver)
      return
    }
    this.#spare.push(client)
    this.#sparing ??= setTimeout(() => this.#returnSpare(), SPARE_MS).unref()
  }

  #returnSpare(): void {
    clearTimeout(this.#sparing)
    this.#sparing = undefined
    for (const client of this.#spare.splice(0)) client.release(this.#isAbove)
  }

  /** One that breaks is not used again, a spare one closed at once. */
  #drop(client: pg.ClientBase): void {
    this.#broken.add(client)
    this.#options.onBroken?.()
    for (const [at, one] of this.#spare.entries()) {
      if (one !== client) continue
      this.#spare.splice(at, 1)
      one.release(true)
      return
    }
  }

  async #begin(client: pg.ClientBase): Promise<void> {
    const began = performance.now()
    try {
      await this.#greet(client)
    } catch (error) {
      // Others were answered meanwhile: a pooler has no session left for one more. The pool is bound before it fails, or it would
      // open another connection for the next caller.
      if (error instanceof NoAnswer && this.#given > 0 && this.#answeredAt > began) this.#beShort(SILENT_MS)
      throw error
    }
  }

  async #greet(client: pg.ClientBase): Promise<void> {
    const { address, greeting, greet, isPrimary } = this.#options
    const inTime = <T>(answer: Promise<T>, otherwise: T): Promise<T> =>
      answeredInTime(
        client,
        answer.catch(() => otherwise),
        connectMsOf(address),
      )
    // What needs no answer of each other is sent at once: a server may be far away.
    const [stands, pooled] = await Promise.all([
      inTime(isPrimary ? isReplica(client) : Promise.resolve(false), false),
      inTime(greeting.length === 0 ? Promise.resolve(true) : isPooled(client), true),
    ])
    if (stands) this.#until.set(client, performance.now() + REPLICA_MS)
    if (pooled) return
    this.#own.add(client)
    const begun: Promise<unknown>[] = greeting.map((text) => client.query(text))
    if (greet !== undefined) begun.push(greet(client))
    await Promise.all(begun.map((answer) => inTime<unknown>(answer, undefined)))
  }

  /** Where the server has no connection left, the caller waits for one of those that it gave. */
  async #connect(): Promise<pg.PoolClient> {
    const began = performance.now()
    for (let tries = 1; ; tries++) {
      if (!this.#isShort) {
        this.#left = Number.POSITIVE_INFINITY
        this.#pool.options.max = this.#options.most
      }
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (error instanceof Error && error.message === WAITED_TOO_LONG) throw this.#busy()
        if (tries === 1 && error instanceof NoAnswer && this.#isShort) continue
        const { code, message, sqlState } = toStoreError(error)
        const { makeRoom } = this.#options
        // Those that are still connecting may be given one: once, since callers without any would take turns at that.
        const hasSome = this.#given > 0 || (tries === 1 && this.#pool.totalCount > 0)
        const isHopeless = sqlState !== SQL_STATES.tooManyConnections || !(hasSome || makeRoom)
        if (isHopeless || performance.now() - began > connectMsOf(this.#options.address))
          throw new StoreError(code, `${message} (${showAddress(this.#options.address)})`, { cause: error, sqlState })
        if (hasSome) this.#beShort()
        else {
          makeRoom?.()
          await sleep(ROOM_MS)
        }
      }
    }
  }

  get #isShort(): boolean {
    return performance.now() < this.#fewerUntil
  }

  #beShort(ms = FEWER_MS): void {
    this.#fewerUntil = performance.now() + ms
    this.#bound()
    this.#returnSpare()
  }

  /** Limits the pool to the connections that the server gave, without those that are left to others. */
  #bound(): void {
    this.#pool.options.max = Math.max(1, Math.min(this.#given, this.#left, this.#options.most))
  }

  /** Whether more are open than the pool may have now. Some of `#given` may be closing, some of the pool are still connecting. */
  get #isAbove(): boolean {
    return Math.min(this.#given, this.#pool.totalCount) > this.#pool.options.max
  }

  #busy(): StoreError {
    return new StoreError('busy', `All ${this.#pool.options.max} connections to the database are in use`)
  }
}
