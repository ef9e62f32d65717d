// The balance of a busy account in intervals: a second in which it has very many transactions is not read through.

import { expect, test } from 'vitest'
import { balancesRead, type SqlText, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const account = new Uint8Array(33).fill(0x80, 0, 1).fill(0x6b, 1)
const PER_SECOND = 400

test.each(drivers)('%s: of each interval some rows are read, however many are of its last second', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 4000, accounts: 300 })
  await store.transaction((to) =>
    to.query(sql`with own as materialized (
        select distinct on (lt) hash, lt from transactions where workchain = 0 order by lt, hash),
      placed as materialized (select hash, (row_number() over (order by lt) - 1) / ${PER_SECOND}::int8 as place from own)
      update transactions t set account = ${account}, now = 1800000000 + 40 * p.place from placed p where p.hash = t.hash`),
  )
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const hashesOf = async (statement: SqlText) =>
    (await store.read.query<{ hash: Uint8Array }>(statement)).map(({ hash }) => Buffer.from(hash).toString('hex'))
  let long = 0
  for (const interval of [1, 60, 3600])
    for (const bounds of [{}, { startUtime: 1_800_000_041, endUtime: 1_800_000_200 }, { endUtime: 1_800_000_079 }])
      for (const sort of ['asc', 'desc'] as const) {
        const { startUtime, endUtime } = { startUtime: 0, endUtime: 2 ** 32, ...bounds }
        const direction = sql.identifier(sort)
        const span = sql.raw(String(interval))
        const all = await hashesOf(sql`select p.hash from (select distinct on (t.now / ${span}) t.hash, t.lt
            from transactions t where t.account = ${account} and t.now >= ${startUtime} and t.now <= ${endUtime}
            order by t.now / ${span}, t.lt desc) p order by p.lt ${direction}`)
        for (const offset of [0, 2]) {
          const { statement } = balancesRead({ account, interval, ...bounds }, { limit: 20, offset, after: null }, sort)
          expect(await hashesOf(statement)).toEqual(all.slice(offset, offset + 21))
          const read = rowsRead(await planOf(store.read, statement, store.kind))
          expect([interval, sort, read]).toEqual([interval, sort, expect.toSatisfy((rows) => rows < PER_SECOND)])
        }
        if (all.length > 5) long += 1
      }
  expect(long).toBeGreaterThan(1)
})
