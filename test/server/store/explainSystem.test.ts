// Lists without housekeeping on a chain that was idle for long: what everybody else did is found behind it, not walked to.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supportedTypes } from '../../../server/actions/index.ts'
import {
  type ActionFilter,
  actionsRead,
  type PagedRead,
  type PageRequest,
  readPage,
  sql,
  type TransactionFilter,
  transactionsRead,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { faultsOf, planOf, rowsRead } from '../../setup/plans.ts'

type Store = Awaited<ReturnType<typeof freshDatabase>>

const IDLE = 4000
const LATER = 10n ** 15n
const WHOLE = -(2n ** 63n)
const FIRST_UTIME = 1_700_000_000
const LAST_UTIME = 1_900_000_000
const hiddenWithin = [...supportedTypes([])]
const masterAccount = (fill: number): Uint8Array => new Uint8Array(33).fill(fill).fill(0x7f, 0, 1)
const ELECTOR = masterAccount(0x33)
const many = Array.from({ length: 40 }, (_, i) => [masterAccount(i + 100), new Uint8Array(33).fill(i + 130)]).flat()

/** What the elector gets while nothing else happens: a copy of one fee, with all that comes of it, for each second. */
async function idle(store: Store): Promise<void> {
  const named = (word: string) => sql`sha256(convert_to(${word} || n, 'UTF8'))`
  const times = sql`generate_series(1, ${IDLE}) n`
  await store.transaction(async (to) => {
    await to.query(sql`create temporary table fee as select * from actions where is_system limit 1`)
    await to.query(sql`insert into transactions (hash, account, lt, now, mc_seqno, workchain, shard, seqno, prev_hash,
        prev_lt, orig_status, end_status, total_fees, total_fees_extra, description, in_msg_hash, state_before, state_after,
        trace_id, is_system)
      select ${named('t')}, t.account, ${LATER}::int8 + n, 1800000000 + n, t.mc_seqno, t.workchain, t.shard, t.seqno,
        t.prev_hash, t.prev_lt, t.orig_status, t.end_status, t.total_fees, t.total_fees_extra, t.description, null,
        t.state_before, t.state_after, ${named('t')}, true
      from (select * from transactions where hash = (select trace_id from fee)) t, ${times}`)
    await to.query(sql`insert into actions (trace_id, action_id, type, success, start_lt, end_lt, start_utime, end_utime,
        trace_end_lt, trace_end_utime, trace_mc_seqno_end, transactions, accounts, details, ancestor_types, is_system)
      select ${named('t')}, ${named('a')}, type, success, start_lt, ${LATER}::int8 + n, start_utime, 1800000000 + n,
        ${LATER}::int8 + n, 1800000000 + n, trace_mc_seqno_end, array[${named('t')}], accounts, details, ancestor_types, true
      from fee, ${times}`)
    await to.query(sql`insert into action_accounts (trace_end_lt, trace_end_utime, kind, account, trace_start, action_id)
      select a.trace_end_lt, a.trace_end_utime, k.kind, unnest(a.accounts), substring(a.trace_id for 16), a.action_id
      from actions a join action_kinds k on k.type = a.type and k.ancestor_types = a.ancestor_types and k.is_system
        and k.is_starter where a.trace_end_lt > ${LATER}::int8`)
    await to.query(sql`drop table fee`)
    await to.query(sql`analyze`)
  })
}

const transactionFilters: Readonly<Record<string, TransactionFilter>> = {
  'no other filter': {},
  'the masterchain': { workchain: -1 },
  'the basechain': { workchain: 0 },
  'a shard': { shard: WHOLE },
  'the elector': { accounts: [ELECTOR] },
  'the elector and another': { accounts: [ELECTOR, masterAccount(0x55)] },
  'many accounts': { accounts: [ELECTOR, ...many] },
  'all accounts but one': { excludeAccounts: [masterAccount(0x55)] },
}

const actionFilters: Readonly<Record<string, Omit<ActionFilter, 'hiddenWithin'>>> = {
  'no other filter': {},
  'all types': { types: hiddenWithin, isOfAllTypes: true },
  'types of the first version': { types: hiddenWithin.slice(0, 20) },
  transfers: { types: ['ton_transfer'] },
  'all but calls': { exceptTypes: ['call_contract'] },
  'the elector': { account: ELECTOR },
  absent: { account: masterAccount(0) },
}

/** Each of them by logical time and by seconds. */
const timed = <F extends object>(filters: Readonly<Record<string, F>>): [string, F][] =>
  Object.entries(filters).flatMap(([name, filter]): [string, F][] => [
    [name, filter],
    [`${name}, by seconds`, { ...filter, startUtime: FIRST_UTIME, endUtime: LAST_UTIME }],
  ])

describe.each(drivers)('%s', (driver) => {
  let store: Store

  beforeAll(async () => {
    store = await freshDatabase(driver)
    await fillActions(store, { transactions: 1500, accounts: 300 })
    await idle(store)
  })
  afterAll(() => store.close())

  async function check<T>(
    read: (ask: PageRequest, sort: 'asc' | 'desc') => PagedRead<T>,
    all: (ask: PageRequest) => PagedRead<T>,
    isSystem: (row: T) => boolean,
  ): Promise<void> {
    const ask = { limit: 10, offset: 0, after: null }
    for (const sort of ['asc', 'desc'] as const) {
      const plan = await planOf(store.read, read(ask, sort).statement, store.kind)
      expect(faultsOf(plan, { single: true }), plan.text).toEqual([])
      expect(rowsRead(plan), plan.text).toBeLessThan(400)
    }
    const first = await readPage(store.read, read(ask, 'desc'))
    const next = first.next === null ? null : await readPage(store.read, read({ ...ask, after: first.next }, 'desc'))
    const skipped = await readPage(store.read, read({ ...ask, limit: 15, offset: 5 }, 'desc'))
    const { rows } = await readPage(store.read, all({ ...ask, limit: 100_000 }))
    const expected = rows.filter((row) => !isSystem(row))
    expect([...first.rows, ...(next?.rows ?? [])]).toEqual(expected.slice(0, 20))
    expect(skipped.rows).toEqual(expected.slice(5, 20))
  }

  test.each(timed(transactionFilters))('transactions by %s', async (_, filter) => {
    const named = await store.read.query<{ hash: Uint8Array }>(sql`select hash from transactions where is_system`)
    const system = new Set(named.map(({ hash }) => Buffer.from(hash).toString('hex')))
    await check(
      (ask, sort) => transactionsRead({ ...filter, excludeSystem: true }, ask, sort),
      (ask) => transactionsRead(filter, ask, 'desc'),
      ({ hash }) => system.has(Buffer.from(hash).toString('hex')),
    )
  })

  test.each(timed(actionFilters))('actions by %s', async (_, filter) => {
    const named = await store.read.query<{ id: Uint8Array }>(sql`select action_id as id from actions where is_system`)
    const system = new Set(named.map(({ id }) => Buffer.from(id).toString('hex')))
    await check(
      (ask, sort) => actionsRead({ ...filter, hiddenWithin, excludeSystem: true }, ask, sort),
      (ask) => actionsRead({ ...filter, hiddenWithin }, ask, 'desc'),
      ({ actionId }) => system.has(Buffer.from(actionId).toString('hex')),
    )
  })
})
