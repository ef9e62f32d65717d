// One life of the database's thread: from its start until it is closed, crashes, or is terminated because a statement took too
// long. There is no other way to end a statement: WebAssembly checks no timer and gets no signal while it runs. That is as safe
// as a kill of the process, which the log of the database is made for, and costs a start of the next thread.

import { fdatasync } from 'node:fs'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import pg from 'pg'
import { failureText, memoryPlan, startThread, workerEntry } from '../../process/index.ts'
import type { SqlText } from '../database.ts'
import { toStoreError } from '../failure.ts'
import { toWire } from '../parameters.ts'
import { columnTypes } from '../parsers.ts'
import { StatementNames } from '../statementNames.ts'
import { StatementTimers } from '../statementTimers.ts'
import { StoreError } from '../storeError.ts'
import { runOnWire, type WireAnswer } from '../wire/rowQuery.ts'
import { handRowsOver } from '../wire/serverMessages.ts'
import type { PgliteCode } from './pgliteCode.ts'
import { syncShare } from './syncTogether.ts'
import type { FirstToThread, FromThread, SyncOrder, ThreadSetup, ToThread } from './threadMessages.ts'
import { ThreadWire } from './threadWire.ts'

/** For making a database without an image, or recovering one, on a busy machine. */
const START_LIMIT_MS = 120_000
/** Beyond the limit of a statement, whose answer may be received and not yet parsed. */
const GRACE_MS = 200
const NO_THREAD = 'The embedded database does not run: the system lets this process have no more threads'
/** Of the text of a statement that took too long. */
const MOST_LOGGED = 1_000
/** Of prepared statements, which stay in the session. */
const NAMES = { most: 256, replaces: false }

/** The failure of a statement whose session ended because of another one. */
export class Interrupted extends StoreError {
  constructor({ code, message, sqlState }: StoreError, cause: unknown) {
    super(code, message, { cause, sqlState })
  }
}

/** Plans each time as long as that pays, or once for all values. */
type PlanMode = 'auto' | 'force_generic_plan'

export interface StartOptions {
  /** Ends the start. */
  readonly signal: AbortSignal
  /** Called when the thread begins. */
  readonly onBegun?: (() => void) | undefined
}

export class Session {
  /** Resolves when the thread has exited, with the reason; only then another may open the folder. */
  readonly ended: Promise<StoreError>
  readonly #thread: Worker
  readonly #wire: ThreadWire
  readonly #client: pg.Client
  readonly #names = new StatementNames(NAMES)
  readonly #timers = new StatementTimers()
  #onText: (message: FromThread) => void = () => undefined
  #cause: StoreError | null = null
  #mode: PlanMode = 'auto'
  #startLimit: NodeJS.Timeout | null = null

  private constructor(setup: ThreadSetup) {
    const heaps = memoryPlan()
    const thread = startThread(workerEntry(import.meta.url, 'thread'), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: heaps.databaseHeap, maxYoungGenerationSizeMb: heaps.youngHeap },
    })
    if (thread === null) throw new StoreError('unavailable', NO_THREAD)
    this.#thread = thread
    this.#wire = new ThreadWire(this.#thread)
    this.#client = new pg.Client({
      stream: () => this.#wire,
      ssl: false,
      user: 'postgres',
      database: 'postgres',
      types: columnTypes,
      // A statement is sent while the one before still runs, so that the database does not wait for a busy process.
      pipeline: true,
    })
    handRowsOver(this.#client)
    // The statement in flight is rejected with this error as well.
    this.#wire.on('error', () => undefined)
    this.#client.on('error', () => undefined)
    this.#thread.on('message', (message: FromThread) => {
      if (message instanceof Uint8Array) this.#wire.receive(message)
      else if (typeof message === 'string') this.#onText(message)
      else if ('files' in message) void this.#sync(message)
      else this.end(brokenOrFull(message.failure, setup.folder))
    })
    this.#thread.on('error', (error) => this.end(brokenOrFull(error, setup.folder)))
    this.ended = new Promise((resolve) => {
      this.#thread.on('exit', () => {
        this.end(broken('its thread exited'))
        resolve(this.#cause ?? broken('its thread exited'))
      })
    })
  }

  /** Starts the thread and waits until it takes statements. */
  static async start(
    setup: ThreadSetup,
    code: Promise<PgliteCode>,
    { signal, onBegun }: StartOptions,
  ): Promise<Session> {
    // Not before it is needed: an error keeps its callers alive, here as long as the database.
    const closed = () => new StoreError('closed', 'The database is closed')
    if (signal.aborted) throw closed()
    const session = new Session(setup)
    const onAbort = () => session.end(closed())
    signal.addEventListener('abort', onAbort, { once: true })
    const failed = session.ended.then((cause) => Promise.reject(cause))
    session.#startLimit = setTimeout(
      () => session.end(new StoreError('unavailable', 'The embedded database did not start in time')),
      START_LIMIT_MS,
    )
    const ready = session.#received('ready')
    onBegun?.()
    try {
      session.#thread.postMessage((await Promise.race([code, failed])) satisfies FirstToThread)
      await Promise.race([ready, failed])
      await Promise.race([session.#client.connect(), failed])
      return session
    } catch (error) {
      session.end(toStoreError(error))
      throw session.#cause ?? error
    } finally {
      clearTimeout(session.#startLimit)
      session.#startLimit = null
      signal.removeEventListener('abort', onAbort)
    }
  }

  get isGone(): boolean {
    return this.#cause !== null
  }

  /** One statement, after those that were sent before. The caller has the turn of the session. */
  async run(statement: SqlText, timeoutMs: number): Promise<WireAnswer> {
    const { text, values, isSteady = false } = statement
    if (this.#cause !== null) throw new Interrupted(this.#cause, this.#cause)
    this.#plan(isSteady ? 'force_generic_plan' : 'auto')
    let isLate = false
    const late = () => {
      isLate = true
      // For the log: the text has no values.
      const cause = new Error(`statement: ${text.slice(0, MOST_LOGGED)}`)
      this.end(new StoreError('timeout', `The statement took longer than ${timeoutMs} ms`, { cause }))
    }
    const answered = this.#timers.begin(timeoutMs + GRACE_MS, late)
    try {
      const name = this.#names.nameOf(text)
      return await runOnWire(this.#client, { text, values: values.map(toWire), name, form: statement })
    } catch (error) {
      if (this.#cause === null) throw toStoreError(error)
      throw isLate ? this.#cause : new Interrupted(this.#cause, error)
    } finally {
      answered()
    }
  }

  /** Sets how the next statements are planned, when that differs from those before. */
  #plan(mode: PlanMode): void {
    if (this.#mode === mode) return
    this.#mode = mode
    // When it fails, the session is gone and the statement behind it fails with the cause.
    this.#client.query(`set plan_cache_mode = ${mode}`).catch(() => undefined)
  }

  /** Terminates the thread at once. */
  end(cause: StoreError): void {
    if (this.#cause !== null) return
    this.#cause = cause
    this.#wire.destroy(cause)
    void this.#thread.terminate()
  }

  /** Writes the log out and ends the thread; `end` cuts that short. */
  async close(): Promise<void> {
    if (this.#cause === null) {
      const closed = this.#received('closed')
      this.#thread.postMessage('close' satisfies ToThread)
      await Promise.race([closed, this.ended])
      this.end(new StoreError('closed', 'The database is closed'))
    }
    await this.ended
  }

  /** A start that syncs all files after a kill takes as long as the disk does: each file synced here begins the limit anew. */
  #sync(order: SyncOrder): Promise<void> {
    return syncShare(order, async (file) => {
      // The files of a thread that was terminated are closed.
      if (this.#cause !== null) throw this.#cause
      await reachDisk(file)
      this.#startLimit?.refresh()
    })
  }

  #received(awaited: FromThread): Promise<void> {
    return new Promise((resolve) => {
      this.#onText = (message) => {
        if (message === awaited) resolve()
      }
    })
  }
}

const reachDisk = promisify(fdatasync)

/** The thread crashed: by itself, or because its folder is damaged. */
export class BrokenDatabase extends StoreError {}

/** As PostgreSQL and the system word it. */
const OUT_OF_ROOM = /No space left on device|Disk quota exceeded|File too large/

function brokenOrFull(why: unknown, folder: string | null): StoreError {
  const text = failureText(why)
  return OUT_OF_ROOM.test(text) ? new StoreError('full', `${folder ?? 'memory'}: ${text}`, { cause: why }) : broken(why)
}

function broken(why: unknown): StoreError {
  const text = failureText(why)
  return new BrokenDatabase('unavailable', `The embedded database crashed: ${text}`, { cause: why })
}
