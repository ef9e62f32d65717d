// The embedded database: PGlite in a thread, in a folder that this process holds.

import { statfs } from 'node:fs/promises'
import type { Database, Leadership, QueryOptions, Row, Sql, SqlText, TransactionOptions } from '../database.ts'
import { StoreError } from '../errors.ts'
import type { Notice } from '../options.ts'
import { sql } from '../sql.ts'
import { whenAborted, whenLate } from '../waiting.ts'
import { pgliteCode } from './code.ts'
import { type HeldFolder, holdFolder } from './folder.ts'
import { type ImageKind, unpackImage } from './image.ts'
import { type Answer, BrokenDatabase, Interrupted, Session } from './session.ts'
import { runTransaction } from './transaction.ts'
import { Turns } from './turns.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export interface PgliteOptions {
  readonly folder: string | null
  /** What a new one begins with. */
  readonly image: ImageKind
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly queueLimit: number
  readonly notice: Notice
}

/** Opens the database of a folder, or makes it. Throws StoreError `locked` and `mismatch`, among others. */
export async function openPglite(options: PgliteOptions): Promise<PgliteDatabase> {
  // It takes as long as unpacking does, and has threads of its own. Whoever needs it is told of a failure.
  pgliteCode().catch(() => undefined)
  const held = options.folder === null ? null : await holdFolder(options.folder, options.image)
  try {
    return await opened(options, held)
  } catch (error) {
    if (held === null || held.isNew || !isDamage(error)) throw await released(held, error)
    return await openAnew(options, held, error)
  }
}

async function opened(options: PgliteOptions, held: HeldFolder | null): Promise<PgliteDatabase> {
  const database = new PgliteDatabase(options, held)
  await database.start()
  return database
}

async function released(held: HeldFolder | null, error: unknown): Promise<unknown> {
  await held?.release()
  return error
}

/**
 * With less than this on its disk a database is not written, and one that does not start is not taken for damaged. Without
 * room for the next file of its log a database breaks down, and starts again only when it has it; until then it is read.
 */
const LEAST_ROOM_BYTES = 32 << 20
/** Between tries to start a database that did not. */
const START_PAUSE_MS = 1_000

/**
 * Sets a database aside that does not start, twice in a row on a disk with room. When a new one does not start either, the
 * cause is another: the old one is put back.
 */
async function openAnew(options: PgliteOptions, held: HeldFolder, first: unknown): Promise<PgliteDatabase> {
  try {
    await needRoom(held.path, first)
    const again = await opened(options, held).catch((error: unknown) => error)
    if (again instanceof PgliteDatabase) return again
    if (!isDamage(again)) throw again
    const old = await held.setAside()
    const database = await opened(options, held).catch(async () => {
      await old.undo()
      throw again
    })
    const facts = { setAside: old.path, cause: again.message }
    options.notice('embedded index damaged: set aside, a new one is made from the chain', facts)
    return database
  } catch (error) {
    throw await released(held, error)
  }
}

async function needRoom(path: string, cause?: unknown): Promise<void> {
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  if (free >= LEAST_ROOM_BYTES) return
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
  const words = `${path} has ${megabytes(free)} MB left on its disk and needs ${megabytes(LEAST_ROOM_BYTES)} MB`
  throw new StoreError('full', words, { cause })
}

const isDamage = (error: unknown): error is BrokenDatabase => error instanceof BrokenDatabase

export class PgliteDatabase implements Database {
  readonly kind = 'pglite'
  readonly read: Sql
  readonly #options: PgliteOptions
  readonly #folder: HeldFolder | null
  readonly #turns: Turns
  /** Whoever leads here holds it. */
  readonly #leading = new Turns(Number.POSITIVE_INFINITY)
  readonly #closing = new AbortController()
  readonly #upkeep: Upkeep
  #session: Promise<Session> | null = null

  constructor(options: PgliteOptions, folder: HeldFolder | null) {
    this.#options = options
    this.#folder = folder
    this.#turns = new Turns(options.queueLimit)
    this.#upkeep = createUpkeep((statement, timeoutMs) => this.#query(statement, { timeoutMs }))
    this.read = { query: (statement, asked = {}) => this.#query(statement, asked) }
  }

  async start(): Promise<void> {
    this.#session = this.#begin()
    await this.#session
  }

  async transaction<T>(work: (to: Sql) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const endTurn = await this.#turns.take('alone')
    try {
      if (this.#folder !== null) await needRoom(this.#folder.path)
      const session = await this.#live()
      const result = await runTransaction(session, work, { timeoutMs: this.#options.writeTimeoutMs, ...options })
      this.#upkeep.wrote()
      return result
    } finally {
      endTurn()
    }
  }

  /** The folder is ours, so this process leads; within it one at a time. */
  async lead(signal: AbortSignal): Promise<Leadership> {
    this.#refuseIfClosed()
    const release = await this.#leading.take('alone', { signal })
    return { lost: this.#closing.signal, release: async () => release() }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    const closed = new StoreError('closed', 'The database is closed')
    this.#closing.abort(closed)
    this.#upkeep.stop()
    this.#turns.clear(closed)
    this.#leading.clear(closed)
    const session = await this.#session?.catch(() => null)
    // What runs may finish: its own limit bounds it.
    const endTurn = await this.#turns.take('alone')
    await session?.close()
    endTurn()
    await this.#folder?.release()
  }

  async #query<R extends Row>(statement: SqlText, { timeoutMs, signal }: QueryOptions): Promise<readonly R[]> {
    const { readTimeoutMs } = this.#options
    const limit = timeoutMs ?? readTimeoutMs
    this.#refuseIfClosed()
    const endTurn = await this.#turns.take('beside', { signal, patienceMs: limit })
    // Ending a statement costs the thread: one whose caller is in a hurry still has the time every other one has.
    const answer = this.#answer(statement, Math.max(limit, readTimeoutMs))
    // Nobody waits any longer than they want to, but the turn lasts as long as the statement.
    answer.then(endTurn, endTurn)
    const waits: Promise<Awaited<typeof answer>>[] = [answer]
    if (signal !== undefined) waits.push(whenAborted(signal, answer))
    // Those asked before it may take as long as it may.
    waits.push(whenLate(limit < readTimeoutMs ? limit : 2 * limit, answer))
    const { rows } = await Promise.race(waits)
    // Rows have the names and types of the statement's columns; that they are R is what the caller says.
    return rows as readonly R[]
  }

  /** What ends because another read took too long is asked again, as long as that is no longer than it might take itself. */
  async #answer(statement: SqlText, limitMs: number): Promise<Answer> {
    const began = performance.now()
    for (;;) {
      const session = await this.#live()
      try {
        return await session.run(statement, limitMs)
      } catch (error) {
        if (!(error instanceof Interrupted) || error.code !== 'timeout') throw error
        const waited = performance.now() - began
        if (waited > limitMs) throw new StoreError('busy', `The database had no time for ${Math.round(waited)} ms`)
      }
    }
  }

  #refuseIfClosed(): void {
    if (this.#closing.signal.aborted) throw new StoreError('closed', 'The database is closed')
  }

  async #live(): Promise<Session> {
    for (;;) {
      this.#refuseIfClosed()
      this.#session ??= this.#beginAgain()
      const session = await this.#session
      if (!session.isGone) return session
      // By then there is another.
      await session.ended
    }
  }

  async #begin(): Promise<Session> {
    const folder = this.#folder?.path ?? null
    const image = folder === null ? await unpackImage(this.#options.image) : null
    const session = await Session.start({ folder, image, code: await pgliteCode() })
    void session.ended.then((cause) => this.#onEnd(cause))
    // Only transactions write, and they say so.
    await session.run(sql`set default_transaction_read_only = on`, this.#options.writeTimeoutMs)
    return session
  }

  #onEnd(cause: StoreError): void {
    if (this.#closing.signal.aborted) return
    // What was in memory only is gone with the thread.
    const next = this.#folder === null ? Promise.reject(cause) : this.#beginAgain()
    this.#session = next
    next.then(
      () => this.#options.notice('embedded database started anew', { cause: cause.message }),
      (error: unknown) =>
        this.#options.notice('embedded database does not start', { cause: cause.message, err: error }),
    )
  }

  /** One that does not start is tried again for a statement that comes a moment later. */
  #beginAgain(): Promise<Session> {
    const next = this.#begin()
    const forget = () => {
      if (this.#session === next) this.#session = null
    }
    next.catch(() => setTimeout(forget, START_PAUSE_MS).unref())
    return next
  }
}
