// Actions of a kind that an account hardly has, and of all kinds but one that it has often: found along the index of kinds, however
// many others there are and whatever the server knows of its tables.

import { describe, expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import {
  type ActionFilter,
  type ActionRow,
  actionsRead,
  type Database,
  type PageRequest,
  readPage,
  type SortDirection,
  sql,
} from '../../../server/store/index.ts'
import type { Page } from '../../../server/store/read/page.ts'
import { actionKindOf } from '../../../server/store/tables/actions.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { indexesOf, migrateInTwo } from '../../setup/olderIndex.ts'
import { forgetKinds } from '../../setup/olderTables.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const MANY = 6000
const PAGE: PageRequest = { limit: 10, offset: 0, after: null }
const hiddenWithin = [...supportedTypes([])]
const EVER = { startUtime: 1, endUtime: 4_000_000_000 }

type Store = Pick<Database, 'read' | 'transaction' | 'kind'>

/** Copies of an action behind all others and before them, for an account that has many: all of one kind. */
async function makeBusy(store: Store, type: string): Promise<Uint8Array> {
  const [found] = await store.read.query<{ account: Uint8Array }>(sql`select k.account from action_accounts k
    where k.account >= '\\x80'::bytea group by k.account having count(distinct k.kind) > 2
    order by count(*) desc, k.account limit 1`)
  if (found === undefined) throw new Error('there are no actions')
  const { account } = found
  const parts = { type, ancestorTypes: [], isSystem: false, isStarter: false }
  const named = (word: string) => sql`sha256(convert_to(${word} || n, 'UTF8'))`
  await store.transaction(async (to) => {
    await to.query(sql`create temporary table more as select a.*, n from
      (select * from actions where not is_system order by trace_end_lt limit 1) a,
      generate_series(-${MANY / 2}::int4, ${MANY / 2}::int4) n`)
    await to.query(sql`update more set trace_id = ${named('t')}, action_id = ${named('a')}, type = ${type},
      ancestor_types = '{}', accounts = array[${account}::bytea], transactions = array[${named('t')}],
      trace_end_lt = trace_end_lt + n::int8 * 100000000000, trace_end_utime = trace_end_utime + n * 1000`)
    await to.query(sql`alter table more drop column n`)
    await to.query(sql`insert into actions select * from more`)
    await to.query(sql`insert into action_kinds values (${actionKindOf(parts)}, ${type}, '{}', false, false)`)
    await to.query(sql`insert into action_accounts (trace_end_lt, trace_end_utime, kind, account, trace_start, action_id)
      select trace_end_lt, trace_end_utime, ${actionKindOf(parts)}::int4, ${account}::bytea, substring(trace_id for 16), action_id
      from more`)
    await to.query(sql`drop table more`)
  })
  return account
}

const others = hiddenWithin.filter((type) => type !== 'jetton_swap')

const filters: Readonly<Record<string, Omit<ActionFilter, 'hiddenWithin'>>> = {
  'a type': { types: ['call_contract'] },
  'a type that it has never': { types: ['dns_release'] },
  'two types': { types: ['call_contract', 'ton_transfer'] },
  'all types but one': { types: others },
  'without a type': { types: hiddenWithin, isOfAllTypes: true, exceptTypes: ['jetton_swap'] },
  'begun by the account': { types: hiddenWithin, isOfAllTypes: true, isInitiator: true },
  'a type, begun by the account': { types: ['call_contract'], isInitiator: true },
}

const ways = Object.entries(filters).flatMap(([name, filter]) =>
  (['asc', 'desc'] as const).flatMap((sort): [string, Omit<ActionFilter, 'hiddenWithin'>, SortDirection][] => [
    [`${name}, ${sort}`, filter, sort],
    [`${name}, by seconds, ${sort}`, { ...filter, ...EVER }, sort],
  ]),
)

/** What it has most of: read along the index, not sorted. */
const frequent = (['asc', 'desc'] as const).flatMap(
  (sort): [string, Omit<ActionFilter, 'hiddenWithin'>, SortDirection][] => [
    [`most of it, ${sort}`, { types: ['jetton_swap'] }, sort],
    [`most of it, by seconds, ${sort}`, { types: ['jetton_swap'], ...EVER }, sort],
    [`all of it, ${sort}`, { types: hiddenWithin, isOfAllTypes: true }, sort],
  ],
)

/** As a filter by hand has it. */
const matches = ({ types, exceptTypes }: Omit<ActionFilter, 'hiddenWithin'>, type: string): boolean =>
  (types?.includes(type) ?? true) && exceptTypes?.includes(type) !== true

describe.each(drivers)('%s', (driver) => {
  test('no page reads more than it shows many times over', async () => {
    await using store = await freshDatabase(driver)
    const rows = await fillActions(store, { transactions: 1500, accounts: 300 })
    const account = await makeBusy(store, 'jetton_swap')
    const own = rows.filter(({ accounts }) => accounts.some((one) => Buffer.compare(one, account) === 0))
    const starters = new Set(
      (await store.read.query<{ hash: Uint8Array }>(sql`select hash from transactions where account = ${account}`)).map(
        ({ hash }) => Buffer.from(hash).toString('hex'),
      ),
    )
    const found: Record<string, number> = {}
    const countRows = async (when: string) => {
      for (const [name, filter, sort] of [...ways, ...frequent]) {
        const { statement } = actionsRead({ ...filter, account, hiddenWithin }, PAGE, sort)
        found[`${name}, ${when}`] = rowsRead(await planOf(store.read, statement, store.kind))
      }
    }
    await countRows('without statistics')
    for (const [name, filter, sort] of ways) {
      const read = actionsRead({ ...filter, account, hiddenWithin }, { ...PAGE, limit: 1000 }, sort)
      const expected = own
        .filter(
          ({ type, ancestorTypes }) => matches(filter, type) && !ancestorTypes.some((one) => others.includes(one)),
        )
        .filter(({ traceId }) => filter.isInitiator !== true || starters.has(Buffer.from(traceId).toString('hex')))
      const page = await readPage(store.read, read)
      expect(page.rows.map(({ type }) => type).sort(), name).toEqual(expected.map(({ type }) => type).sort())
    }
    await store.transaction((to) => to.query(sql`analyze`))
    await countRows('with statistics')
    expect(Object.entries(found).filter(([, count]) => count > 500)).toEqual([])
  })

  test('pages of some types, each after the last row of the one before, are all of them in order', async () => {
    await using store = await freshDatabase(driver)
    await fillActions(store, { transactions: 600, accounts: 40 })
    const [busy] = await store.read.query<{ account: Uint8Array }>(
      sql`select account from action_accounts where account >= '\\x80'::bytea group by account order by count(*) desc limit 1`,
    )
    for (const times of [{}, EVER])
      for (const sort of ['asc', 'desc'] as const) {
        const filter = { account: busy?.account, types: ['call_contract', 'ton_transfer'], hiddenWithin, ...times }
        const whole = await readPage(store.read, actionsRead(filter, { ...PAGE, limit: 1000 }, sort))
        expect(whole.rows.length).toBeGreaterThan(20)
        const walked: unknown[] = []
        for (let after: PageRequest['after'] = null; ; ) {
          const page: Page<ActionRow> = await readPage(
            store.read,
            actionsRead(filter, { limit: 7, offset: 0, after }, sort),
          )
          walked.push(...page.rows.map(({ actionId }) => actionId))
          after = page.next
          if (after === null) break
        }
        expect(walked).toEqual(whole.rows.map(({ actionId }) => actionId))
      }
  })

  test('an index of before gets them in place, cut short in between, and no row of before is added meanwhile', async () => {
    await using store = await freshDatabase(driver)
    await fillActions(store, { transactions: 600, accounts: 60 })
    const rows = () => store.read.query(sql`select * from action_accounts order by account, action_id, trace_start`)
    const all = async () => [await rows(), await indexesOf(store)]
    const written = await all()
    const kinds = await store.read.query<{ kind: number }>(sql`select * from action_kinds`)
    expect(kinds.length).toBeGreaterThan(3)
    const old = sql`insert into action_accounts values
      ('\\x80'::bytea, '\\x00'::bytea, '\\x00'::bytea, 1, 1, 1, 1, false)`
    // As a process of before writes: its actions, which are taken back, leave the table larger than it was.
    const again = sql`insert into actions select * from actions`
    const meanwhile = () =>
      expect(store.transaction((to) => Promise.all([to.query(again), to.query(old)]))).rejects.toMatchObject({
        sqlState: '23514',
      })
    const parts = await migrateInTwo(store, { step: '0029_actionKinds', forget: forgetKinds, cutAt: 9, meanwhile })
    expect(parts.slice(7, 11)).toEqual([8, 9, 9, 10])
    expect((await rows()).length).toBe(written[0]?.length)
    expect(await all()).toEqual(written)
    await store.transaction((to) => to.query(sql`analyze`))
    const statistics = sql`select distinct tablename::text as name from pg_stats where tablename like 'action_accounts_by%' order by 1`
    const gathered = await store.read.query(statistics)
    expect(gathered).toEqual([{ name: 'action_accounts_by_lt' }, { name: 'action_accounts_by_time' }])
    const migrated = await store.read.query(sql`select * from action_kinds`)
    for (const kind of kinds) expect(migrated).toContainEqual(kind)
  })
})
