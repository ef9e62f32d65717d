// A database that is still being opened. The service listens at once; whoever asks the index in the first moments waits
// for it, and does not fail.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'
import { type Database, StoreError, type StoreErrorCode } from './store/index.ts'

export interface LateOptions {
  readonly kind: Database['kind']
  readonly open: () => Promise<Database>
  readonly log: Pick<Log, 'warn' | 'info'>
}

export interface LateDatabase extends Database {
  /** Whether it is open. */
  readonly isOpen: boolean
  /** Ends waiting for it; one that is open stays so. */
  giveUp(): void
}

/** What may be over soon: the server is starting, or the network is away. */
const PASSING: readonly StoreErrorCode[] = ['unavailable', 'timeout', 'busy']
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

async function openAtLast({ open, log }: LateOptions, signal: AbortSignal): Promise<Database> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted()
    try {
      const database = await open()
      if (failures > 0) log.info({ failures }, 'the database is there')
      return database
    } catch (error) {
      if (signal.aborted || !(error instanceof StoreError) || !PASSING.includes(error.code)) throw error
      if (failures === 0) log.warn({ err: error }, 'waiting for the database')
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }
}

const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

/** Begins to open, as often as it takes. What cannot be opened at all refuses every call with the reason. */
export function createLateDatabase(options: LateOptions): LateDatabase {
  const end = new AbortController()
  const opening = openAtLast(options, end.signal)
  const opened = Promise.race([opening, ended(end.signal)])
  let isOpen = false
  opened.then(
    () => {
      isOpen = true
    },
    // Whoever asks is told.
    () => undefined,
  )
  return {
    kind: options.kind,
    get isOpen() {
      return isOpen
    },
    read: { query: async (statement, how) => await (await opened).read.query(statement, how) },
    transaction: async (work, options) => await (await opened).transaction(work, options),
    lead: async (signal) => await (await opened).lead(signal),
    giveUp: () => end.abort(new StoreError('closed', 'the database is closed')),
    async close() {
      end.abort(new StoreError('closed', 'the database is closed'))
      const database = await opening.catch(() => null)
      await database?.close()
    },
  }
}
