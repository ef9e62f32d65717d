// What keeps two writers apart, and what going back puts back.

import { expect, test } from 'vitest'
import {
  moveBound,
  type PrunedSlice,
  pruneSlice,
  rollbackTo,
  type Sql,
  type SqlRow,
  sql,
  writeMasterBlocks,
} from '../../../../server/store/index.ts'
import { contractTables } from '../../../../server/store/tables/contracts.ts'
import { insertRows } from '../../../../server/store/write/bulk.ts'
import { drivers } from '../../../setup/database.ts'
import { emptyStore } from '../../../setup/emptiedStore.ts'
import { fill, filledRows } from '../../../setup/filler.ts'

const PLAN = { transactions: 300, accounts: 20, atOnce: 1 }

test.each(drivers)(
  '%s: blocks that do not follow the last one written are refused, and leave nothing',
  async (driver) => {
    await using store = await emptyStore(driver)
    const [first, second, third] = filledRows(PLAN)
    if (first === undefined || second === undefined || third === undefined) throw new Error('Too few blocks')
    const write = (rows: typeof first) => store.transaction((to) => writeMasterBlocks(to, rows))
    const blocks = () =>
      store.read.query(sql`select count(*) as blocks, max(last_mc_seqno) as last from blocks, indexer_cursor`)
    await write(first)
    const before = await blocks()
    const refused = { code: 'conflict', message: expect.stringMatching(/another process has written/) }
    // A writer that missed a block, and one that believes the index empty.
    await expect(write(third)).rejects.toMatchObject(refused)
    await expect(write({ ...second, previous: null })).rejects.toMatchObject(refused)
    const otherBeginning = { ...second.cursor, firstMcSeqno: second.cursor.firstMcSeqno + 1 }
    await expect(write({ ...second, cursor: otherBeginning })).rejects.toMatchObject(refused)
    expect(await blocks()).toEqual(before)
    await write(second)
  },
)

test.each(drivers)('%s: blocks are not written above another block of the same number', async (driver) => {
  await using store = await emptyStore(driver)
  const [first, second] = filledRows(PLAN)
  if (first === undefined || second === undefined) throw new Error('Too few blocks')
  const master = first.blocks.findLast(({ workchain }) => workchain === -1)
  if (master === undefined) throw new Error('No masterchain block')
  const write = (rows: typeof first) => store.transaction((to) => writeMasterBlocks(to, rows))
  await write(first)
  // What another process has written, which went back and another way.
  const other = new Uint8Array(32).fill(7)
  await store.transaction((to) => to.query(sql`update blocks set root_hash = ${other} where workchain = -1`))
  await expect(write({ ...second, previousRootHash: master.rootHash })).rejects.toMatchObject({ code: 'conflict' })
  await write({ ...second, previousRootHash: other })
})

test.each(drivers)('%s: an account that was gone before is known by its last transaction again', async (driver) => {
  await using store = await emptyStore(driver)
  const { firstMcSeqno, lastMcSeqno } = await fill(store, PLAN)
  const mcSeqno = Math.floor((firstMcSeqno + lastMcSeqno) / 2)
  const [touched] = await store.read.query<{ account: Uint8Array }>(sql`select account from transactions
    group by account having min(mc_seqno) <= ${mcSeqno} and max(mc_seqno) > ${mcSeqno} limit 1`)
  if (touched === undefined) throw new Error('No account on both sides')
  const { account } = touched
  const [last] = await store.read.query(sql`select hash as last_tx_hash, lt as last_tx_lt, mc_seqno, state_after as hash
    from transactions where account = ${account} and mc_seqno <= ${mcSeqno} order by lt desc limit 1`)
  await store.transaction((to) => rollbackTo(to, { mcSeqno, accounts: [], gone: [account] }))
  const rows = await store.read.query(sql`select last_tx_hash, last_tx_lt, mc_seqno, hash, status, balance
    from accounts where account = ${account}`)
  expect(rows).toEqual([{ ...last, status: 'nonexist', balance: 0n }])
})

test.each(drivers)('%s: also by one that was removed meanwhile, as older than what is kept', async (driver) => {
  await using store = await emptyStore(driver)
  await fill(store, PLAN)
  const [half] = await store.read.query<{ seconds: bigint }>(
    sql`select (max(gen_utime) - min(gen_utime)) / 2 as seconds from blocks where workchain = -1`,
  )
  await store.transaction(async (to) => {
    await to.query(sql`update transactions set end_status = 'nonexist'`)
    await moveBound(to, Number(half?.seconds))
  })
  for (let next: PrunedSlice['next'] | undefined; next !== null; )
    next = (await store.transaction((to) => pruneSlice(to, 100, next ?? undefined))).next
  const [found] = await store.read.query<{ account: Uint8Array; seqno: bigint; last_tx_hash: Uint8Array }>(
    sql`select g.account, g.last_tx_hash, min(t.mc_seqno) - 1 as seqno from gone_accounts g
      join transactions t on t.account = g.account group by g.account, g.last_tx_hash order by seqno desc limit 1`,
  )
  if (found === undefined) throw new Error('No account on both sides')
  const { account, seqno, last_tx_hash } = found
  await store.transaction((to) => rollbackTo(to, { mcSeqno: Number(seqno), accounts: [], gone: [account] }))
  const rows = await store.read.query(sql`select last_tx_hash, status from accounts where account = ${account}`)
  expect(rows).toEqual([{ last_tx_hash, status: 'nonexist' }])
})

test.each(drivers)('%s: of many traces that are touched some hundreds are named in one statement', async (driver) => {
  await using store = await emptyStore(driver)
  const { firstMcSeqno } = await fill(store, { ...PLAN, transactions: 3_000 })
  const mcSeqno = firstMcSeqno - 1
  const [touched] = await store.read.query<{ traces: bigint; account: Uint8Array }>(
    sql`select count(distinct trace_id) as traces, (array_agg(account))[1] as account from transactions`,
  )
  expect(Number(touched?.traces)).toBeGreaterThan(500)
  const named: number[] = []
  await store.transaction((to) => {
    const watched: Sql = {
      query(statement, options) {
        for (const value of statement.values) if (Array.isArray(value)) named.push(value.length)
        return to.query(statement, options)
      },
    }
    return rollbackTo(watched, { mcSeqno, accounts: [], gone: Array(600).fill(touched?.account) })
  })
  expect(Math.max(...named)).toBe(500)
  expect(await store.read.query(sql`select 1 from traces`)).toEqual([])
})

test.each(drivers)('%s: the accounts of all traces are not read to go back', async (driver) => {
  await using store = await emptyStore(driver)
  const { lastMcSeqno } = await fill(store, PLAN)
  const plans: Promise<readonly SqlRow[]>[] = []
  await store.transaction(async (to) => {
    await to.query(sql`set local enable_seqscan = off`)
    const watched: Sql = {
      query(statement, options) {
        if (/from trace_accounts/.test(statement.text)) plans.push(to.query(sql`explain ${statement}`))
        return to.query(statement, options)
      },
    }
    await rollbackTo(watched, { mcSeqno: lastMcSeqno - 1, accounts: [], gone: [] })
  })
  const lines = (await Promise.all(plans)).flat().map((row) => row['QUERY PLAN'])
  expect(lines).toContainEqual(expect.stringMatching(/trace_accounts/))
  expect(lines).not.toContainEqual(expect.stringMatching(/Seq Scan on trace_accounts/))
})

test.each(drivers)('%s: a message that stays does not name a transaction that is gone', async (driver) => {
  await using store = await emptyStore(driver)
  const { firstMcSeqno, lastMcSeqno } = await fill(store, PLAN)
  const mcSeqno = Math.floor((firstMcSeqno + lastMcSeqno) / 2)
  const [taken] = await store.read.query<{ hash: Uint8Array }>(sql`select in_msg_hash as hash from transactions
    where in_msg_hash is not null and mc_seqno <= ${mcSeqno} limit 1`)
  if (taken === undefined) throw new Error('No message')
  // The same message was sent once more, above the block that stays.
  await store.transaction((to) =>
    to.query(sql`update messages set (out_tx_hash, out_lt) =
      (select hash, lt from transactions where mc_seqno > ${mcSeqno} limit 1) where hash = ${taken.hash}`),
  )
  await store.transaction((to) => rollbackTo(to, { mcSeqno, accounts: [], gone: [] }))
  expect(await store.read.query(sql`select out_tx_hash, out_lt from messages where hash = ${taken.hash}`)).toEqual([
    { out_tx_hash: null, out_lt: null },
  ])
})

test.each(drivers)(
  '%s: a contract that was deleted and set again, without an lt, is what it was set to',
  async (driver) => {
    await using store = await emptyStore(driver)
    const of = (byte: number, length: number) => new Uint8Array(length).fill(byte)
    const account = of(0x80, 33)
    const owner = of(1, 33)
    const jetton = of(2, 33)
    const write = (lastTxLt: bigint, balance: bigint) => {
      const row = { account, codeHash: of(3, 32), dataHash: of(4, 32), lastTxLt, balance, owner, jetton, claimed: null }
      return store.transaction((to) => insertRows(to, contractTables.jettonWallets, [row]))
    }
    const balance = async () => (await store.read.query(sql`select balance from jetton_wallets`))[0]?.balance
    await write(500n, 5n)
    await write(400n, 4n)
    expect(await balance()).toBe(5n)
    await write(0n, 7n)
    expect(await balance()).toBe(7n)
  },
)
