// Actions of all types but some, far behind the start of the list: read along all actions, not as many of each type.

import { expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import { actionsRead, type SqlText, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const hiddenWithin = [...supportedTypes([])]
const types = hiddenWithin.slice(0, 40)

test.each(drivers)('%s: a page deep in them does not read each type up to there', async (driver) => {
  await using store = await freshDatabase(driver)
  await fillActions(store, { transactions: 4000, accounts: 800 })
  await store.transaction(async (to) => {
    await to.query(sql`update actions a set type = (${types}::text[])[1 + get_byte(action_id, 0) % 40], ancestor_types = '{}'
      where not is_system`)
    await to.query(sql`insert into action_kinds (kind, type, ancestor_types, is_system, is_starter)
      select n, type, '{}', false, false from unnest(${types}::text[]) with ordinality t (type, n)`)
  })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const [all] = await store.read.query<{ count: bigint }>(
    sql`select count(*) as count from actions where not is_system`,
  )
  expect(Number(all?.count)).toBeGreaterThan(2500)
  const idsOf = async (statement: SqlText) =>
    (await store.read.query<{ id: Uint8Array }>(sql`select p.action_id as id from (${statement}) p`)).map(({ id }) =>
      Buffer.from(id).toString('hex'),
    )
  const common = types.slice(0, 30)
  for (const sort of ['asc', 'desc'] as const)
    for (const [exceptTypes, most] of [
      [types.slice(0, 1), 1500],
      [common, Number.POSITIVE_INFINITY],
    ] as const)
      for (const times of [{}, { startUtime: 1 }])
        for (const excludeSystem of [true, false]) {
          const filter = { hiddenWithin, exceptTypes, excludeSystem, ...times }
          const { statement } = actionsRead(filter, { limit: 10, offset: 300, after: null }, sort)
          expect(rowsRead(await planOf(store.read, statement, store.kind))).toBeLessThan(most)
          const unit = 'startUtime' in times ? 'utime' : 'lt'
          const direction = sql.identifier(sort)
          expect(await idsOf(statement)).toEqual(
            await idsOf(sql`select action_id from actions
              where type <> all(${exceptTypes}::text[]) and (not is_system or ${!excludeSystem})
                and not ancestor_types && ${hiddenWithin}::text[]
              order by ${sql.identifier(`trace_end_${unit}`)} ${direction}, trace_id ${direction},
                ${sql.identifier(`end_${unit}`)} ${direction}, action_id ${direction} limit 11 offset 300`),
          )
        }
})
