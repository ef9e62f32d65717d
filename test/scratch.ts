import { PGlite, types } from '@electric-sql/pglite'
import { chain } from '../server/store/migrations/0001_chain.ts'
import type { Database, Row, Sql, SqlText } from '../server/store/index.ts'
import { toWire } from '../server/store/parameters.ts'
import { fill } from './setup/filler.ts'
const n = Number(process.argv[2] ?? 5000)
const db = new PGlite(process.argv[3])
const parsers = { [types.INT8]: (t: string) => BigInt(t), [types.NUMERIC]: (t: string) => BigInt(t), [types.JSON]: (t: string) => t }
const serializers = Object.fromEntries([17,20,1700,114,25,16,21,23,1001,1016,1231,199,1009,1000,1005,1007].map(o => [o, (v: any) => { const w = toWire(v); return w instanceof Uint8Array ? '\\x' + Buffer.from(w).toString('hex') : w }]))
export const q: Sql = { query: async <R extends Row>(s: SqlText) => (await db.query<R>(s.text, s.values as any[], { parsers, serializers } as any)).rows }
await db.exec(chain)
const database = { transaction: async (w: any) => { await db.exec('begin'); const r = await w(q); await db.exec('commit'); return r } } as Pick<Database,'transaction'>
const t = performance.now()
const filled = await fill(database, { transactions: n })
console.log(filled, Math.round(performance.now() - t), 'ms', Math.round(process.memoryUsage().rss/1e6))
for (const tb of ['blocks','transactions','messages','account_states','accounts','traces','trace_accounts','pending_edges'])
  console.log(tb, (await db.query('select count(*) from ' + tb)).rows)
await db.exec('analyze')
console.log(await db.query("select state,count(*),avg(nodes),max(nodes) from traces group by 1").then(r=>r.rows))
console.log(await db.query("select count(*) c from transactions group by account order by c desc limit 5").then(r=>r.rows))
await db.close()
