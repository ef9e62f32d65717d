// A database that is still being opened. The service listens at once; whoever asks the index in the first moments waits
// for it, and does not fail.

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
}

/** What may be over soon: the server is starting, or the network is away. */
const PASSING: readonly StoreErrorCode[] = ['unavailable', 'timeout', 'busy']
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

async function openAtLast({ open, log }: LateOptions, signal: AbortSignal): Promise<Database> {
  for (let failures = 0; ; failures++) {
    try {
      const database = await open()
      if (failures > 0) log.info({ failures }, 'the database is there')
      return database
    } catch (error) {
      if (signal.aborted || !(error instanceof StoreError) || !PASSING.includes(error.code)) throw error
      if (failures === 0) log.warn({ err: error }, 'waiting for the database')
      await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal)
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Begins to open, as often as it takes. What cannot be opened at all refuses every call with the reason. */
export function createLateDatabase(options: LateOptions): LateDatabase {
  const end = new AbortController()
  const opened = openAtLast(options, end.signal)
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
    transaction: async (work) => await (await opened).transaction(work),
    lead: async (signal) => await (await opened).lead(signal),
    async close() {
      end.abort()
      const database = await opened.catch(() => null)
      await database?.close()
    },
  }
}
