// A body that very many messages have, where a body has one or two otherwise: its list is read as far as it is shown, and so are lists
// of which the database expects few rows.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  balancesRead,
  type MessageFilter,
  messagesRead,
  type PageRequest,
  readAll,
  type SqlText,
  sql,
  tracesRead,
  transactionsByMessageRead,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const ASK = { limit: 10, offset: 0, after: null }
const DEEP = { limit: 10, offset: 1000, after: null }
const SORTS = ['asc', 'desc'] as const
const BODY = new Uint8Array(32).fill(0x7e)
const OPCODE = 0x7e577e57

describe.each(drivers)('%s', (driver) => {
  let store: Awaited<ReturnType<typeof freshDatabase>>

  beforeAll(async () => {
    store = await freshDatabase(driver)
    await fill(store, { transactions: 5000, accounts: 2000 })
    await store.transaction(async (to) => {
      await to.query(sql`update messages set body_hash = hash, opcode = null`)
      // Some of them two of a transaction.
      await to.query(sql`update messages set body_hash = ${BODY}, opcode = ${OPCODE}::int4 where hash in (
      select hash from messages where out_lt is not null order by out_lt desc limit 1500)`)
      await to.query(sql`update transactions set in_opcode = m.opcode, in_body_hash = m.body_hash
      from messages m where m.hash = in_msg_hash`)
      await to.query(sql`analyze`, { timeoutMs: 300_000 })
    })
  })
  afterAll(() => store[Symbol.asyncDispose]())

  const read = async (statement: SqlText): Promise<number> => rowsRead(await planOf(store.read, statement, store.kind))

  const namesOf = async (statement: SqlText): Promise<string[]> =>
    (await store.read.query<{ hash: Uint8Array }>(statement)).map(({ hash }) => Buffer.from(hash).toString('hex'))

  test('messages with it are read up to the end of the page, whatever else is said of them', async () => {
    const [outside] = await store.read.query<{ count: bigint }>(
      sql`select count(*) as count from messages where created_lt is null`,
    )
    expect(Number(outside?.count)).toBeGreaterThan(300)
    const [middle] = await store.read.query<{ lt: bigint }>(
      sql`select created_lt as lt from messages where body_hash = ${BODY} order by created_lt offset 700 limit 1`,
    )
    const filters: Partial<MessageFilter>[] = [
      {},
      { direction: 'in' },
      { direction: 'out' },
      { opcode: OPCODE },
      { source: null },
      { onlyExternals: true },
      { startLt: middle?.lt },
      { endLt: middle?.lt },
      { excludeExternals: true },
    ] as const
    for (const sort of SORTS)
      for (const filter of filters) {
        const { statement } = messagesRead({ bodyHash: BODY, ...filter }, ASK, sort)
        expect([filter, sort, await read(statement)]).toEqual([filter, sort, expect.toSatisfy((rows) => rows < 100)])
      }
    for (const sort of SORTS)
      expect(await namesOf(messagesRead({ bodyHash: BODY }, ASK, sort).statement)).toEqual(
        await namesOf(sql`select hash from messages where body_hash = ${BODY}
        order by created_lt ${sql.identifier(sort)}, hash ${sql.identifier(sort)} limit 11`),
      )
  })

  test('transactions that sent them are found from one to the next', async () => {
    for (const sort of SORTS) {
      const all =
        await namesOf(sql`select t.hash from (select distinct out_tx_hash as hash, out_lt as lt, source as account
      from messages where body_hash = ${BODY}) t order by t.lt ${sql.identifier(sort)}, t.account`)
      expect(all.length).toBeLessThan(1500)
      const pageOf = (offset: number, after: readonly [bigint, Uint8Array] | null = null) =>
        transactionsByMessageRead({ bodyHash: BODY, direction: 'out' }, { limit: 10, offset, after }, sort).statement
      for (const offset of [0, 30]) expect(await read(pageOf(offset))).toBeLessThan(6 * (offset + 12))
      expect(await read(transactionsByMessageRead({ bodyHash: BODY }, ASK, sort).statement)).toBeLessThan(100)
      for (const offset of [0, 7, 499, 500, all.length - 3, all.length + 1])
        expect(await namesOf(pageOf(offset))).toEqual(all.slice(offset, offset + 11))
      const keys = await store.read.query<{ hash: Uint8Array; lt: bigint; account: Uint8Array }>(pageOf(40))
      const key = keys.at(-1)
      if (key === undefined) throw new Error('the page is empty')
      expect(await namesOf(pageOf(0, [key.lt, key.account]))).toEqual(all.slice(51, 62))
      expect(await read(pageOf(0, [key.lt, key.account]))).toBeLessThan(100)
    }
  })

  test('messages by their hashes are found by these, whatever else is said of them', async () => {
    const [other] = await store.read.query<{ hash: Uint8Array }>(
      sql`select hash from messages where opcode is null limit 1`,
    )
    const hashes = other === undefined ? [] : [other.hash]
    for (const filter of [{ bodyHash: BODY }, { opcode: OPCODE }])
      expect(await read(transactionsByMessageRead({ hashes, ...filter }, ASK, 'desc').statement)).toBeLessThan(5)
  })

  test('of rows in front of a far page nothing is read that is only shown', async () => {
    const busiest = async (statement: SqlText): Promise<Uint8Array> => {
      const [row] = await store.read.query<{ account: Uint8Array }>(statement)
      if (row === undefined) throw new Error('there is none')
      return row.account
    }
    await store.transaction((to) =>
      to.query(sql`update transactions set account = (select account from transactions where workchain = 0 limit 1)
      where hash in (select hash from transactions where workchain = 0 order by lt limit 1500)`),
    )
    const account = await busiest(sql`select account from transactions group by 1 order by count(*) desc limit 1`)
    for (const sort of SORTS) {
      for (const filter of [{ excludeExternals: true }, { opcode: OPCODE }, { bodyHash: BODY }])
        expect(await read(messagesRead(filter, DEEP, sort).statement)).toBeLessThan(1.2 * DEEP.offset)
      // How the rows of the account are read, in their order or all at once, is up to the planner.
      const plan = await planOf(store.read, balancesRead({ account }, DEEP, sort).statement, store.kind)
      expect(rowsRead(plan, 'account_states')).toBeLessThan(2 * (DEEP.limit + 1))
      const hashesOf = async (request: PageRequest) =>
        (await readAll(store.read, messagesRead({ excludeExternals: true }, request, sort))).map(({ hash }) => hash)
      const first = await hashesOf({ limit: 170, offset: 0, after: null })
      for (const offset of [21, 22, 23, 150]) {
        const far = { limit: 10, offset, after: null }
        expect(await hashesOf(far)).toEqual(first.slice(offset, offset + 11))
        const { statement } = messagesRead({ excludeExternals: true }, far, sort)
        expect(await read(statement)).toBeLessThan(offset + 90)
      }
    }
  })

  test('traces of an account behind a key and within bounds are read up to the end of the page', async () => {
    const account = new Uint8Array(33).fill(0x80, 0, 1).fill(9, 1)
    await store.transaction(async (to) => {
      await to.query(sql`insert into trace_accounts (account, trace_id, end_lt, end_utime)
      select ${account}, trace_id, end_lt, end_utime from traces where state = 'complete'`)
      await to.query(sql`analyze`, { timeoutMs: 300_000 })
    })
    const all = await store.read.query<{ trace_id: Uint8Array; end_lt: bigint }>(
      sql`select trace_id, end_lt from traces where state = 'complete' order by end_lt, trace_id`,
    )
    expect(all.length).toBeGreaterThan(300)
    const middle = all[all.length >> 1]
    if (middle === undefined) throw new Error('there are no traces')
    const after = [middle.end_lt, middle.trace_id]
    for (const [sort, bound] of [
      ['asc', { startLt: middle.end_lt }],
      ['desc', { endLt: middle.end_lt }],
    ] as const)
      expect(await read(tracesRead({ account, ...bound }, { ...ASK, after }, sort).statement)).toBeLessThan(100)
  })
  test('messages with a body and those from an account are not each looked at with each other where few of both are expected', async () => {
    const body = new Uint8Array(32).fill(0x6d)
    const source = new Uint8Array(33).fill(0x80, 0, 1).fill(7, 1)
    // There are no statistics but those of a time when there were few rows.
    await store.transaction(async (to) => {
      await to.query(sql`delete from pg_statistic where starelid in ('messages'::regclass, 'transactions'::regclass)`)
      await to.query(sql`update pg_class set reltuples = reltuples / 1000 where relnamespace = 'public'::regnamespace`)
      const taken = (offset: number) =>
        sql`(select in_msg_hash from transactions where in_msg_hash is not null order by lt, hash limit 1500 offset ${offset})`
      await to.query(sql`update messages set body_hash = ${body} where hash in ${taken(0)}`)
      await to.query(sql`update messages set source = ${source} where hash in ${taken(1500)}`)
      await to.query(sql`update transactions set in_body_hash = ${body} where in_msg_hash in (
        select hash from messages where body_hash = ${body})`)
    })
    for (const sort of SORTS)
      expect(await read(transactionsByMessageRead({ bodyHash: body, source }, ASK, sort).statement)).toBeLessThan(
        10_000,
      )
  })
})
