// Actions of all types but some, far behind the start of the list: read along all actions, not as many of each type.

import { expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import { actionsRead, type SqlText, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const hiddenWithin = [...supportedTypes([])]
const types = hiddenWithin.slice(0, 40)

const sorts = ['asc', 'desc'] as const

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
  for (const sort of sorts)
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

test.each(drivers)(
  '%s: where most are not wanted, no more of all types are read than the page needs',
  async (driver) => {
    await using store = await freshDatabase(driver)
    await fillActions(store, { transactions: 4000, accounts: 800 })
    await store.transaction(async (to) => {
      await to.query(sql`create temporary table more as select a.* from
      (select * from actions where not is_system) a, generate_series(1, 3) n`)
      await to.query(sql`alter table more add column place serial`)
      await to.query(sql`update more set action_id = sha256(convert_to('a' || place, 'UTF8')), trace_end_lt = trace_end_lt + place,
      type = (${types}::text[])[1 + place % 40], ancestor_types = '{}'`)
      await to.query(sql`alter table more drop column place`)
      await to.query(sql`delete from actions where not is_system`)
      await to.query(sql`insert into actions select * from more`)
      await to.query(sql`drop table more`)
      await to.query(sql`insert into action_kinds (kind, type, ancestor_types, is_system, is_starter)
      select n, type, '{}', false, false from unnest(${types}::text[]) with ordinality t (type, n)`)
    })
    await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
    const idsOf = async (statement: SqlText) =>
      (await store.read.query<{ id: Uint8Array }>(sql`select p.action_id as id from (${statement}) p`)).map(({ id }) =>
        Buffer.from(id).toString('hex'),
      )
    const exceptTypes = types.slice(0, 26)
    for (const sort of sorts)
      for (const times of [{}, { startUtime: 1 }])
        for (const offset of [500, 700, 100_000]) {
          const filter = { hiddenWithin, exceptTypes, excludeSystem: true, ...times }
          const { statement } = actionsRead(filter, { limit: 10, offset, after: null }, sort)
          const unit = 'startUtime' in times ? 'utime' : 'lt'
          const direction = sql.identifier(sort)
          const ids = await idsOf(statement)
          expect(ids).toHaveLength(offset > 10_000 ? 0 : 11)
          expect(ids).toEqual(
            await idsOf(sql`select action_id from actions where type <> all(${exceptTypes}::text[]) and not is_system
            order by ${sql.identifier(`trace_end_${unit}`)} ${direction}, trace_id ${direction},
              ${sql.identifier(`end_${unit}`)} ${direction}, action_id ${direction} limit 11 offset ${offset}`),
          )
          // As many are looked at first along all actions.
          const most = 2 * (offset + 11) + 3 * (offset + 11)
          const read = rowsRead(await planOf(store.read, statement, store.kind))
          if (ids.length > 0) expect([sort, unit, read]).toEqual([sort, unit, expect.toSatisfy((rows) => rows < most)])
        }
  },
)
