import { expect, test } from 'vitest'
import { sql } from '../../../../server/store/index.ts'
import { system } from '../../../../server/store/migrations/0009_system.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fillActions } from '../../../setup/filledActions.ts'
import { forgetNarrow, forgetSystem, makeNarrow } from '../../../setup/olderTables.ts'

test.each(drivers)('%s: housekeeping written before it was marked is marked like any other', async (driver) => {
  await using store = await freshDatabase(driver)
  await fillActions(store, { transactions: 400, accounts: 30 })
  const marks = async () => [
    await store.read.query(sql`select hash, is_system from transactions order by hash`),
    await store.read.query(sql`select trace_id, action_id, is_system from actions order by trace_id, action_id`),
    await store.read.query(
      sql`select account, action_id, is_system from action_accounts join action_kinds using (kind) order by account, action_id`,
    ),
    await store.read.query(sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`),
  ]
  const written = await marks()
  for (const rows of written.slice(0, 3))
    expect(new Set(rows.map((row) => row.is_system))).toEqual(new Set([true, false]))
  await store.transaction(async (to) => {
    await forgetNarrow(to)
    await forgetSystem(to)
    await to.query(sql.raw(system))
    await makeNarrow(to)
  })
  expect(await marks()).toEqual(written)
})
