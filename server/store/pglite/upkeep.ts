// Maintenance that a server does in the background: the embedded database has one session and no background processes. Without
// checkpoints its log would grow without bound and be replayed whole after a kill; without statistics it takes wrong indexes.

import type { SqlRow, SqlText } from '../database.ts'
import { sql } from '../sql.ts'

const PAUSE_MS = 1_000
/** Of log to be replayed after a kill, which takes a few tenths of a second. */
const MOST_LOG_BYTES = 16 << 20
/**
 * The same while one transaction follows the other. A checkpoint blocks them, and after it each changed page goes into the log
 * whole: of what a long catch-up logs that is more than half. So much is replayed in one to two seconds.
 */
const MOST_LOG_BYTES_BUSY = 8 * MOST_LOG_BYTES
/** Part of a table's rows that may be new before it is analyzed, which holds up all writes. */
const MOST_NEW = 0.1
const MOST_NEW_BUSY = 0.5
/** Without a write for so long, the database counts as idle. */
const QUIET_MS = 500
const TIMEOUT_MS = 60_000
/** A slow disk may take minutes for a table of gigabytes: to end that ends the session, and it begins again from the start. */
const LONG_MS = 3_600_000

/** Runs a statement in a turn of its own, so that callers' statements run in between. */
type Run = (statement: SqlText, timeoutMs: number) => Promise<readonly SqlRow[]>

export interface Upkeep {
  /** The command that runs now, which all statements wait for; null for none. */
  readonly running: string | null
  /** Call it after each write. */
  wrote(): void
  stop(): void
}

export function createUpkeep(run: Run): Upkeep {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  // A write since the last run began.
  let isDue = false
  let lastWrite = 0
  let running: string | null = null
  const runLong = async (command: string): Promise<void> => {
    running = command
    try {
      await run(sql.raw(command), LONG_MS)
    } finally {
      running = null
    }
  }
  const plan = () => {
    if (timer !== undefined || isStopped || !isDue) return
    timer = setTimeout(() => void work(), PAUSE_MS).unref()
  }
  const work = async () => {
    isDue = false
    try {
      const isBusy = performance.now() - lastWrite < QUIET_MS
      // Runs again when the database is idle, even without another write.
      if (isBusy) isDue = true
      if (await isCheckpointDue(run, isBusy ? MOST_LOG_BYTES_BUSY : MOST_LOG_BYTES)) await runLong('checkpoint')
      const command = await analysisDue(run, isBusy ? MOST_NEW_BUSY : MOST_NEW)
      if (command !== null) {
        await runLong(command)
        // Another table may be due as well.
        isDue = true
      }
    } catch {
      // Retried after the next write. Statements of callers fail as well, and report it.
    }
    timer = undefined
    plan()
  }
  return {
    get running() {
      return running
    },
    wrote() {
      lastWrite = performance.now()
      isDue = true
      plan()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function isCheckpointDue(run: Run, mostBytes: number): Promise<boolean> {
  const [since] = await run(
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()`,
    TIMEOUT_MS,
  )
  return Number(since?.bytes) > mostBytes
}

/** What to run for a table of which so much is new or a fifth is dead; null when there is none. */
async function analysisDue(run: Run, mostNew: number): Promise<string | null> {
  const [due] = await run(
    sql`select quote_ident(relname)::text as name, n_dead_tup > 1000 + n_live_tup / 5 as dead
      from pg_stat_user_tables
      where n_mod_since_analyze > 200 + n_live_tup * ${mostNew}::float8 or n_dead_tup > 1000 + n_live_tup / 5
      order by n_mod_since_analyze desc limit 1`,
    TIMEOUT_MS,
  )
  if (due === undefined) return null
  return `${due.dead === true ? 'vacuum analyze' : 'analyze'} ${String(due.name)}`
}
