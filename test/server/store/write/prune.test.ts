// What is removed of an index that keeps a span, and what stays: compared with an index of the same rows that keeps all.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, moveBound, type PrunedSlice, pruneSlice, sql } from '../../../../server/store/index.ts'
import { allTables } from '../../../../server/store/tables/all.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../../setup/database.ts'
import { fillActions } from '../../../setup/filledActions.ts'
import { fill } from '../../../setup/filler.ts'
import { faultsOf, planOf } from '../../../setup/plans.ts'

const PLAN = { transactions: 600, accounts: 40, atOnce: 7 }

/** The hash of a state that does not exist. */
const MISSING = new Uint8Array(32).fill(7)

/** The accounts that their rows name. */
const EVENTS = {
  jetton_transfers: ['source', 'destination', 'jetton', 'source_wallet'],
  jetton_burns: ['owner', 'jetton_wallet', 'jetton'],
  nft_transfers: ['nft', 'old_owner', 'new_owner'],
}

type Store = Pick<Database, 'read' | 'transaction'>

/** Rows that stay are those of traces that end at the bound or later, or wait for a message. */
const STAYS: Readonly<Record<string, string>> = {
  traces: 'trace_id in (select trace_id from stays)',
  transactions: 'trace_id in (select trace_id from stays)',
  trace_accounts: 'trace_id in (select trace_id from stays)',
  actions: 'trace_id in (select trace_id from stays)',
  action_accounts: 'trace_start in (select substring(trace_id for 16) from stays)',
  transaction_texts: 'hash in (select hash from transactions where trace_id in (select trace_id from stays))',
  jetton_transfers: 'trace_id in (select trace_id from stays)',
  jetton_burns: 'trace_id in (select trace_id from stays)',
  nft_transfers: 'trace_id in (select trace_id from stays)',
  nft_owners: 'tx_hash in (select hash from transactions where trace_id in (select trace_id from stays))',
  messages: `exists (select from transactions t where t.trace_id in (select trace_id from stays)
    and (t.in_msg_hash = of_table.hash or t.hash = of_table.out_tx_hash))`,
  account_states: `status = 'nonexist' or hash in (select hash from accounts)
    or exists (select from transactions t where t.trace_id in (select trace_id from stays)
      and of_table.hash in (t.state_before, t.state_after))`,
  shared_bags: `hash in (select m.init_hash from messages m join transactions t on m.hash = t.in_msg_hash or m.out_tx_hash = t.hash
    where t.trace_id in (select trace_id from stays))`,
  shard_tops: 'mc_seqno >= (select bound from bounds)',
  blocks: `mc_seqno >= (select bound from bounds) or (workchain, shard, seqno) in (
    select workchain, shard, seqno from shard_tops where mc_seqno = (select bound from bounds))`,
}

/**
 * Some of the oldest traces wait for a message. Accounts begin with the state that all missing ones have; each is an item
 * with events of tokens. Transactions have texts, and messages have large bags.
 */
async function fillWaiting(store: TestDatabase): Promise<void> {
  await fillActions(store, PLAN)
  await store.transaction(async (to) => {
    await to.query(sql`insert into pending_edges (msg_hash, trace_id)
      select trace_id, trace_id from traces order by mc_seqno_end, trace_id limit 5`)
    await to.query(
      sql`insert into account_states (hash, balance, extra, status) values (${MISSING}, 0, '{}', 'nonexist')`,
    )
    await to.query(sql`update transactions set state_before = ${MISSING} where orig_status = 'nonexist'`)
    await to.query(sql`insert into nft_owners (tx_hash, account, new_owner, is_alone, mc_seqno)
      select hash, account, account, true, mc_seqno from transactions`)
    for (const [name, accounts] of Object.entries(EVENTS))
      await to.query(sql`insert into ${sql.identifier(name)} (tx_hash, tx_lt, tx_now, aborted, trace_id, query_id,
          ${sql.raw([...accounts, name === 'nft_transfers' ? 'forward_amount' : 'amount'].join())})
        select hash, lt, now, false, trace_id, 0, ${sql.raw(accounts.map(() => 'account').join())}, 1 from transactions`)
    await to.query(sql`insert into transaction_texts (hash, version, lacks, accounts, text, bags, shared)
      select hash, 1, 0, '', '', '', '' from transactions`)
    await to.query(sql`update messages set init_hash = hash`)
    await to.query(sql`insert into shared_bags (hash, bag) select distinct hash, hash from messages`)
  })
}

/** Tables that each removal makes smaller. */
const REMOVED = [
  'transactions',
  'transaction_texts',
  'actions',
  'action_accounts',
  'messages',
  'shared_bags',
  ...Object.keys(EVENTS),
  'nft_owners',
  'account_states',
  'traces',
  'blocks',
]

const NOT_COMPARED = ['indexer_cursor', 'text_progress']

/** Of each table: how many rows there are, and a sum of their hashes. With a bound only of those that are to stay. */
async function digests({ read }: Store, bound: number | null = null): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name } of allTables) {
    if (NOT_COMPARED.includes(name)) continue
    const where = bound === null ? undefined : STAYS[name]
    const [row] = await read.query(sql`with bounds (bound) as (select ${bound ?? 0}::int4),
        stays as (select trace_id from traces where mc_seqno_end >= (select bound from bounds)
          union select trace_id from pending_edges)
      select count(*) as rows, coalesce(sum(hashtextextended(of_table::text, 0)::numeric), 0)::text as sum
      from ${sql.identifier(name)} of_table ${where === undefined ? sql.empty : sql`where ${sql.raw(where)}`}`)
    found[name] = `${row?.rows} ${row?.sum}`
  }
  return found
}

/** Until nothing is due, or so many slices. */
async function prune(store: Store, slice: number, most = Number.POSITIVE_INFINITY): Promise<number> {
  let removed: number = 0
  let next: PrunedSlice['next'] | undefined
  for (let done = 0; next !== null && done < most; done++) {
    const found: PrunedSlice = await store.transaction((to) => pruneSlice(to, slice, next ?? undefined))
    next = found.next
    removed += found.transactions
  }
  return removed
}

/** Seconds from the block at so much of the index to the newest. */
async function spanFrom({ read }: Store, part: number): Promise<number> {
  const [row] = await read.query<{ seconds: bigint }>(sql`select max(gen_utime) - percentile_disc(${part}::float8)
    within group (order by gen_utime) as seconds from blocks where workchain = -1`)
  return Number(row?.seconds)
}

describe.each(drivers)('%s', (driver) => {
  let whole: TestDatabase
  beforeAll(async () => {
    whole = await freshDatabase(driver)
    await fillWaiting(whole)
  })
  afterAll(() => whole[Symbol.asyncDispose]())

  test('what is older goes by whole traces, and all that is newer or of now stays', async () => {
    await using kept = await freshDatabase(driver)
    await fillWaiting(kept)
    const all = await digests(whole)
    expect(await digests(kept)).toEqual(all)
    // A span of all there is leaves the index as one that began where it did.
    expect(await kept.transaction((to) => moveBound(to, 10 ** 9))).toBe(null)
    // Slices of three have only a part of most traces.
    for (const [part, slice] of [
      [0.3, 37],
      [0.7, 3],
    ] as const) {
      const span = await spanFrom(whole, part)
      const first = await kept.transaction((to) => moveBound(to, span))
      expect(await prune(kept, slice)).toBeGreaterThan(100)
      const expected = await digests(whole, first?.seqno ?? 0)
      expect(await digests(kept)).toEqual(expected)
      for (const name of REMOVED) expect([name, expected[name] === all[name]]).toEqual([name, false])
      // The bound does not go back, and nothing is due again.
      expect(await kept.transaction((to) => moveBound(to, 10 ** 9))).toBe(null)
      expect(await prune(kept, 100)).toBe(0)
    }
  })

  test.each([3, 300])(
    'of a deleted account the last transaction that was removed is known, in slices of %d',
    async (slice) => {
      await using kept = await freshDatabase(driver)
      await fillWaiting(kept)
      await kept.transaction((to) => to.query(sql`update transactions set end_status = 'nonexist'`))
      const span = await spanFrom(whole, 0.7)
      await kept.transaction((to) => moveBound(to, span))
      await prune(kept, slice)
      const stays = await kept.read.query<{ hash: Uint8Array }>(sql`select hash from transactions`)
      const removed = await whole.read.query(sql`select account, max(lt) as last_tx_lt from transactions
      where hash <> all(${stays.map(({ hash }) => hash)}::bytea[]) group by account order by account`)
      expect(removed.length).toBeGreaterThan(20)
      expect(await kept.read.query(sql`select account, last_tx_lt from gone_accounts order by account`)).toEqual(
        removed,
      )
    },
  )

  test('of a trace that goes in several slices no list shows a part', async () => {
    await using kept = await freshDatabase(driver)
    await fillWaiting(kept)
    const span = await spanFrom(whole, 0.7)
    await kept.transaction((to) => moveBound(to, span))
    let parts = 0
    for (let next: PrunedSlice['next'] | undefined; next !== null; ) {
      const from = next
      next = (await kept.transaction((to) => pruneSlice(to, 3, from))).next
      const found = await kept.read.query(sql`select k.state, (select count(*) from trace_accounts a
          where a.trace_id = k.trace_id) as accounts,
          (select count(*) from actions a where a.trace_id = k.trace_id) as actions,
          (select count(*) from action_accounts a where a.trace_start = substring(k.trace_id for 16)) as listed
        from traces k where k.nodes > (select count(*) from transactions t where t.trace_id = k.trace_id)`)
      for (const part of found) expect(part).toEqual({ state: 'broken', accounts: 0n, actions: 0n, listed: 0n })
      parts += found.length
    }
    expect(parts).toBeGreaterThan(10)
  })

  test('a message that goes with one transaction stays for another one that received or sent it', async () => {
    await using kept = await freshDatabase(driver)
    await fillWaiting(kept)
    const stay = await kept.transaction((to) =>
      to.query<{ hash: Uint8Array }>(sql`with received as (
          select m.hash from messages m join transactions t on t.in_msg_hash = m.hash
            where m.out_tx_hash is null order by t.lt desc limit 1),
        sent as (select m.hash from messages m join transactions t on t.hash = m.out_tx_hash
          where not exists (select from transactions o where o.in_msg_hash = m.hash) order by t.lt desc limit 1),
        shared as (select hash, row_number() over () as place from (table received union table sent) both_of),
        old as (select hash, row_number() over (order by lt) as place from transactions
          where trace_id not in (select trace_id from pending_edges) order by lt limit 2)
        update transactions t set in_msg_hash = shared.hash from shared join old using (place)
          where t.hash = old.hash returning shared.hash`),
    )
    const hashes = stay.map(({ hash }) => hash)
    const span = await spanFrom(whole, 0.7)
    await kept.transaction((to) => moveBound(to, span))
    expect(await prune(kept, 20)).toBeGreaterThan(100)
    const there = await kept.read.query(sql`select m.hash, (select count(*) from transactions t
      where m.hash = t.in_msg_hash or m.out_tx_hash = t.hash) as of from messages m where hash = any(${hashes}::bytea[])`)
    expect(there).toHaveLength(2)
    expect(there).toMatchObject([{ of: 1n }, { of: 1n }])
  })

  test('removed by two at once, and after one that was cut short, it is the same', async () => {
    await using kept = await freshDatabase(driver)
    await fillWaiting(kept)
    const span = await spanFrom(whole, 0.6)
    const first = await kept.transaction((to) => moveBound(to, span))
    await prune(kept, 11, 3)
    const failed = kept.transaction(async (to) => {
      await pruneSlice(to, 50)
      throw new Error('killed')
    })
    await expect(failed).rejects.toThrow('killed')
    await Promise.all([prune(kept, 10), prune(kept, 13)])
    expect(await prune(kept, 100)).toBe(0)
    expect(await digests(kept)).toEqual(await digests(whole, first?.seqno ?? 0))
  })
})

test('no statement of a slice goes through a large table', async () => {
  await using store = await freshDatabase('pglite')
  await fill(store, { transactions: 2500, accounts: 1000 })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const span = await spanFrom(store, 0.5)
  await store.transaction((to) => moveBound(to, span))
  const slow: string[] = []
  let deletes = 0
  await store.transaction(async (to) => {
    const explained: typeof to = {
      async query(statement, options) {
        const isDelete = statement.text.startsWith('delete')
        if (!isDelete && !/^select (k|t)\./.test(statement.text)) return await to.query(statement, options)
        // It is run to be explained. The newest blocks of shards take two pages here.
        const plan = await planOf(to, statement)
        const faults = faultsOf(plan, { single: false }).filter((fault) => /reads all of (?!shard_tops)/.test(fault))
        if (faults.length > 0) slow.push(`${statement.text}: ${faults.join(', ')}\n${plan.text}`)
        deletes += isDelete ? 1 : 0
        return isDelete ? [] : await to.query(statement, options)
      },
    }
    expect((await pruneSlice(explained, 100)).next).toMatchObject({ of: 'traces' })
    await pruneSlice(explained, 100, { of: 'blocks' })
  })
  expect(deletes).toBeGreaterThan(10)
  expect(slow).toEqual([])
})
