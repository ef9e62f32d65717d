// What was called by key, method and day. A writer numbers its batches, so that one whose answer was lost can be sent again
// and is counted once.

import type { Database, Sql, SqlText } from '../database.ts'
import { readAll } from '../read/read.ts'
import { sql } from '../sql.ts'
import { exact, text } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'

const decodeUsage = decoderOf({
  /** In UTC, `2026-11-21`. */
  day: text,
  /** Empty for callers without a key. */
  keyId: text,
  method: text,
  calls: exact,
  /** What they took from the budget. */
  weight: exact,
  /** Calls that failed, those over the limit left out. */
  errors: exact,
  limited: exact,
  /** Of results, before compression. */
  bytes: exact,
})

/** Calls of one method with one key on one day. */
export type CountedUsage = ReturnType<typeof decodeUsage>

export interface UsageBatch {
  readonly writer: string
  /** Grows with each batch of a writer; one that is sent twice is counted once. */
  readonly number: number
  readonly usage: readonly CountedUsage[]
  /** What was taken from monthly quotas, `2026-11`. */
  readonly months: readonly { readonly month: string; readonly keyId: string; readonly weight: number }[]
}

/** Writers that were silent for so long have ended, and send no batch again. */
const SILENT_DAYS = 30

/** By the codes of their characters. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const numbers = (rows: readonly CountedUsage[], name: 'calls' | 'weight' | 'errors' | 'limited' | 'bytes'): bigint[] =>
  rows.map((row) => BigInt(row[name]))

/** Adds a batch, once. */
export function addUsage(database: Pick<Database, 'transaction'>, batch: UsageBatch): Promise<void> {
  // In the same order everywhere: two processes that add to the same rows would lock each other.
  const usage = batch.usage.toSorted(
    (a, b) => compare(a.keyId, b.keyId) || compare(a.method, b.method) || compare(a.day, b.day),
  )
  const months = batch.months.toSorted((a, b) => compare(a.keyId, b.keyId) || compare(a.month, b.month))
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
      select * from unnest(${usage.map(({ day }) => day)}::text[]::date[], ${usage.map(({ keyId }) => keyId)}::text[],
        ${usage.map(({ method }) => method)}::text[], ${numbers(usage, 'calls')}::int8[], ${numbers(usage, 'weight')}::int8[],
        ${numbers(usage, 'errors')}::int8[], ${numbers(usage, 'limited')}::int8[], ${numbers(usage, 'bytes')}::int8[])
      on conflict (day, key_id, method) do update set calls = own.calls + excluded.calls,
        weight = own.weight + excluded.weight, errors = own.errors + excluded.errors,
        limited = own.limited + excluded.limited, bytes = own.bytes + excluded.bytes`)
    await to.query(sql`insert into api_key_months as own (month, key_id, weight)
      select * from unnest(${months.map(({ month }) => month)}::text[], ${months.map(({ keyId }) => keyId)}::text[],
        ${months.map(({ weight }) => BigInt(weight))}::int8[])
      on conflict (month, key_id) do update set weight = own.weight + excluded.weight`)
  })
}

export interface UsageRange {
  /** Days in UTC, both included. */
  readonly from: string
  readonly to: string
  /** Null for all. */
  readonly keyId: string | null
}

/** The first of so many days with calls, up to one of them; null where there are fewer. It steps from day to day. */
const firstOfDays = (last: string, days: number): SqlText => sql`(with recursive found (day, place) as (
    (select day, 1 from api_usage where day <= ${last}::text::date order by day desc limit 1)
    union all
    (select before.day, found.place + 1 from found cross join lateral (
      select own.day from api_usage own where own.day < found.day order by own.day desc limit 1) before
    where found.place < ${days}::int4))
  select day from found where place = ${days}::int4)`

/** By day, key and method: of the newest so many days with calls in the range. */
export const readUsage = (from: Sql, range: UsageRange, days: number): Promise<readonly CountedUsage[]> =>
  readAll(from, {
    statement: sql`select to_char(day, 'YYYY-MM-DD') as day, key_id, method, calls, weight, errors, limited, bytes
    from api_usage where day between ${range.from}::text::date and ${range.to}::text::date
      and (${range.keyId}::text is null or key_id = ${range.keyId})
      and day >= coalesce(${firstOfDays(range.to, days)}, '-infinity')
    order by api_usage.day, key_id collate "C", method collate "C"`,
    toValue: decodeUsage,
  })

export interface UsageRemoval {
  /** The newest day of which something is counted; later ones are of a clock that is ahead. */
  readonly today: string
  /** So many days with calls stay, this one included. */
  readonly days: number
  /** So many months with calls stay, this one included. */
  readonly months: number
  readonly limit: number
}

/** The first of so many months in which something was spent, up to one of them; null where there are fewer. */
const firstOfMonths = (last: string, months: number): SqlText => sql`(with recursive found (month, place) as (
    (select month, 1 from api_key_months where month <= ${last} order by month desc limit 1)
    union all
    (select before.month, found.place + 1 from found cross join lateral (
      select own.month from api_key_months own where own.month < found.month order by own.month desc limit 1) before
    where found.place < ${months}::int4))
  select month from found where place = ${months}::int4)`

/**
 * Removes some of the rows of earlier days, and some of earlier months. Resolves to how many of the one or
 * of the other, whichever are more. What another process removes or changes is left to it.
 */
export const removeUsage = (
  database: Pick<Database, 'transaction'>,
  { today, days, months, limit }: UsageRemoval,
): Promise<number> =>
  database.transaction(async (to) => {
    const first = firstOfDays(today, days)
    const [ofDays, ofMonths] = await Promise.all([
      to.query(sql`delete from api_usage where ctid = any(array(
        select ctid from api_usage where day < ${first}
        order by day limit ${limit} for update skip locked)) returning 1 as one`),
      to.query(sql`delete from api_key_months where ctid = any(array(
        select ctid from api_key_months where month < ${firstOfMonths(today.slice(0, 7), months)}
        order by month limit ${limit} for update skip locked)) returning 1 as one`),
    ])
    return Math.max(ofDays.length, ofMonths.length)
  })

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
