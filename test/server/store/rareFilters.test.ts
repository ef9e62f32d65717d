// Two filters that many rows match each, and hardly any row both: what follows from one for the other is known before rows are read,
// and a list is read along the index of what is rarer.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  messagesRead,
  type PageKey,
  readPage,
  type SqlRow,
  type SqlText,
  sql,
  transactionsByMessageRead,
} from '../../../server/store/index.ts'
import { fill } from '../../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../../setup/memoryStore.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const ASK = { limit: 10, offset: 0, after: null }
const SORTS = ['asc', 'desc'] as const

let store: MemoryStore

beforeAll(async () => {
  store = await openMemoryStore()
  await fill(store, { transactions: 5000, accounts: 2000 })
  await analyzed()
})
afterAll(() => store.close())

/** As a service does. Without it an index that has all that is asked for seems no better than one that leads to each row. */
const analyzed = () => store.read.query(sql`vacuum analyze`, { timeoutMs: 300_000 })

/** Rows looked at. */
const read = async (statement: SqlText): Promise<number> => rowsRead(await planOf(store.read, statement))

async function one<R extends SqlRow>(statement: SqlText): Promise<R> {
  const [row] = await store.read.query<R>(statement)
  if (row === undefined) throw new Error('there is no such row')
  return row
}

const hashesOf = async (statement: SqlText) =>
  (await store.read.query<{ hash: Uint8Array }>(statement)).map(({ hash }) => Buffer.from(hash).toString('hex'))

test('an operation that is not that of the body is known from one message', async () => {
  const common = await one<{ body_hash: Uint8Array; opcode: number; count: bigint }>(
    sql`select body_hash, opcode, count(*) as count from messages group by 1, 2 order by 3 desc limit 1`,
  )
  expect(Number(common.count)).toBeGreaterThan(50)
  const { body_hash: bodyHash, opcode } = common
  const { opcode: other } = await one<{ opcode: number }>(
    sql`select opcode from messages where opcode <> ${opcode} group by 1 order by count(*) desc limit 1`,
  )
  for (const sort of SORTS) {
    for (const reads of [messagesRead, transactionsByMessageRead])
      for (const opcode of [other, 123456]) {
        expect(await read(reads({ bodyHash, opcode }, ASK, sort).statement)).toBeLessThan(5)
        expect(await hashesOf(reads({ bodyHash, opcode }, ASK, sort).statement)).toEqual([])
      }
    const unknown = { bodyHash: new Uint8Array(32).fill(99), opcode }
    expect(await hashesOf(messagesRead(unknown, ASK, sort).statement)).toEqual([])
    const messages = await hashesOf(messagesRead({ bodyHash, opcode }, ASK, sort).statement)
    expect(messages).toHaveLength(11)
    expect(messages).toEqual(await hashesOf(messagesRead({ bodyHash }, ASK, sort).statement))
    const taken = await hashesOf(transactionsByMessageRead({ bodyHash, opcode }, ASK, sort).statement)
    expect(taken).toHaveLength(11)
    expect(taken).toEqual(await hashesOf(transactionsByMessageRead({ bodyHash, direction: 'in' }, ASK, sort).statement))
  }
})

test('an operation is looked for along the account that takes it', async () => {
  const { destination, opcode } = await one<{ destination: Uint8Array; opcode: number }>(
    sql`select account as destination, in_opcode as opcode from transactions where in_opcode is not null
      group by 1, 2 order by count(*) desc limit 1`,
  )
  for (const sort of SORTS) {
    const { statement } = transactionsByMessageRead({ destination, opcode }, ASK, sort)
    const hashes = await hashesOf(statement)
    expect(hashes).toHaveLength(11)
    expect(hashes).toEqual(
      await hashesOf(sql`select t.hash from transactions t join messages m on m.hash = t.in_msg_hash
        where m.destination = ${destination} and m.opcode = ${opcode} order by t.lt ${sql.identifier(sort)} limit 11`),
    )
    // None of the messages themselves.
    const { nodes } = await planOf(store.read, statement)
    expect(nodes.map((node) => node['Relation Name'])).not.toContain('messages')
    expect(await read(transactionsByMessageRead({ destination: null, opcode }, ASK, sort).statement)).toBe(0)
  }
})

test('what an account sent out of the chain is looked for among its own messages', async () => {
  const source = new Uint8Array(33).fill(0x80, 0, 1).fill(7, 1)
  await store.transaction(async (to) => {
    await to.query(sql`update messages set destination = null where source is not null`)
    await to.query(sql`update messages set source = ${source} where hash in (
      select hash from messages where source is not null order by created_lt limit 300)`)
  })
  await analyzed()
  for (const times of [{}, { startUtime: 1 }]) {
    const { statement } = messagesRead({ source, destination: null, ...times }, ASK, 'desc')
    expect(await hashesOf(statement)).toEqual(
      await hashesOf(sql`select hash from messages where source = ${source}
        order by ${sql.identifier('startUtime' in times ? 'created_at' : 'created_lt')} desc, hash desc limit 11`),
    )
    expect(await read(statement)).toBeLessThan(100)
  }
})

test('a body that a few transactions sent, each at a time of its own: the list goes on behind each of them', async () => {
  const bodyHash = new Uint8Array(32).fill(0x5a)
  await store.transaction((to) =>
    to.query(sql`update messages set body_hash = ${bodyHash} where hash in (
      select (array_agg(hash order by hash))[1] from messages where out_lt is not null group by out_lt
      order by out_lt limit 5)`),
  )
  for (const sort of SORTS) {
    const found: string[] = []
    for (let after: PageKey | null = null, isLast = false; !isLast; isLast = after === null) {
      const list = transactionsByMessageRead({ bodyHash, direction: 'out' }, { limit: 1, offset: 0, after }, sort)
      const { rows, next } = await readPage(store.read, list)
      found.push(...rows.map(({ hash }) => Buffer.from(hash).toString('hex')))
      after = next
    }
    expect(new Set(found).size).toBe(5)
  }
})

test('a page that is full with what one account has sent to another of late is not the last one, where there is more', async () => {
  const [source, destination] = [3, 4].map((seed) => new Uint8Array(33).fill(0x80, 0, 1).fill(seed, 1))
  if (source === undefined || destination === undefined) throw new Error('there are no accounts')
  await store.transaction(async (to) => {
    await to.query(sql`update messages set source = ${source}, destination = ${source} where hash in (
      select hash from messages where created_lt is not null order by created_lt limit 100)`)
    for (const [sort, count] of [
      ['desc', 10],
      ['asc', 1],
    ] as const)
      await to.query(sql`update messages set destination = ${destination} where hash in (
        select hash from messages where source = ${source} order by created_lt ${sql.identifier(sort)}, hash limit ${count})`)
  })
  await analyzed()
  const { rows, next } = await readPage(store.read, messagesRead({ source, destination }, ASK, 'desc'))
  expect(rows).toHaveLength(10)
  const last = await readPage(store.read, messagesRead({ source, destination }, { ...ASK, after: next }, 'desc'))
  expect([next === null, last.rows.length, last.next]).toEqual([false, 1, null])
})

test('what one account sends to another is looked for only as far as the page goes, where all that it sends is for that one', async () => {
  const [source, destination] = [1, 2].map((seed) => new Uint8Array(33).fill(0x80, 0, 1).fill(seed, 1))
  if (source === undefined || destination === undefined) throw new Error('there are no accounts')
  await store.transaction(async (to) => {
    await to.query(sql`update messages set source = ${source}, destination = ${destination} where hash in (
      select hash from messages where source is not null order by created_lt desc limit 400)`)
    // One for another account, some seldom ones, and a body of some.
    await to.query(sql`update messages set destination = ${source} where hash in (
      select hash from messages where source = ${source} order by created_lt limit 3)`)
  })
  await analyzed()
  const [rare] = await store.read.query<{ body_hash: Uint8Array }>(
    sql`select body_hash from messages where source = ${source} group by 1 order by count(*), 1 limit 1`,
  )
  if (rare === undefined) throw new Error('there is no body')
  const filters = [
    { source, destination },
    { source, destination: source },
    { source: destination, destination: source },
    { source, bodyHash: rare.body_hash },
    { destination, bodyHash: rare.body_hash },
    { source, destination, startUtime: 1 },
    { source, destination, direction: 'out' },
    { source, destination, endLt: 2n ** 60n, startLt: 1n },
  ] as const
  for (const sort of SORTS) {
    expect(await read(messagesRead({ source, destination }, ASK, sort).statement)).toBeLessThan(150)
    for (const filter of filters)
      for (const ask of [
        ASK,
        { ...ASK, offset: 25 },
        { ...ASK, offset: 390 },
        { ...ASK, offset: 600 },
        { ...ASK, limit: 500 },
      ]) {
        const by = sql.identifier('startUtime' in filter ? 'created_at' : 'created_lt')
        const parts = [
          ...('source' in filter ? [sql`source = ${filter.source}`] : []),
          ...('destination' in filter ? [sql`destination = ${filter.destination}`] : []),
          ...('bodyHash' in filter ? [sql`body_hash = ${filter.bodyHash}`] : []),
          ...('direction' in filter ? [sql`out_tx_hash is not null`] : []),
        ]
        expect(await hashesOf(messagesRead(filter, ask, sort).statement)).toEqual(
          await hashesOf(sql`select hash from messages where created_lt is not null and ${sql.join(parts, ' and ')}
            order by ${by} ${sql.identifier(sort)}, hash ${sql.identifier(sort)} limit ${ask.limit + 1} offset ${ask.offset}`),
        )
      }
    // From one page to the next.
    const pageAfter = (after: PageKey | null) =>
      readPage(store.read, messagesRead({ source, destination }, { limit: 70, offset: 0, after }, sort))
    const found: string[] = []
    for (let page = await pageAfter(null); ; page = await pageAfter(page.next)) {
      found.push(...page.rows.map(({ hash }) => Buffer.from(hash).toString('hex')))
      if (page.next === null) break
    }
    expect(found).toHaveLength(397)
    const all = { ...ASK, limit: 1000 }
    expect(found).toEqual(await hashesOf(messagesRead({ source, destination }, all, sort).statement))
  }
})

test('an operation that others send is not looked for among all that a busy account has sent or received', async () => {
  const [busy, other] = [0x6b, 0x6c].map((seed) => new Uint8Array(33).fill(0x80, 0, 1).fill(seed, 1))
  if (busy === undefined || other === undefined) throw new Error('there are no accounts')
  const opcode = 0x5e1d03
  await store.transaction(async (to) => {
    await to.query(
      sql`update messages set source = ${busy}, destination = ${busy}, opcode = 7 where source is not null`,
    )
    await to.query(sql`update messages set opcode = ${opcode}, source = ${other}, destination = ${other} where hash in (
      select hash from messages where created_lt is not null order by hash limit 200)`)
    await to.query(sql`update messages set source = ${busy}, destination = ${busy} where hash in (
      select hash from messages where opcode = ${opcode} order by created_lt limit 3)`)
  })
  await analyzed()
  for (const sort of SORTS)
    for (const filter of [{ source: busy }, { destination: busy }, { source: busy, destination: busy }])
      for (const times of [{}, { startUtime: 1 }]) {
        for (const [wanted, count] of [
          [opcode, 3],
          [opcode + 1, 0],
        ] as const) {
          const { statement } = messagesRead({ ...filter, ...times, opcode: wanted }, { ...ASK, limit: 5 }, sort)
          expect(await hashesOf(statement)).toHaveLength(count)
          expect(await read(statement)).toBeLessThan(900)
        }
        const by = sql.identifier('startUtime' in times ? 'created_at' : 'created_lt')
        for (const ask of [ASK, { ...ASK, offset: 300 }]) {
          const { statement } = messagesRead({ ...filter, ...times, opcode: 7 }, ask, sort)
          expect(await hashesOf(statement)).toEqual(
            await hashesOf(sql`select hash from messages where source = ${busy} and opcode = 7 and created_lt is not null
              order by ${by} ${sql.identifier(sort)}, hash ${sql.identifier(sort)} limit 11 offset ${ask.offset}`),
          )
        }
      }
})
