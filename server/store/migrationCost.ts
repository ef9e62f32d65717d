// How long steps take: which tables their statements go through, how often, and how fast this server sorts a part of the largest.

import type { Sql } from './database.ts'
import { sql } from './sql.ts'

export interface TableChange {
  readonly table: string
  readonly rows: number
  readonly bytes: number
  /** Statements that read or write all its rows: an index, a column of another type, an update. */
  readonly passes: number
}

const PASSES = [
  /\bcreate (?:unique )?index (?:if not exists )?\w+ on (\w+)/g,
  /\balter table (\w+) (?:alter column \w+ type|add (?:primary key|constraint))/g,
  /\bupdate (\w+) (?:\w+ )?set\b/g,
] as const

/** Of 8 kB: enough for a measure, little for a server that is in use. */
const SAMPLE_PAGES = 2_000
const PAGE_BYTES = 8_192
const TIMEOUT_MS = 30_000

/** Of a table that no `analyze` has seen, as after a restore: by its size, as rows of transactions and messages are. */
export const ROWS_OF_CLASS = sql`case when reltuples > 0 then reltuples::int8 else pg_relation_size(oid) / 500 end`

export async function tableChanges(from: Sql, statements: readonly string[]): Promise<readonly TableChange[]> {
  const passes = new Map<string, number>()
  for (const pattern of PASSES)
    for (const [, table = ''] of statements.join('\n').matchAll(pattern))
      passes.set(table, (passes.get(table) ?? 0) + 1)
  const rows = await from.query<{ name: string; rows: bigint; bytes: bigint }>(
    sql`select relname::text as name, ${ROWS_OF_CLASS} as rows, pg_table_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname = any(${[...passes.keys()]}::text[])
        and pg_relation_size(oid) > 0
      order by bytes desc, relname`,
  )
  return rows.map(({ name, ...size }) => ({
    table: name,
    rows: Number(size.rows),
    bytes: Number(size.bytes),
    passes: passes.get(name) ?? 0,
  }))
}

/** Reads rows of the largest table and sorts as many hashes, without writing. Steps of many small indexes take a third of it. */
export async function estimateSeconds(from: Sql, changes: readonly TableChange[]): Promise<number | null> {
  const [largest] = changes
  if (largest === undefined) return null
  const end = `(${SAMPLE_PAGES},0)`
  const table = sql.identifier(largest.table)
  const begun = performance.now()
  await from.query(sql`select count(distinct md5(ctid::text)) from ${table} where ctid < ${end}::tid`, {
    timeoutMs: TIMEOUT_MS,
  })
  const seconds = (performance.now() - begun) / 1000
  const sampled = Math.min(largest.bytes, SAMPLE_PAGES * PAGE_BYTES)
  return changes.reduce((sum, { bytes, passes }) => sum + bytes * passes, 0) * (seconds / sampled)
}
