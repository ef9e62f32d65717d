// The embedded database: PGlite in a thread, in a folder that this process has locked.

import { filePlan, memoryPlan } from '../../process/index.ts'
import type { Database, Leadership, Sql, SqlRow, SqlText, StatementOptions, TransactionOptions } from '../database.ts'
import { rejectAfter, unlessAborted } from '../rejections.ts'
import { sql } from '../sql.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import type { WireAnswer } from '../wire/rowQuery.ts'
import { type HeldFolder, holdFolder, requireAccess } from './folder.ts'
import { type ImageKind, memoryImage } from './image.ts'
import { pgliteCode } from './pgliteCode.ts'
import { requireSpace } from './requireSpace.ts'
import { runTransaction } from './runTransaction.ts'
import { BrokenDatabase, Interrupted, Session } from './session.ts'
import { SessionTurns } from './sessionTurns.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'

export interface PgliteOptions {
  readonly folder: string | null
  readonly dropSetAside?: boolean | undefined
  /** What a new database begins with. */
  readonly image: ImageKind
  readonly readTimeoutMs: number
  readonly writeTimeoutMs: number
  readonly idleMs?: number | undefined
  readonly queueLimit: number
  readonly notice: StoreNotice
  readonly signal: AbortSignal | undefined
  readonly closeMs: number
  readonly onBegun?: (() => void) | undefined
}

/** Opens the database of a folder, or makes it. Throws StoreError `locked` and `mismatch`, among others. */
export async function openPglite(options: PgliteOptions): Promise<PgliteDatabase> {
  // Compiled on other threads while the image is unpacked, which takes as long. A failure is thrown where the code is used.
  pgliteCode().catch(() => undefined)
  const held = options.folder === null ? null : await holdFolder(options.folder, options.image)
  const database = await openHeld(options, held)
  if (held !== null && options.dropSetAside === true) await dropAside(options, held)
  return database
}

async function openHeld(options: PgliteOptions, held: HeldFolder | null): Promise<PgliteDatabase> {
  if (held !== null && held.fault !== null) return await openFaulty(options, held, held.fault)
  try {
    return await opened(options, held)
  } catch (error) {
    if (held === null || held.isNew || !isDamage(error)) throw await released(held, error)
    return await openAnew(options, held, error)
  }
}

/** What cannot be deleted takes room, and does no other harm. */
async function dropAside({ notice }: PgliteOptions, held: HeldFolder): Promise<void> {
  try {
    const count = await held.dropSetAside()
    if (count > 0) notice('damaged indexes that were set aside are deleted with their chain', { count })
  } catch (err) {
    notice('damaged indexes that were set aside cannot be deleted', { err })
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

/** Pause before the next attempt to start a database. */
const START_PAUSE_MS = 1_000

/**
 * Renames a database that failed to start twice, on a disk with free space and with files that this user may use, and makes a new
 * one. When that fails as well, the cause is something else: the old one is put back.
 */
async function openAnew(options: PgliteOptions, held: HeldFolder, first: unknown): Promise<PgliteDatabase> {
  try {
    await requireSpace(held.path, { cause: first })
    const again = await opened(options, held).catch((error: unknown) => error)
    if (again instanceof PgliteDatabase) return again
    if (!isDamage(again)) throw again
    await requireAccess(held.path)
    return await replaced(options, held, again)
  } catch (error) {
    throw await released(held, error)
  }
}

/** The same for files that cannot be started: some were lost before they were on the disk, or they are not of a database. */
async function openFaulty(options: PgliteOptions, held: HeldFolder, fault: string): Promise<PgliteDatabase> {
  try {
    await requireSpace(held.path)
    return await replaced(options, held, new Error(fault))
  } catch (error) {
    throw await released(held, error)
  }
}

/** Rejects with `cause`, and the old one where it was, when a new one fails to start as well. */
async function replaced(options: PgliteOptions, held: HeldFolder, cause: Error): Promise<PgliteDatabase> {
  const old = await held.setAside()
  const database = await opened(options, held).catch(async () => {
    await old.undo()
    throw cause
  })
  const facts = { setAside: old.path, cause: cause.message }
  options.notice('embedded index damaged: set aside, a new one is made from the chain', facts)
  return database
}

const isDamage = (error: unknown): error is BrokenDatabase => error instanceof BrokenDatabase

class PgliteDatabase implements Database {
  readonly kind = 'pglite'
  readonly read: Sql
  readonly #options: PgliteOptions
  readonly #folder: HeldFolder | null
  readonly #turns: SessionTurns
  /** Held by the leader. */
  readonly #leading = new SessionTurns(Number.POSITIVE_INFINITY)
  readonly #closing = new AbortController()
  #closed: Promise<void> | null = null
  readonly #upkeep: Upkeep
  #session: Promise<Session> | null = null
  /** Resolves when the files of a new database are synced; `#late` ends that when a close exceeds its time. */
  #synced: Promise<void> | undefined
  readonly #late = new AbortController()

  constructor(options: PgliteOptions, folder: HeldFolder | null) {
    this.#options = options
    this.#folder = folder
    this.#turns = new SessionTurns(options.queueLimit)
    this.#upkeep = createUpkeep((statement, timeoutMs) => this.#query(statement, { timeoutMs }))
    this.read = { query: (statement, options = {}) => this.#query(statement, options) }
  }

  async start(): Promise<void> {
    this.#session = this.#begin()
    await this.#session
    this.#synced = this.#folder?.syncNew(this.#late.signal).catch((err: unknown) => {
      this.#options.notice('files of the new index did not reach the disk', { err })
    })
  }

  async transaction<T>(work: (to: Sql) => Promise<T>, options?: TransactionOptions): Promise<T> {
    const endTurn = await this.#turns.take('exclusive')
    try {
      if (this.#folder !== null) await requireSpace(this.#folder.path)
      const session = await this.#live()
      const { writeTimeoutMs: timeoutMs, idleMs } = this.#options
      const result = await runTransaction(session, work, { timeoutMs, idleMs, ...options })
      this.#upkeep.wrote()
      return result
    } finally {
      endTurn()
    }
  }

  /** The folder is locked, so this process leads; one caller at a time. */
  async lead(signal: AbortSignal): Promise<Leadership> {
    this.#refuseIfClosed()
    const release = await this.#leading.take('exclusive', { signal })
    return { lost: this.#closing.signal, release: async () => release() }
  }

  async standstill(work: () => Promise<void>): Promise<void> {
    const endTurn = await this.#turns.take('exclusive')
    try {
      this.#refuseIfClosed()
      // PGlite writes only while it starts or runs a statement: no file changes during `work`.
      await this.#live()
      await work()
    } finally {
      endTurn()
    }
  }

  /** Further calls wait for the same end. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const closed = new StoreError('closed', 'The database is closed')
    this.#closing.abort(closed)
    this.#upkeep.stop()
    this.#turns.clear(closed)
    this.#leading.clear(closed)
    const session = await this.#session?.catch(() => null)
    // As after a kill: what is unfinished is rolled back, what is committed is in the log.
    const late = () => {
      session?.end(closed)
      this.#late.abort()
    }
    const limit = setTimeout(late, this.#options.closeMs)
    const endTurn = await this.#turns.take('exclusive')
    await session?.close()
    await this.#synced
    clearTimeout(limit)
    endTurn()
    await this.#folder?.release()
  }

  async #query<R extends SqlRow>(
    statement: SqlText,
    { timeoutMs, signal, onBegun }: StatementOptions,
  ): Promise<readonly R[]> {
    const { readTimeoutMs } = this.#options
    const limit = timeoutMs ?? readTimeoutMs
    this.#refuseIfClosed()
    const endTurn = await this.#turns.take('shared', { signal, timeoutMs: limit })
    // A statement ends only with its thread, so a caller's shorter limit ends the wait and not the statement.
    const answer = this.#answer(statement, Math.max(limit, readTimeoutMs))
    // The caller stops waiting at its own limit, but the turn lasts as long as the statement.
    answer.then(endTurn, endTurn)
    onBegun?.(answer)
    const awaited = signal === undefined ? answer : unlessAborted(answer, signal)
    // Statements ahead of it may take as long as it may.
    const late = rejectAfter(limit < readTimeoutMs ? limit : 2 * limit, answer, () => this.#upkeep.running)
    const { rows } = await Promise.race([awaited, late])
    // The cast: that the columns of the statement make an R is up to the caller.
    return rows as readonly R[]
  }

  /** Retries a read whose session ended because another read was too slow, for as long as its own limit. */
  async #answer(statement: SqlText, limitMs: number): Promise<WireAnswer> {
    const began = performance.now()
    for (;;) {
      const session = await this.#live()
      try {
        return await session.run(statement, limitMs)
      } catch (error) {
        if (!(error instanceof Interrupted) || error.code !== 'timeout') throw error
        const waited = performance.now() - began
        if (waited > limitMs)
          throw new StoreError('busy', `a statement waited for the database for ${Math.round(waited)} ms`)
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
      // By then `#onEnd` has begun the next one.
      await session.ended
    }
  }

  async #begin(): Promise<Session> {
    const folder = this.#folder?.path ?? null
    const image = folder === null ? await memoryImage(this.#options.image) : null
    const signals = [this.#closing.signal, this.#options.signal].filter((one) => one !== undefined)
    const { onBegun } = this.#options
    const setup = { folder, image, pagesMb: memoryPlan().databasePages, syncs: filePlan().syncs }
    const session = await Session.start(setup, pgliteCode(), { signal: AbortSignal.any(signals), onBegun })
    void session.ended.then((cause) => this.#onEnd(cause))
    // Transactions set themselves read write.
    await session.run(sql`set default_transaction_read_only = on`, this.#options.writeTimeoutMs)
    return session
  }

  #onEnd(cause: StoreError): void {
    if (this.#closing.signal.aborted) return
    // A database in memory is lost with its thread.
    const next = this.#folder === null ? Promise.reject(cause) : this.#beginAgain()
    this.#session = next
    const { message, cause: err } = cause
    next.then(
      () => this.#options.notice('embedded database restarted', { cause: message, err }),
      (error: unknown) => this.#options.notice('embedded database does not start', { cause: message, err: error }),
    )
  }

  /** After a failed start, the next statement that comes a second later starts it again. */
  #beginAgain(): Promise<Session> {
    const next = this.#begin()
    const forget = () => {
      if (this.#session === next) this.#session = null
    }
    next.catch(() => setTimeout(forget, START_PAUSE_MS).unref())
    return next
  }
}
