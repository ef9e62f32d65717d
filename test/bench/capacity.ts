// What a transaction costs a PostgreSQL: bytes by table and processor of both sides, and what that is a month.
// `DATABASE=postgres://... npm run bench -- capacity` with an empty database on this machine (TRANSACTIONS=50000).

import { openDatabase, sql, writeMasterBlocks } from '../../server/store/index.ts'
import { filledRows } from '../setup/filler.ts'
import { processorOf, takenBetween } from './processor.ts'

const address = process.env.DATABASE ?? ''
const transactions = Number(process.env.TRANSACTIONS ?? 50_000)
if (address === '') throw new Error('DATABASE names no PostgreSQL: give one that is empty')

const MONTH_S = 30 * 86_400
const RATES = [1, 10, 50, 100, 500]

const database = await openDatabase({ database: address, readTimeoutMs: 600_000 })

/** Milliseconds of the server's processes for this database. */
async function serverProcessor(): Promise<Map<string, number>> {
  const rows = await database.read.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database()`,
  )
  return new Map(rows.map(({ pid }) => [String(pid), processorOf(pid)]))
}

const before = await serverProcessor()
let count = 0
let own = 0
let seconds = 0
for (const rows of filledRows({ transactions })) {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await database.transaction((to) => writeMasterBlocks(to, rows))
  const { user, system } = process.cpuUsage(cpu)
  own += (user + system) / 1e6
  seconds += (performance.now() - begun) / 1000
  count += rows.transactions.length
}
const theirs = takenBetween(before, await serverProcessor()) / 1000

const tables = await database.read.query<{ name: string; heap: bigint; indexes: bigint }>(
  sql`select relname::text as name, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by pg_total_relation_size(oid) desc`,
)
const per = (bytes: bigint): number => Math.round(Number(bytes) / count)
for (const { name, heap, indexes } of tables.slice(0, 10))
  console.log(
    `${name.padEnd(20)} ${String(per(heap)).padStart(5)} B table ${String(per(indexes)).padStart(5)} B indexes`,
  )
const bytes = tables.reduce((sum, { heap, indexes }) => sum + Number(heap + indexes), 0) / count
const ms = (of: number): string => ((of * 1000) / count).toFixed(2)
console.log(`${count} transactions, ${Math.round(bytes)} B each; written at ${Math.round(count / seconds)} per second;`)
console.log(`processor of each: ${ms(own)} ms here, ${ms(theirs)} ms of the server`)
for (const rate of RATES) {
  const percent = (rate * (own + theirs) * 100) / count
  console.log(
    `${rate} per second: ${Math.round((rate * MONTH_S * bytes) / 1e9)} GB a month, ${percent.toFixed(1)} % of a core`,
  )
}
await database.close()
