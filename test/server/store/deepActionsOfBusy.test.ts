// Actions of a busy account of some kinds, far behind the start of the list: those in front of the page are not read.

import { expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import { actionsRead, type SqlText, sql } from '../../../server/store/index.ts'
import { actionKindOf } from '../../../server/store/tables/actions.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const hiddenWithin = [...supportedTypes([])]
const account = new Uint8Array(33).fill(0x80, 0, 1).fill(0x6b, 1)

test.each(drivers)('%s: a page deep in all types but some, or in what the account began', async (driver) => {
  await using store = await freshDatabase(driver)
  await fillActions(store, { transactions: 4000, accounts: 800 })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  await store.transaction(async (to) => {
    await to.query(sql`update action_accounts k set account = ${account} from (
      select distinct on (action_id) action_id, account from action_accounts order by action_id, account) o
      where o.action_id = k.action_id and o.account = k.account`)
    await to.query(sql`update transactions t set account = ${account} where exists (
      select from action_accounts k join actions a using (action_id) join action_kinds w using (kind)
      where a.trace_id = t.hash and k.account = ${account} and w.is_starter)`)
  })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const idsOf = async (statement: SqlText) =>
    (await store.read.query<{ id: Uint8Array }>(sql`select p.action_id as id from (${statement}) p`)).map(({ id }) =>
      Buffer.from(id).toString('hex'),
    )
  const kinds = await store.read.query<{ type: string; count: bigint }>(
    sql`select a.type, count(*) as count from action_accounts k join actions a using (action_id)
      where k.account = ${account} and a.ancestor_types = '{}' group by 1 order by 2 desc`,
  )
  const types = kinds.map(({ type }) => type)
  const seldom = types.at(-1) ?? ''
  const lists = [
    { wanted: { exceptTypes: [seldom] }, where: sql`a.type <> ${seldom}` },
    { wanted: { exceptTypes: types.slice(0, 1) }, where: sql`a.type <> ${types[0] ?? ''}` },
    { wanted: { types: types.slice(0, 2) }, where: sql`a.type = any(${types.slice(0, 2)}::text[])` },
    {
      wanted: { isInitiator: true },
      where: sql`a.action_id in (select k.action_id from action_accounts k join action_kinds w using (kind)
        where k.account = ${account} and w.is_starter)`,
    },
  ]
  let full = 0
  const compare = async (offsets: readonly number[], isBounded: boolean) => {
    for (const { wanted, where } of lists)
      for (const times of [{}, { startUtime: 1 }])
        for (const sort of ['asc', 'desc'] as const)
          for (const offset of offsets) {
            const filter = { hiddenWithin, account, ...wanted, ...times }
            const { statement } = actionsRead(filter, { limit: 10, offset, after: null }, sort)
            const unit = 'startUtime' in times ? 'utime' : 'lt'
            const direction = sql.identifier(sort)
            const ids = await idsOf(statement)
            expect(ids).toEqual(
              await idsOf(sql`select a.action_id from actions a
                where exists (select from action_accounts k where k.action_id = a.action_id and k.account = ${account})
                  and ${where} and not a.ancestor_types && ${hiddenWithin}::text[]
                order by a.${sql.identifier(`trace_end_${unit}`)} ${direction}, a.trace_id ${direction},
                  a.${sql.identifier(`end_${unit}`)} ${direction}, a.action_id ${direction} limit 11 offset ${offset}`),
            )
            if (ids.length === 11) full += 1
            if (isBounded && ids.length === 11)
              expect(rowsRead(await planOf(store.read, statement, store.kind))).toBeLessThan(
                'isInitiator' in wanted ? 4500 : 2500,
              )
          }
  }
  await compare([500, 700, 10_000], true)
  expect(full).toBeGreaterThan(10)
  // Two kinds with one hash: rows of both are in front of the page, and those of one are shown.
  await store.transaction(async (to) => {
    for (const [one, other] of [types.slice(0, 2), types.slice(-2)])
      for (const isStarter of [true, false]) {
        const kindOf = (type = '') => actionKindOf({ type, ancestorTypes: [], isSystem: false, isStarter })
        await to.query(sql`update action_kinds set kind = ${kindOf(one)} where kind = ${kindOf(other)}`)
        await to.query(sql`update action_accounts set kind = ${kindOf(one)} where kind = ${kindOf(other)}`)
      }
  })
  await compare([500, 600], false)
})
