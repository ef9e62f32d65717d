// A shard that is no more, since it was split or merged: lists of it begin where it was, and do not pass what other shards have since.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  blocksRead,
  type PageKey,
  readPage,
  type SqlText,
  sql,
  type TransactionFilter,
  transactionsRead,
} from '../../../server/store/index.ts'
import { fill } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const ASK = { limit: 10, offset: 0, after: null }
const SORTS = ['asc', 'desc'] as const
const NEVER = 123n
const WHOLE = -(2n ** 63n)

let store: MemoryStore
let old = 0n
let other = 0n
/** The last second of the old shard. */
let end = 0

beforeAll(async () => {
  store = await openMemoryStore()
  await fill(store, { transactions: 5000, accounts: 2000 })
  const shards = await store.read.query<{ shard: bigint; end: bigint }>(
    sql`select shard, min(now) + 60 as end from transactions where workchain = 0 group by shard order by shard limit 2`,
  )
  ;[old, other] = shards.map(({ shard }) => shard) as [bigint, bigint]
  end = Number(shards[0]?.end)
  await store.transaction(async (to) => {
    await to.query(sql`delete from transactions where shard = ${old} and now > ${end}`)
    await to.query(sql`delete from blocks where shard = ${old} and gen_utime > ${end}`)
    await to.query(sql`analyze`, { timeoutMs: 300_000 })
  })
})
afterAll(() => store.close())

const hex = ({ hash }: { readonly hash: Uint8Array }): string => Buffer.from(hash).toString('hex')
const hashesOf = async (statement: SqlText) => (await store.read.query<{ hash: Uint8Array }>(statement)).map(hex)

test('transactions between two seconds', async () => {
  const bounds = [
    { startUtime: 1 },
    { startUtime: end - 30 },
    { endUtime: end - 30 },
    { endUtime: 2 ** 32 - 1 },
    { startUtime: end - 40, endUtime: end - 20 },
    { startUtime: end + 1 },
    { startUtime: 1, startLt: 1n, endLt: 2n ** 62n },
  ]
  const places = [
    { shard: old },
    { shard: old, workchain: 0 },
    { shard: other },
    { shard: other, workchain: 0, excludeSystem: true },
    { shard: WHOLE },
    { shard: WHOLE, workchain: -1 },
    { shard: NEVER, workchain: 0 },
  ]
  for (const place of places)
    for (const bound of bounds)
      for (const sort of SORTS) {
        const filter: TransactionFilter = { ...place, ...bound }
        const statement = (limit: number, offset: number) =>
          transactionsRead(filter, { ...ASK, limit, offset }, sort).statement
        const by = sql.identifier(sort)
        const expected = await hashesOf(sql`select hash from transactions where shard = ${place.shard}
          and now between ${bound.startUtime ?? 0}::int8 and ${bound.endUtime ?? 2 ** 32}::int8 order by now ${by}, lt ${by}, account`)
        expect(await hashesOf(statement(10_000, 0))).toEqual(expected)
        expect(await hashesOf(statement(10, 25))).toEqual(expected.slice(25, 36))
        if (place.shard !== WHOLE) expect(rowsRead(await planOf(store.read, statement(10, 0)))).toBeLessThan(150)
      }
})

test('from one page of them to the next', async () => {
  for (const sort of SORTS) {
    const filter = { shard: old, startUtime: 1 }
    const pageAfter = (after: PageKey | null) =>
      readPage(store.read, transactionsRead(filter, { limit: 30, offset: 0, after }, sort))
    const found: string[] = []
    for (let page = await pageAfter(null); ; page = await pageAfter(page.next)) {
      found.push(...page.rows.map(hex))
      if (page.next === null) break
      expect(
        rowsRead(await planOf(store.read, transactionsRead(filter, { ...ASK, after: page.next }, sort).statement)),
      ).toBeLessThan(150)
    }
    expect(found.length).toBeGreaterThan(60)
    expect(found).toEqual(await hashesOf(transactionsRead(filter, { ...ASK, limit: 10_000 }, sort).statement))
  }
})

test('blocks, of whatever workchain', async () => {
  for (const shard of [old, NEVER])
    for (const times of [{}, { startUtime: 1 }, { endLt: 2n ** 62n }])
      for (const sort of SORTS) {
        const { statement } = blocksRead({ shard, ...times }, ASK, sort)
        const plan = await planOf(store.read, statement)
        const rows = await store.read.query<{ root_hash: Uint8Array }>(statement)
        const by = sql.identifier(sort)
        expect(rows.map(({ root_hash: hash }) => hex({ hash }))).toEqual(
          await hashesOf(
            sql`select root_hash as hash from blocks where shard = ${shard} order by gen_utime ${by}, seqno ${by} limit 11`,
          ),
        )
        // Along an index of all, none of those that are passed is counted.
        const indexes = plan.nodes.map((node) => node['Index Name']).filter((name) => name !== undefined)
        expect(indexes).not.toContain('blocks_by_time')
        expect(indexes).not.toContain('blocks_by_master')
      }
})
