import { expect, test } from 'vitest'
import {
  type Database,
  type MasterBlockRows,
  rollbackTo,
  type SqlText,
  sql,
  writeMasterBlocks,
} from '../../../../server/store/index.ts'
import { orders } from '../../../../server/store/migrations/0006_orders.ts'
import { system } from '../../../../server/store/migrations/0009_system.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill, filledRows } from '../../../setup/filler.ts'
import { openMemoryStore } from '../../../setup/memoryStore.ts'
import { forgetNarrow, forgetSystem, makeNarrow } from '../../../setup/olderTables.ts'

const WRONG = sql`select
  (select count(*) from transactions t left join messages m on m.hash = t.in_msg_hash
    where (t.in_opcode, t.in_body_hash) is distinct from (m.opcode, m.body_hash)) as taken,
  (select count(*) from messages m left join transactions t on t.hash = m.out_tx_hash
    where m.out_lt is distinct from t.lt) as sent`

const COPIED = sql`select (select count(in_body_hash) from transactions) as taken, (select count(out_lt) from messages) as sent`

test('a transaction and a message say of each other what the other says, after going back too', async () => {
  const store = await openMemoryStore()
  const one = async (statement: SqlText) => (await store.read.query(statement))[0]
  // One block at a time, so that much of what is taken in was written before.
  const { firstMcSeqno, lastMcSeqno } = await fill(store, { transactions: 400, accounts: 30, atOnce: 1 })
  expect(await one(WRONG)).toEqual({ taken: 0n, sent: 0n })
  const before = await one(COPIED)
  expect(before?.taken).toBeGreaterThan(200n)
  expect(before?.sent).toBeGreaterThan(100n)
  const middle = Math.floor((firstMcSeqno + lastMcSeqno) / 2)
  await store.transaction((to) => rollbackTo(to, { mcSeqno: middle, accounts: [], gone: [] }))
  expect(await one(WRONG)).toEqual({ taken: 0n, sent: 0n })
  expect((await one(COPIED))?.taken).toBeLessThan(Number(before?.taken))
  await store.close()
})

/** As where the index begins after the first transaction of some traces: the message they then begin with has no sender. */
const cutSome = ({ traces, ...rows }: MasterBlockRows): MasterBlockRows => ({
  ...rows,
  traces: traces.map((row) =>
    (row.traceId[0] ?? 0) % 2 === 0
      ? { ...row, state: 'broken', edges: row.edges - 1, pendingEdges: row.pendingEdges + 1 }
      : row,
  ),
})

test('an index that went back has the traces of one that never went on', async () => {
  const rows = [...filledRows({ transactions: 800, accounts: 30, atOnce: 1 })].map(cutSome)
  const all = async (store: Database) => ({
    traces: await store.read.query(sql`select * from traces order by trace_id`),
    waiting: await store.read.query(sql`select * from pending_edges order by msg_hash`),
  })
  const write = (store: Database, block: MasterBlockRows) => store.transaction((to) => writeMasterBlocks(to, block))
  const [alone, returned] = [await openMemoryStore(), await openMemoryStore()]
  const middle = Math.floor(rows.length / 2)
  for (const block of rows.slice(0, middle)) await write(alone, block)
  for (const block of rows) await write(returned, block)
  const mcSeqno = rows[middle - 1]?.cursor.lastMcSeqno ?? 0
  await returned.transaction((to) => rollbackTo(to, { mcSeqno, accounts: [], gone: [] }))
  const expected = await all(alone)
  expect(expected.waiting.length).toBeGreaterThan(0)
  expect(new Set(expected.traces.map(({ state }) => state))).toEqual(new Set(['broken', 'complete', 'pending']))
  expect(await all(returned)).toEqual(expected)
  await Promise.all([alone.close(), returned.close()])
})

test.each(drivers)(
  '%s: tables from before get it as if it had always been there, and lose no index',
  async (driver) => {
    await using store = await freshDatabase(driver)
    await fill(store, { transactions: 400, accounts: 30 })
    const ends = async () => [
      await store.read.query(sql`select hash, in_opcode, in_body_hash from transactions order by hash`),
      await store.read.query(sql`select hash, out_lt from messages order by hash`),
      await store.read.query(sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`),
    ]
    const written = await ends()
    await store.transaction(async (to) => {
      await forgetNarrow(to)
      await forgetSystem(to)
      await to.query(sql`alter table transactions drop column in_opcode, drop column in_body_hash`)
      await to.query(sql`alter table messages drop column out_lt`)
      await to.query(sql`drop index blocks_by_shard_lt`)
      await to.query(sql.raw(orders))
      await to.query(sql.raw(system))
      await makeNarrow(to)
    })
    expect(await ends()).toEqual(written)
  },
)
