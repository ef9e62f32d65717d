// Every v3 list with each filter it has and each two of them, from both ends, in long pages and far from the beginning: those that
// look at many times the rows they show, and those that take long. `npm run bench -- reads`; `READS=100000` sets how many
// transactions there are, a million by default. TEST_DATABASE_URL names an empty PostgreSQL to do it on instead of the embedded
// database; `ANALYZE=0` leaves the server without statistics.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Sql, sql } from '../../server/store/index.ts'
import { actionReadCases } from '../setup/actionReads.ts'
import { assetReadCases, sampleOfAssets } from '../setup/assetReads.ts'
import { fillActions } from '../setup/filledActions.ts'
import { fillAssets } from '../setup/filledAssets.ts'
import { faultsOf, planOf, rowsRead } from '../setup/plans.ts'
import { ALL_PAGES, type ReadCase, readCases, sampleOf } from '../setup/reads.ts'

const count = Number(process.env.READS ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'tonrpc-reads-'))
const database = process.env.TEST_DATABASE_URL ?? 'pglite'
const PATIENCE_MS = 600_000
const store = await openDatabase({ database, folder, readTimeoutMs: PATIENCE_MS })

/** Of rows read for each row up to the end of the page; pages of fewer than ten count as ten. */
const MOST_TIMES = 20
const MOST_MS = 100

const began = performance.now()
const rows = await fillActions(store, { transactions: count, atOnce: 100 })
const assets = await fillAssets(store, { rows: Math.ceil(count / 5), people: Math.ceil(count / 20) })
console.log(`${count} transactions in ${Math.round((performance.now() - began) / 1000)} s`)
if (process.env.ANALYZE !== '0') await store.transaction((to) => to.query(sql`analyze`, { timeoutMs: PATIENCE_MS }))

/** One that is too slow for a caller is to be seen, too. */
const patient: Sql = { query: (statement) => store.read.query(statement, { timeoutMs: PATIENCE_MS }) }
const cases = [
  ...readCases(await sampleOf(patient), ALL_PAGES),
  ...(await actionReadCases(patient, rows, ALL_PAGES)),
  ...assetReadCases(await sampleOfAssets(patient, assets), ALL_PAGES),
]
/** Methods read the times of such bounds first, which a test of its own looks at. */
const isBoundedBefore = ({ name }: ReadCase): boolean => /(start|end) time and (start|end) lt/.test(name)

const times: { readonly name: string; readonly ms: number }[] = []
let slow = 0
for (const one of cases.filter((each) => !isBoundedBefore(each))) {
  const plan = await planOf(patient, one.statement, store.kind)
  const started = performance.now()
  await patient.query(one.statement)
  const ms = performance.now() - started
  times.push({ name: one.name, ms })
  const each = rowsRead(plan) / Math.max(one.wanted ?? 10, 10)
  if (each <= MOST_TIMES && ms <= MOST_MS) continue
  slow++
  const faults = faultsOf(plan, one).join(', ')
  console.log(`${one.name}: ${Math.round(each)} rows for each, ${ms.toFixed(0)} ms; ${faults}\n${plan.text}\n`)
}
const ranked = times.sort((a, b) => b.ms - a.ms)
console.log(`\n${cases.length} reads, ${slow} of them slow; the longest:`)
for (const { name, ms } of ranked.slice(0, 15)) console.log(`${ms.toFixed(1).padStart(9)} ms  ${name}`)
console.log(`${(ranked[Math.floor(ranked.length / 2)]?.ms ?? 0).toFixed(1).padStart(9)} ms  the median`)
await store.close()
await rm(folder, { recursive: true, force: true })
