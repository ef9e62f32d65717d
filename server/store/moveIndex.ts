// Copies an embedded index and its webhooks into an empty PostgreSQL: chunk by chunk, each with its progress in one transaction,
// so that a copy that was cut short goes on. It counts once the rows of both sides have the same hashes; until then no service opens the target.

import type { Database, Sql } from './database.ts'
import { type IndexState, readIndexState } from './indexing/readIndexState.ts'
import { sql } from './sql.ts'
import { StoreError } from './storeError.ts'
import { allTables } from './tables/all.ts'
import { chainIdentity, indexerCursor } from './tables/indexState.ts'
import { WEBHOOK_TABLES } from './webhooks/webhookRows.ts'

export interface MoveProgress {
  readonly table: string
  /** Of its pages, or of its check. */
  readonly percent: number
  readonly step: 'copying' | 'checking'
}

export interface MoveOrder {
  /** Identifies the state of the source: a copy of another state starts again from the beginning. */
  readonly source: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: MoveProgress) => void
}

/** The embedded database. */
type Source = Pick<Database, 'read'>

export interface Moved {
  readonly rows: number
  readonly lastSeqno: number
}

/** Of rows that are read at once, which are in memory twice as text. */
const BYTES = 1 << 20
const TIMEOUT_MS = 600_000

/** Named last, in the transaction that makes the copy count. */
const LAST: readonly string[] = [chainIdentity.name, indexerCursor.name]
const moved = [...allTables.map(({ name }) => name).filter((name) => !LAST.includes(name)), ...WEBHOOK_TABLES]

/** Whether a copy into this database is not finished. */
export async function isMoveOpen(from: Sql): Promise<boolean> {
  const [row] = await from.query<{ found: boolean }>(sql`select to_regclass('tonrpc_moving') is not null as found`)
  return row?.found === true
}

/** Checks that both have the tables of this program and no other writer. Throws StoreError. */
export async function moveIndex(from: Source, to: Database, order: MoveOrder): Promise<Moved> {
  const state = await readIndexState(from.read, TIMEOUT_MS)
  const { identity, cursor } = state
  if (identity === null || cursor === null)
    throw new StoreError('failed', 'the embedded index is empty: a service with the PostgreSQL makes its own')
  await requireTarget(to, state)
  const done = await beginOrResume(to, order.source)
  for (const table of moved) await copyTable(from, to, { ...order, table, next: done.get(table) ?? 0 })
  let rows = 0
  for (const table of moved) {
    order.signal.throwIfAborted()
    order.onProgress({ table, percent: 0, step: 'checking' })
    rows += await compareTable(from, to, table)
  }
  await finish(from, to)
  return { rows, lastSeqno: cursor.lastMcSeqno }
}

/** Checks that the target is empty, or holds a part of the same copy. */
async function requireTarget(to: Database, { identity, cursor }: IndexState): Promise<void> {
  const found = await readIndexState(to.read, TIMEOUT_MS)
  if (found.identity !== null || found.cursor !== null) {
    const isSame =
      identity !== null &&
      found.identity !== null &&
      Buffer.from(identity.genesisRootHash).equals(Buffer.from(found.identity.genesisRootHash)) &&
      identity.network === found.identity.network
    throw new StoreError(
      'mismatch',
      isSame
        ? `the database has an index of this chain already, up to block ${found.cursor?.lastMcSeqno ?? 0} (the embedded one: ` +
            `${cursor?.lastMcSeqno ?? 0}): start the service with it`
        : 'the database has the index of another chain: use an empty database',
    )
  }
  if (await isMoveOpen(to.read)) return
  for (const table of moved) {
    const rows = await to.read.query(sql`select 1 from ${sql.raw(table)} limit 1`)
    if (rows.length > 0)
      throw new StoreError('mismatch', `the database is not empty, ${table} has rows: use an empty database`)
  }
}

/** The next page of each table; tables of a copy of another state are emptied. */
async function beginOrResume(to: Database, source: string): Promise<ReadonlyMap<string, number>> {
  return await to.transaction(async (into) => {
    await into.query(
      sql`create table if not exists tonrpc_moving (table_name text primary key, source text not null, next_page int8 not null)`,
    )
    const rows = await into.query<{ table_name: string; source: string; next_page: bigint }>(
      sql`select table_name, source, next_page from tonrpc_moving`,
    )
    if (rows.every((row) => row.source === source))
      return new Map(rows.map(({ table_name, next_page }) => [table_name, Number(next_page)]))
    await into.query(sql`delete from tonrpc_moving`)
    await into.query(sql`truncate ${sql.raw(moved.join(', '))}`, { timeoutMs: TIMEOUT_MS })
    return new Map()
  })
}

interface TableOrder extends MoveOrder {
  readonly table: string
  readonly next: number
}

async function copyTable(from: Source, to: Database, order: TableOrder): Promise<void> {
  const { table, source, signal, onProgress } = order
  const name = sql.raw(table)
  const [size] = await from.read.query<{ pages: bigint; bytes: bigint }>(
    sql`select pg_relation_size(${table}::regclass) / current_setting('block_size')::int8 as pages,
      pg_table_size(${table}::regclass) as bytes`,
  )
  const pages = Number(size?.pages ?? 0)
  // Large values are stored apart from the pages, and counted with them.
  const atOnce = Math.max(1, Math.floor((BYTES * pages) / Number(size?.bytes ?? 1)))
  const { columns, parts } = columnLists(await writableColumns(from.read, table))
  for (let page = order.next; page < pages; page += atOnce) {
    signal.throwIfAborted()
    const first = `(${page},0)`
    const end = `(${page + atOnce},0)`
    const rows = await from.read.query<{ row: string }>(
      sql`select ${name}::text as row from ${name} where ctid >= ${first}::tid and ctid < ${end}::tid`,
      { timeoutMs: TIMEOUT_MS },
    )
    const texts = rows.map(({ row }) => row)
    await to.transaction(async (into) => {
      if (texts.length > 0)
        await into.query(
          sql`insert into ${name} (${columns}) overriding system value
            select ${parts} from (select unnest(${texts}::text[])::${name} as of_row) as made`,
          { timeoutMs: TIMEOUT_MS },
        )
      await into.query(sql`insert into tonrpc_moving values (${table}, ${source}, ${page + atOnce}::int8)
        on conflict (table_name) do update set next_page = excluded.next_page`)
    })
    onProgress({ table, percent: Math.min(100, Math.round((100 * (page + atOnce)) / pages)), step: 'copying' })
  }
}

/** Without those that the database computes. */
async function writableColumns(from: Sql, table: string): Promise<readonly string[]> {
  const columns = await from.query<{ name: string }>(
    sql`select quote_ident(attname)::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  )
  return columns.map(({ name }) => name)
}

/** Of an insert: the columns, and where each comes from in `made.of_row`. */
const columnLists = (columns: readonly string[]) => ({
  columns: sql.raw(columns.join(', ')),
  parts: sql.raw(columns.map((column) => `(made.of_row).${column}`).join(', ')),
})

/** Number of rows, equal on both sides. Throws StoreError when the rows differ. */
async function compareTable(from: Source, to: Database, table: string): Promise<number> {
  const sums = async (on: Sql) => {
    // Independent of the order of rows, which differs.
    const [row] = await on.query<{ count: bigint; sum: string }>(
      sql`select count(*)::int8 as count, coalesce(sum(hashtextextended(one::text, 0)::numeric), 0)::text as sum
        from ${sql.raw(table)} as one`,
      { timeoutMs: TIMEOUT_MS },
    )
    return { count: Number(row?.count ?? 0), sum: row?.sum ?? '' }
  }
  const here = await sums(from.read)
  const there = await sums(to.read)
  if (here.count === there.count && here.sum === there.sum) return here.count
  throw new StoreError(
    'mismatch',
    `the copy of ${table} differs: ${here.count} rows in the embedded index, ${there.count} in the database. Use another, empty database`,
  )
}

/** Moves sequences past the copied values; then writes the identity and the cursor of the index. */
async function finish(from: Source, to: Database): Promise<void> {
  const sequences = await to.read.query<{ table: string; column: string; sequence: string }>(
    sql`select attrelid::regclass::text as table, quote_ident(attname)::text as column,
        pg_get_serial_sequence(attrelid::regclass::text, attname)::text as sequence
      from pg_attribute where attidentity <> '' and not attisdropped and attrelid = any(${moved}::text[]::regclass[])`,
  )
  const last = await Promise.all(
    LAST.map(async (table) => ({
      table,
      ...columnLists(await writableColumns(from.read, table)),
      rows: await from.read.query<{ row: string }>(sql`select ${sql.raw(table)}::text as row from ${sql.raw(table)}`),
    })),
  )
  await to.transaction(async (into) => {
    for (const { table, column, sequence } of sequences)
      await into.query(
        sql`select setval(${sequence}::regclass, coalesce(max(${sql.raw(column)}), 0) + 1, false) from ${sql.raw(table)}`,
      )
    for (const { table, columns, parts, rows } of last) {
      const texts = rows.map(({ row }) => row)
      await into.query(sql`insert into ${sql.raw(table)} (${columns}) select ${parts}
        from (select unnest(${texts}::text[])::${sql.raw(table)} as of_row) as made`)
    }
    await into.query(sql`drop table tonrpc_moving`)
  })
}
