// Keys that are only looked up as a whole are in hash indexes: each row is there once all the same, in an index of before as well.

import { describe, expect, test } from 'vitest'
import { sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'
import { fillAssets } from '../../setup/filledAssets.ts'
import { fill } from '../../setup/filler.ts'
import { indexesOf, migrateInTwo } from '../../setup/olderIndex.ts'
import { forgetHashedKeys } from '../../setup/olderTables.ts'

const KEYS = [
  ['account_states', 'hash'],
  ['shared_bags', 'hash'],
  ['jetton_transfers', 'tx_hash'],
  ['jetton_burns', 'tx_hash'],
  ['nft_transfers', 'tx_hash'],
] as const

const rowsOf = (store: TestDatabase, table: string) =>
  store.read.query(sql`select o::text as row from ${sql.identifier(table)} o order by 1`)

const columns = (store: TestDatabase) =>
  store.read.query(sql`select attrelid::regclass::text as name, attname::text as column_name, attnotnull as is_filled
    from pg_attribute where attrelid::regclass::text = any(${KEYS.map(([table]) => table)}::text[]) and attnum > 0 order by 1, 2`)

async function filled(driver: (typeof drivers)[number]): Promise<TestDatabase> {
  const store = await freshDatabase(driver)
  await fill(store, { transactions: 300, accounts: 30 })
  await fillAssets(store, { rows: 60, people: 10 })
  await store.transaction((to) =>
    to.query(sql`insert into shared_bags select hash, hash from account_states on conflict do nothing`),
  )
  return store
}

describe.each(drivers)('%s', (driver) => {
  test.each(KEYS)('a row of %s that is there already is kept', async (table) => {
    await using store = await filled(driver)
    const before = await rowsOf(store, table)
    expect(before.length).toBeGreaterThan(5)
    const name = sql.identifier(table)
    await store.transaction((to) => to.query(sql`insert into ${name} select * from ${name} on conflict do nothing`))
    expect(await rowsOf(store, table)).toEqual(before)
    const again = store.transaction((to) => to.query(sql`insert into ${name} select * from ${name} limit 1`))
    await expect(again).rejects.toMatchObject({ sqlState: '23P01' })
  })

  test('an index of before gets them in place, also cut short in between', async () => {
    await using store = await filled(driver)
    const all = [await indexesOf(store), await columns(store)]
    const rows = await Promise.all(KEYS.map(([table]) => rowsOf(store, table)))
    const parts = await migrateInTwo(store, { step: '0031_hashedKeys', forget: forgetHashedKeys, cutAt: 3 })
    expect(parts).toEqual([1, 2, 3, 3, 4, 5])
    expect([await indexesOf(store), await columns(store)]).toEqual(all)
    expect(await Promise.all(KEYS.map(([table]) => rowsOf(store, table)))).toEqual(rows)
  })
})
