// Every read behind a v3 method on a large database: what is slow about its plan, and how long it takes.
// `npm run bench -- reads`; `READS=100000` sets how many transactions there are, a million by default. TEST_DATABASE_URL
// names an empty PostgreSQL to do it on instead of the embedded database.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Sql, sql } from '../../server/store/index.ts'
import { fill } from '../setup/filler.ts'
import { faultsOf, planOf } from '../setup/plans.ts'
import { readCases, sampleOf } from '../setup/reads.ts'

const count = Number(process.env.READS ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'tonrpc-reads-'))
const database = process.env.TEST_DATABASE_URL ?? 'pglite'
const store = await openDatabase({ database, folder })

const began = performance.now()
let shown = 0
await fill(store, { transactions: count, atOnce: 100 }, (written) => {
  if (written - shown < count / 20) return
  shown = written
  const seconds = (performance.now() - began) / 1000
  console.log(`${written} transactions, ${Math.round(written / seconds)} a second`)
})
await store.transaction((to) => to.query(sql`analyze`, { timeoutMs: 600_000 }))

/** One that is too slow for a caller is to be seen, too. */
const patient: Sql = { query: (statement) => store.read.query(statement, { timeoutMs: 600_000 }) }
const cases = readCases(await sampleOf(store.read))
const times: { readonly name: string; readonly ms: number }[] = []
let slow = 0
for (const one of cases) {
  const plan = await planOf(patient, one.statement, store.kind)
  const started = performance.now()
  await patient.query(one.statement)
  times.push({ name: one.name, ms: performance.now() - started })
  const faults = faultsOf(plan, one)
  if (faults.length === 0) continue
  slow++
  console.log(`${one.name}: ${faults.join(', ')}\n${plan.text}\n`)
}
const ranked = times.sort((a, b) => b.ms - a.ms)
console.log(`\n${cases.length} reads, ${slow} of them slow by their plan; the longest:`)
for (const { name, ms } of ranked.slice(0, 15)) console.log(`${ms.toFixed(1).padStart(9)} ms  ${name}`)
console.log(`${(ranked[Math.floor(ranked.length / 2)]?.ms ?? 0).toFixed(1).padStart(9)} ms  the median`)
await store.close()
await rm(folder, { recursive: true, force: true })
