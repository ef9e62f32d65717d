// What a server does in the background and the embedded database does not: it is one session, and does only what it is
// told. Without checkpoints its log grows for ever and is read again from the beginning after a kill; without statistics
// it does not know which index to take.

import type { Row, SqlText } from '../database.ts'
import { sql } from '../sql.ts'

const PAUSE_MS = 1_000
/** Of log to be read again after a kill: a few tenths of a second. */
const MOST_LOG_BYTES = 16 << 20
/**
 * The same while one transaction follows the other. A checkpoint holds all of them up, and after it each page that is
 * changed goes into the log whole: made this much rarer, they leave a busy writer half of the log.
 */
const MOST_LOG_BYTES_BUSY = 4 * MOST_LOG_BYTES
/** Without a write, after which nobody is busy. */
const QUIET_MS = 500
const TIMEOUT_MS = 60_000

/** Runs a statement in a turn of its own, so that others come in between. */
type Run = (statement: SqlText, timeoutMs: number) => Promise<readonly Row[]>

export interface Upkeep {
  /** Something was written. */
  wrote(): void
  stop(): void
}

export function createUpkeep(run: Run): Upkeep {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  // Since the last look, also while it was taken.
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
      // Looked at again when it is quiet, however little comes until then.
      if (isBusy) isDue = true
      await checkpointIfDue(run, isBusy ? MOST_LOG_BYTES_BUSY : MOST_LOG_BYTES)
      // Where one table was due, another may be.
      if (await analyzeOne(run)) isDue = true
    } catch {
      // Tried again after the next write; statements of callers tell of the trouble.
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

/** One table, when a tenth of it is new since it was last looked at or a fifth of it is dead; whether there was one. */
async function analyzeOne(run: Run): Promise<boolean> {
  const [due] = await run(
    sql`select quote_ident(relname)::text as name, n_dead_tup > 1000 + n_live_tup / 5 as dead
      from pg_stat_user_tables
      where n_mod_since_analyze > 200 + n_live_tup / 10 or n_dead_tup > 1000 + n_live_tup / 5
      order by n_mod_since_analyze desc limit 1`,
    TIMEOUT_MS,
  )
  if (due === undefined) return false
  const command = due.dead === true ? 'vacuum analyze' : 'analyze'
  await run(sql.raw(`${command} ${String(due.name)}`), TIMEOUT_MS)
  return true
}
