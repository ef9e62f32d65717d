// What was called by key, method and day. A writer numbers its batches, so that one whose answer was lost can be sent again
// and is counted once.

import type { Database, Sql } from '../database.ts'
import { sql } from '../sql.ts'

export interface UsageRow {
  /** In UTC, `2026-11-21`. */
  readonly day: string
  /** Empty for callers without a key. */
  readonly key_id: string
  readonly method: string
  readonly calls: number
  readonly weight: number
  readonly errors: number
  readonly limited: number
  readonly bytes: number
}

/** What a key has spent of its quota in a month, `2026-11`. */
export interface MonthRow {
  readonly month: string
  readonly key_id: string
  readonly weight: number
}

export interface UsageRowBatch {
  readonly writer: string
  /** Grows with each batch of the writer. */
  readonly number: number
  readonly usage: readonly UsageRow[]
  readonly months: readonly MonthRow[]
}

/** Writers that were silent for so long have ended, and send no batch again. */
const SILENT_DAYS = 30

/** By the codes of their characters. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const numbers = (rows: readonly UsageRow[], name: 'calls' | 'weight' | 'errors' | 'limited' | 'bytes'): bigint[] =>
  rows.map((row) => BigInt(row[name]))

/** Adds a batch, once. */
export function addUsage(database: Pick<Database, 'transaction'>, batch: UsageRowBatch): Promise<void> {
  // In the same order everywhere: two processes that add to the same rows would lock each other.
  const usage = batch.usage.toSorted(
    (a, b) => compare(a.key_id, b.key_id) || compare(a.method, b.method) || compare(a.day, b.day),
  )
  const months = batch.months.toSorted((a, b) => compare(a.key_id, b.key_id) || compare(a.month, b.month))
  return database.transaction(async (to) => {
    const [first] =
      await to.query(sql`insert into api_usage_writers as own values (${batch.writer}, ${batch.number}, now())
      on conflict (writer) do update set batch = excluded.batch, written_at = now() where own.batch < excluded.batch
      returning batch`)
    if (first === undefined) return
    if (batch.number === 1)
      await to.query(
        sql`delete from api_usage_writers where written_at < now() - make_interval(days => ${SILENT_DAYS}::int4)`,
      )
    await to.query(sql`insert into api_usage as own (day, key_id, method, calls, weight, errors, limited, bytes)
      select * from unnest(${usage.map(({ day }) => day)}::text[]::date[], ${usage.map(({ key_id }) => key_id)}::text[],
        ${usage.map(({ method }) => method)}::text[], ${numbers(usage, 'calls')}::int8[], ${numbers(usage, 'weight')}::int8[],
        ${numbers(usage, 'errors')}::int8[], ${numbers(usage, 'limited')}::int8[], ${numbers(usage, 'bytes')}::int8[])
      on conflict (day, key_id, method) do update set calls = own.calls + excluded.calls,
        weight = own.weight + excluded.weight, errors = own.errors + excluded.errors,
        limited = own.limited + excluded.limited, bytes = own.bytes + excluded.bytes`)
    await to.query(sql`insert into api_key_months as own (month, key_id, weight)
      select * from unnest(${months.map(({ month }) => month)}::text[], ${months.map(({ key_id }) => key_id)}::text[],
        ${months.map(({ weight }) => BigInt(weight))}::int8[])
      on conflict (month, key_id) do update set weight = own.weight + excluded.weight`)
  })
}

export interface UsageFilter {
  /** Days in UTC, both included. */
  readonly from: string
  readonly to: string
  readonly keyId: string | null
}

interface CountedRow {
  readonly day: string
  readonly key_id: string
  readonly method: string
  readonly calls: bigint
  readonly weight: bigint
  readonly errors: bigint
  readonly limited: bigint
  readonly bytes: bigint
  readonly [column: string]: unknown
}

/** By day, key and method. */
export async function readUsage(from: Sql, filter: UsageFilter): Promise<readonly UsageRow[]> {
  const rows = await from.query<CountedRow>(sql`select to_char(day, 'YYYY-MM-DD') as day, key_id, method,
      calls, weight, errors, limited, bytes
    from api_usage where day between ${filter.from}::text::date and ${filter.to}::text::date
      and (${filter.keyId}::text is null or key_id = ${filter.keyId})
    order by api_usage.day, key_id collate "C", method collate "C"`)
  return rows.map(({ day, key_id, method, calls, weight, errors, limited, bytes }) => ({
    day,
    key_id,
    method,
    calls: Number(calls),
    weight: Number(weight),
    errors: Number(errors),
    limited: Number(limited),
    bytes: Number(bytes),
  }))
}

/** What keys have spent in a month; those that spent nothing are left out. */
export async function readMonths(
  from: Sql,
  month: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await from.query<{ key_id: string; weight: bigint }>(
    sql`select key_id, weight from api_key_months where month = ${month} and key_id = any(${keyIds}::text[])`,
  )
  return new Map(rows.map(({ key_id, weight }) => [key_id, Number(weight)]))
}
