// The store: `npm run bench -- store`. The embedded database cold and warm, its memory, bulk inserts and small reads compared with
// the bare drivers; the same on a PostgreSQL when TEST_DATABASE_URL names an empty database.

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { type Database, openDatabase, sql } from '../../server/store/index.ts'
import { bytea, int4, int8, json, numeric } from '../../server/store/tables/column.ts'
import { table as defineTable, type RowFrom } from '../../server/store/tables/table.ts'
import { insertRows } from '../../server/store/write/bulk.ts'
import { compare, type Row, table } from './compare.ts'

const outer = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
const server = process.env.TEST_DATABASE_URL
const DDL = `create table things (hash bytea primary key, account bytea not null, lt int8 not null, now int4 not null,
  fee numeric, body json); create index things_by_account on things (account, lt)`
const steps = [{ number: 1, name: '0001_things', sql: DDL }]

const things = defineTable('things', { hash: bytea, account: bytea, lt: int8, now: int4, fee: numeric, body: json })
type Thing = RowFrom<typeof things>

const BATCH = 2_000
const accounts = Array.from({ length: 500 }, () => randomBytes(33))
const accountOf = (i: number): Buffer => accounts[i % accounts.length] ?? Buffer.alloc(33)
let lt = 0n
const makeRows = (): Thing[] =>
  Array.from({ length: BATCH }, (_, i) => ({
    hash: randomBytes(32),
    account: accountOf(i),
    lt: lt++,
    now: 1_700_000_000 + i,
    fee: lt * 1_000_003n,
    body: JSON.stringify({
      account: accountOf(i).toString('base64'),
      lt: String(lt),
      parts: [1, 2, 3, 'x'.repeat(300)],
    }),
  }))

/** A statement of the bare driver. */
type Ask = (text: string, values: unknown[]) => Promise<unknown>

/** What a writer without this room would write: one array for each column, in the driver's own form. */
async function insertPlainly(ask: Ask, rows: readonly Thing[]): Promise<void> {
  await ask(
    `insert into things select * from unnest($1::bytea[], $2::bytea[], $3::int8[], $4::int4[], $5::numeric[], $6::json[])`,
    [
      rows.map(({ hash }) => hash),
      rows.map(({ account }) => account),
      rows.map((row) => String(row.lt)),
      rows.map(({ now }) => now),
      rows.map(({ fee }) => String(fee)),
      rows.map(({ body }) => body),
    ],
  )
}

const rate = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - start)
}

const READS = 400
const PAGE = 'select hash, account, lt, body from things where account = $1 order by lt desc limit 10'

async function readOurs(database: Database): Promise<void> {
  for (let i = 0; i < READS; i++) {
    const account = accountOf(i * 7)
    await database.read.query(
      sql`select hash, account, lt, body from things where account = ${account} order by lt desc limit 10`,
    )
  }
}

async function readPlainly(ask: Ask): Promise<void> {
  for (let i = 0; i < READS; i++) await ask(PAGE, [accountOf(i * 7)])
}

async function contest(name: string, database: Database, ask: Ask): Promise<Row[]> {
  return [
    await compare({
      name: `${name}: rows inserted, ${BATCH} at a time`,
      unit: 'rows/s',
      target: 1,
      ours: () => {
        const rows = makeRows()
        return rate(BATCH, () => database.transaction((to) => insertRows(to, things, rows)))
      },
      theirs: () => {
        const rows = makeRows()
        return rate(BATCH, () => insertPlainly(ask, rows))
      },
    }),
    await compare({
      name: `${name}: pages of 10, one after the other`,
      unit: 'pages/s',
      target: 0.8,
      ours: () => rate(READS, () => readOurs(database)),
      theirs: () => rate(READS, () => readPlainly(ask)),
    }),
  ]
}

const { resolve } = createRequire(import.meta.url)
const root = dirname(resolve('tonrpc/package.json'))
const OURS = pathToFileURL(join(root, '.build/server/store/index.js')).href
const BARE = pathToFileURL(resolve('@electric-sql/pglite')).href

/** Starts a database in a process of its own and reports how long that took and what it weighs. */
function boot(
  what: string,
  [door, name, start]: readonly [door: string, name: string, start: string],
  script = '',
): void {
  const source = `
    const { ${name} } = await import(${JSON.stringify(door)})
    const start = performance.now()
    const database = await ${start}
    const ms = Math.round(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    console.log(ms + ' ms, ' + Math.round(process.memoryUsage().rss / 1e6) + ' MB idle')
    ${script}
    await database.close()`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  console.log(`${what.padEnd(40)}${stdout.trim()}`)
}

try {
  const folder = JSON.stringify(join(outer, 'boot'))
  const opening = [OURS, 'openDatabase', `openDatabase({ database: 'pglite', folder: ${folder} })`] as const
  boot('start, new folder', opening)
  boot('start, folder that was closed', opening)
  boot('start', opening, "process.kill(process.pid, 'SIGKILL')")
  boot('start, after a kill', opening)
  const dataDir = JSON.stringify(join(outer, 'bare'))
  boot('bare PGlite, new folder', [BARE, 'PGlite', `PGlite.create({ dataDir: ${dataDir} })`])
  console.log()
  const plain = await PGlite.create({ dataDir: join(outer, 'plain') })
  await plain.exec(DDL)
  const database = await openDatabase({ database: 'pglite', folder: join(outer, 'ours'), migrations: steps })
  const rows = await contest('PGlite', database, (text, values) => plain.query(text, values))
  await database.close()
  await plain.close()
  if (server !== undefined) {
    const theirs = new pg.Client({ connectionString: server })
    await theirs.connect()
    const ours = await openDatabase({ database: server, migrations: steps })
    rows.push(...(await contest('PostgreSQL', ours, (text, values) => theirs.query(text, values))))
    await theirs.query('drop table things, tonrpc_migrations')
    await theirs.end()
    await ours.close()
  }
  console.log(table(rows))
} finally {
  await rm(outer, { recursive: true, force: true })
}
