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

/** Runs a statement in a turn of its own, so that callers' statements run in between. */
type Run = (statement: SqlText, timeoutMs: number) => Promise<readonly SqlRow[]>

export interface Upkeep {
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
      await checkpointIfDue(run, isBusy ? MOST_LOG_BYTES_BUSY : MOST_LOG_BYTES)
      // Another table may be due as well.
      if (await analyzeOne(run, isBusy ? MOST_NEW_BUSY : MOST_NEW)) isDue = true
    } catch {
      // Retried after the next write. Statements of callers fail as well, and report it.
    }
    timer = undefined
    plan()
  }
  return {
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

async function checkpointIfDue(run: Run, mostBytes: number): Promise<void> {
  const [since] = await run(
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()`,
    TIMEOUT_MS,
  )
  if (Number(since?.bytes) > mostBytes) await run(sql`checkpoint`, TIMEOUT_MS)
}

/** Analyzes one table of which so much is new or a fifth is dead. Resolves to false when there is none. */
async function analyzeOne(run: Run, mostNew: number): Promise<boolean> {
  const [due] = await run(
    sql`select quote_ident(relname)::text as name, n_dead_tup > 1000 + n_live_tup / 5 as dead
      from pg_stat_user_tables
      where n_mod_since_analyze > 200 + n_live_tup * ${mostNew}::float8 or n_dead_tup > 1000 + n_live_tup / 5
      order by n_mod_since_analyze desc limit 1`,
    TIMEOUT_MS,
  )
  if (due === undefined) return false
  const command = due.dead === true ? 'vacuum analyze' : 'analyze'
  await run(sql.raw(`${command} ${String(due.name)}`), TIMEOUT_MS)
  return true
}
