// Bytes of a database per transaction: of each table its rows, what is stored apart of them, and each index.

import { type Sql, sql } from '../../server/store/index.ts'

/** Smaller tables and indexes are in the sum only. */
const LEAST_BYTES = 3

/** Prints them, the largest first, and returns the sum. */
export async function printTableBytes(from: Sql, transactions: number): Promise<number> {
  const rows = await from.query<{ name: string; of: string; kind: string; bytes: bigint }>(
    sql`select c.relname::text as name, coalesce(t.relname, c.relname)::text as of, c.relkind::text as kind,
        case c.relkind when 'r' then pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)
          else pg_relation_size(c.oid) end::int8 as bytes
      from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
      where c.relkind in ('r', 'i') and c.relnamespace = current_schema()::regnamespace
      order by sum(pg_relation_size(c.oid)) over (partition by coalesce(t.oid, c.oid)) desc, of, c.relkind desc, bytes desc`,
  )
  for (const { name, kind, bytes } of rows) {
    const each = Number(bytes) / transactions
    if (each >= LEAST_BYTES) console.log(`${each.toFixed(0).padStart(6)} B ${kind === 'i' ? `  ${name}` : name}`)
  }
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0) / transactions
}
