// Statistics of tables that have none, or grew a lot since. A server gathers them in the background, but minutes after a bulk
// load, not at all where that is switched off, and an upgrade of the server loses them. Without any, the planner reads whole tables
// for a page.

import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

const LOOK_MS = 10_000
const ANALYZE_MS = 60_000
/** A table that is still without statistics after it was analyzed is left for so long. */
const AGAIN_MS = 600_000

/** Half as many rows again as there were, while the server itself waits for a tenth. */
const DUE = sql`select s.relname::text as name, quote_ident(s.relname)::text as quoted from pg_stat_user_tables s
  where s.schemaname = current_schema() and (s.n_mod_since_analyze > 1000 + s.n_live_tup / 3
    or pg_relation_size(s.relid) > 1000000
      and not exists (select from pg_stats p where p.schemaname = s.schemaname and p.tablename = s.relname))
  order by pg_relation_size(s.relid) desc`

type Analyzed = Map<string, number>

/** Analyzes the largest table that is due; false when none is. */
export async function analyzeOne(
  database: Pick<Database, 'read' | 'transaction'>,
  analyzed: Analyzed,
): Promise<boolean> {
  const now = performance.now()
  const due = await database.read.query<{ name: string; quoted: string }>(DUE, { retries: false })
  const next = due.find(({ name }) => now - (analyzed.get(name) ?? Number.NEGATIVE_INFINITY) > AGAIN_MS)
  if (next === undefined) return false
  analyzed.set(next.name, now)
  await database.transaction((to) => to.query(sql.raw(`analyze ${next.quoted}`), { timeoutMs: ANALYZE_MS }))
  return true
}

/** Keeps them while this process leads, until the returned function is called. */
export function keepStatistics(database: Pick<Database, 'read' | 'transaction'>): () => void {
  const analyzed: Analyzed = new Map()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    // Engines without these tables keep their statistics themselves; a lost connection is noticed by others.
    const isMore = await analyzeOne(database, analyzed).catch(() => false)
    if (!isStopped) timer = setTimeout(() => void look(), isMore ? 0 : LOOK_MS).unref()
  }
  void look()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
