// A database that is still being opened. The service listens at once; callers of the index in the first moments wait for
// it, and once opening has failed they get the reason at once, until it succeeds.

import type { Notes } from '../../observe/index.ts'
import { pause } from '../../process/index.ts'
import { type Database, type MasterId, type Sql, StoreError, type StoreErrorCode } from '../../store/index.ts'

export interface LateOptions {
  readonly kind: Database['kind']
  /** Calls `onBegun` when a thread has begun to open it, or nothing is to be waited for. */
  readonly open: (signal: AbortSignal, onBegun: () => void) => Promise<Database>
  readonly log: Notes
}

export interface LateDatabase extends Database {
  /** Whether it is open. */
  readonly isOpen: boolean
  /** Why it is not open, once that has failed. */
  readonly failure: StoreError | null
  /** Resolves when opening it goes on also while this process is busy. */
  readonly begun: Promise<void>
  standstill(work: () => Promise<void>): Promise<void>
  keepUp(head: MasterId | null): void
  /** Ends waiting for it; one that is open stays so. */
  giveUp(): void
}

/**
 * What may be over soon: the server is starting, the network is away, the disk is full, the service before this one is still ending,
 * or it writes while a step changes its tables.
 */
const PASSING: readonly StoreErrorCode[] = ['unavailable', 'timeout', 'busy', 'full', 'locked', 'conflict']
const NO_LOAD = { open: 0, busy: 0, waiting: 0 }
/** Tries before that is a line: a start beside a service that runs is refused for it, in words of its own. */
const LOCKED_TRIES = 5
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000

interface Opening {
  readonly signal: AbortSignal
  readonly onFailure: (failure: StoreError) => void
  readonly onBegun: () => void
}

async function openAtLast({ open, log }: LateOptions, { signal, onFailure, onBegun }: Opening): Promise<Database> {
  let isReported = false
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted()
    try {
      const database = await open(signal, onBegun)
      if (failures > 0) log.info({ failures }, 'database opened')
      return database
    } catch (error) {
      if (error instanceof StoreError && !signal.aborted) onFailure(error)
      if (signal.aborted || !(error instanceof StoreError) || !PASSING.includes(error.code)) throw error
      if (!isReported && failures >= (error.code === 'locked' ? LOCKED_TRIES : 0)) {
        isReported = true
        log.warn({ reason: error.message }, 'waiting for the database')
      }
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
    }
  }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

const again = ({ code, message, sqlState }: StoreError, cause: unknown): StoreError =>
  new StoreError(code, message, { cause, sqlState })

/** Begins to open, as often as it takes. What cannot be opened at all refuses every call with the reason. */
export function createLateDatabase(options: LateOptions): LateDatabase {
  const end = new AbortController()
  let database: Database | null = null
  let failure: StoreError | null = null
  let told: MasterId | null = null
  let fail: (reason: StoreError) => void = () => undefined
  // Rejects with the first failure: those who began to wait before it need not wait for the next try.
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const onFailure = (found: StoreError): void => {
    failure = found
    fail(found)
    onBegun()
  }
  let onBegun: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve
  })
  const opening = openAtLast(options, { signal: end.signal, onFailure, onBegun })
  opening.then(onBegun, onBegun)
  const opened = Promise.race([opening, ended(end.signal)])
  opened.then(
    (found) => {
      database = found
      found.keepUp?.(told)
      failure = null
    },
    // Reported by the next call.
    () => undefined,
  )
  const read: Sql = {
    async query(statement, how) {
      if (database !== null) return await database.read.query(statement, how)
      if (failure !== null) throw again(failure, failure)
      return await (await Promise.race([opened, failed])).read.query(statement, how)
    },
  }
  return {
    kind: options.kind,
    get isOpen() {
      return database !== null
    },
    get load() {
      return database?.load ?? NO_LOAD
    },
    get failure() {
      return failure
    },
    begun,
    read,
    keepUp(head) {
      told = head
      database?.keepUp?.(head)
    },
    transaction: async (work, options) => await (await opened).transaction(work, options),
    lead: async (...how) => await (await opened).lead(...how),
    async standstill(work) {
      if (database === null && failure !== null) throw again(failure, failure)
      await (await Promise.race([opened, failed])).standstill?.(work)
    },
    giveUp: () => end.abort(new StoreError('closed', 'the database is closed')),
    async close() {
      end.abort(new StoreError('closed', 'the database is closed'))
      const found = await opening.catch(() => null)
      await found?.close()
    },
  }
}
