// Runs the migrations, forward only. Several processes may start at once: each locks a row first, which works behind poolers
// and in engines without advisory locks too.

import { createHash } from 'node:crypto'
import { bareText } from './bareTable.ts'
import type { Database, Sql } from './database.ts'
import { makeTable } from './makeTable.ts'
import { estimateSeconds, ROWS_OF_CLASS, type TableChange, tableChanges } from './migrationCost.ts'
import type { Migration } from './migrations/index.ts'
import { sql } from './sql.ts'
import { SQL_STATES } from './sqlStates.ts'
import { StoreError } from './storeError.ts'
import type { StoreNotice } from './storeOptions.ts'
import { enqueue, settleAll } from './write/enqueue.ts'

interface AppliedRow {
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly [column: string]: unknown
}

/** Making an index on a large table takes long. */
const STEP_MS = 3_600_000

const partsOf = ({ sql: text }: Migration): readonly string[] => (typeof text === 'string' ? [text] : text)

/** The same for both kinds of line ends. */
export const checksumOf = (migration: Migration): string =>
  migration.checksum ??
  createHash('sha256').update(partsOf(migration).join('\n').replaceAll('\r\n', '\n')).digest('hex')

/**
 * Runs the pending migrations; `progress` gets a line for each part of those that change a database of an older version. Throws
 * StoreError `mismatch` when the database is newer, or was made by other steps, `conflict` while a dump is restored into it.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  progress: StoreNotice = () => undefined,
): Promise<void> {
  checkNumbers(migrations)
  await requireStepsWhole(database.read)
  const applied = await readApplied(database.read)
  if (pendingOf(applied, migrations).length === 0) return
  // Of the primary, too: a replica may not have the table yet.
  await database.transaction((to) => requireStepsWhole(to))
  await makeSteps(database)
  if (applied.length === 0 || (await isUnused(database.read))) await runAll(database, migrations)
  else while (await runNext(database, migrations, progress));
}

/** On a database without rows: all at once, since each answer of a server far away takes longer than what it makes. */
async function runAll(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async (to) => {
    await lockSteps(to)
    const pending = pendingOf(await readApplied(to), migrations)
    const [first, ...others] = pending
    if (first === undefined) return
    const left = partsOf(first).slice(await partsDone(to, first))
    const parts = [...left, ...others.flatMap(partsOf)]
    await settleAll([
      ...parts.map((part) => to.query(sql.raw(part), { timeoutMs: STEP_MS })),
      ...pending.map((step) => noteStep(to, step)),
    ])
  })
}

const lockSteps = (to: Sql): Promise<unknown> =>
  to.query(sql`select number from tonrpc_migrations where number = 0 for update`, { timeoutMs: STEP_MS })

/** Whether no block was ever written: a first start that was cut short goes on as it began. */
async function isUnused(from: Sql): Promise<boolean> {
  const [table] = await from.query<{ name: string | null }>(sql`select to_regclass('blocks')::text as name`)
  if (table?.name == null) return false
  return (await from.query(sql`select 1 as one from blocks limit 1`)).length === 0
}

/** What a start would do to a database, and how much there is to do it to. */
export interface MigrationPlan {
  /** Names of steps that ran, and of those that would run. */
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Of the whole database. */
  readonly bytes: number
  /** As counted by the server when it analysed the table last. */
  readonly transactions: number
  /** Tables with rows that the pending steps read or write as a whole. */
  readonly changes: readonly TableChange[]
  /** By the speed this server sorts rows with; null when there is nothing to measure it with. */
  readonly seconds: number | null
}

/** Changes nothing. Throws StoreError as `migrate` does. */
export async function planMigrations(from: Sql, migrations: readonly Migration[]): Promise<MigrationPlan> {
  await requireStepsWhole(from)
  const applied = await readApplied(from)
  const pending = pendingOf(applied, migrations)
  const [size] = await from.query<{ bytes: bigint; transactions: bigint }>(
    sql`select pg_database_size(current_database()) as bytes,
      coalesce((select ${ROWS_OF_CLASS} from pg_class where oid = to_regclass('transactions')), 0) as transactions`,
  )
  const changes = applied.length === 0 ? [] : await tableChanges(from, await pendingParts(from, pending))
  return {
    applied: applied.map(({ name }) => name),
    pending: pending.map(({ name }) => name),
    bytes: Number(size?.bytes ?? 0),
    transactions: Number(size?.transactions ?? 0),
    changes,
    seconds: await estimateSeconds(from, changes),
  }
}

/** For a process that leaves migrations to others. Throws StoreError `mismatch` when one is pending. */
export async function requireMigrated(database: Database, migrations: readonly Migration[]): Promise<void> {
  await requireStepsWhole(database.read)
  const [first] = pendingOf(await readApplied(database.read), migrations)
  if (first === undefined) return
  throw new StoreError(
    'mismatch',
    `The database lacks step ${first.name}. Start a process of this version that may change the tables first`,
  )
}

function checkNumbers(migrations: readonly Migration[]): void {
  const wrong = migrations.find(({ number }, i) => number !== i + 1)
  if (wrong !== undefined) throw new TypeError(`Migration ${wrong.name} is out of order`)
}

/** A table of steps without its index is about to get its rows from a dump: a row of ours beside them would spoil the restore. */
async function requireStepsWhole(from: Sql): Promise<void> {
  const [found] = await from.query<{ is_bare: boolean }>(
    sql`select not relhasindex as is_bare from pg_class where relkind = 'r' and oid = to_regclass('tonrpc_migrations')`,
  )
  if (found?.is_bare === true) throw new StoreError('conflict', bareText('tonrpc_migrations'))
}

/** In the order they ran; empty when there is no such table. */
async function readApplied(from: Sql): Promise<readonly AppliedRow[]> {
  try {
    return await from.query<AppliedRow>(
      sql`select number, name, checksum from tonrpc_migrations where number > 0 order by number`,
    )
  } catch (error) {
    const isMissing = error instanceof StoreError && error.sqlState === SQL_STATES.noSuchTable
    if (isMissing) return []
    throw error
  }
}

/** The migrations that have not run. Throws when those that ran are not the first of the list. */
function pendingOf(applied: readonly AppliedRow[], migrations: readonly Migration[]): readonly Migration[] {
  const latest = applied.at(-1)
  if (latest !== undefined && latest.number > migrations.length) {
    throw new StoreError(
      'mismatch',
      `The database was made by a newer version of this program: it has step ${latest.name}, this one ends with ` +
        `${migrations.at(-1)?.name ?? 'none'}. Use that version, or another database`,
    )
  }
  applied.forEach(({ name, checksum }, i) => {
    const own = migrations[i]
    if (own !== undefined && own.name === name && checksumOf(own) === checksum) return
    throw new StoreError(
      'mismatch',
      `The database was made by other steps than those of this program: ${name} is not what ran there. Use the version ` +
        'of the program that made it, or an empty database, which is then filled from the chain again',
    )
  })
  return migrations.slice(applied.length)
}

async function makeSteps(database: Database): Promise<void> {
  await makeTable(
    database,
    sql`create table if not exists tonrpc_migrations (
      number int4 primary key, name text not null, checksum text not null, applied_at int8 not null)`,
  )
  await database.transaction((to) =>
    to.query(sql`insert into tonrpc_migrations values (0, 'lock', '', 0) on conflict do nothing`),
  )
}

/** Resolves to false when none is pending. */
function runNext(database: Database, migrations: readonly Migration[], progress: StoreNotice): Promise<boolean> {
  return database.transaction(async (to) => {
    await lockSteps(to)
    const [next] = pendingOf(await readApplied(to), migrations)
    if (next === undefined) return false
    const parts = partsOf(next)
    const done = await partsDone(to, next)
    const end = next.isInParts === true ? done + 1 : parts.length
    for (const [i, part] of parts.slice(done, end).entries()) {
      progress('database step runs', { step: next.name, part: done + i + 1, parts: parts.length })
      await to.query(sql.raw(part), { timeoutMs: STEP_MS })
    }
    await (end < parts.length ? noteParts(to, next, end) : noteStep(to, next))
    return true
  })
}

async function pendingParts(from: Sql, steps: readonly Migration[]): Promise<readonly string[]> {
  const parts = steps.map(async (step) => partsOf(step).slice(await partsDone(from, step)))
  return (await Promise.all(parts)).flat()
}

/** Of a step that was begun. Its row has its number below zero, and their count where a finished step has its checksum. */
async function partsDone(from: Sql, { number }: Migration): Promise<number> {
  const [row] = await from.query<{ done: number }>(
    sql`select checksum::int4 as done from tonrpc_migrations where number = ${-number}::int4`,
  )
  return row?.done ?? 0
}

async function noteParts(to: Sql, { number, name }: Migration, done: number): Promise<void> {
  await to.query(sql`insert into tonrpc_migrations
    values (${-number}::int4, ${name}, ${String(done)}, extract(epoch from now())::int8)
    on conflict (number) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`)
}

async function noteStep(to: Sql, step: Migration): Promise<void> {
  const { number, name } = step
  enqueue(to, sql`delete from tonrpc_migrations where number = ${-number}::int4`)
  await to.query(sql`insert into tonrpc_migrations
    values (${number}, ${name}, ${checksumOf(step)}, extract(epoch from now())::int8)`)
}
