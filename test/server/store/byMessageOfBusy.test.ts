// Transactions by a message's body or operation and an end, where a busy account and a common body meet in most rows or in hardly any.

import { expect, test } from 'vitest'
import { type SqlText, sql, transactionsByMessageRead } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const busy = new Uint8Array(33).fill(0x80, 0, 1).fill(0x6b, 1)
const seldom = new Uint8Array(33).fill(0x80, 0, 1).fill(0x6c, 1)
const common = new Uint8Array(32).fill(0x5a)
const rare = new Uint8Array(32).fill(0x5b)
const pages = [
  { limit: 30, offset: 0 },
  { limit: 5, offset: 100 },
  { limit: 5, offset: 700 },
]

test.each(drivers)('%s: only as many rows are read as the page needs', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 5000, accounts: 800 })
  await store.transaction(async (to) => {
    await to.query(sql`update transactions set account = ${busy} where hash in (
      select distinct on (lt) hash from transactions order by lt, hash)`)
    await to.query(sql`update transactions set account = ${seldom} where hash in (
      select hash from transactions where account = ${busy} order by hash limit 30)`)
    await to.query(sql`update messages m set source = t.account from transactions t where t.hash = m.out_tx_hash`)
    await to.query(sql`update messages m set destination = t.account from transactions t where t.in_msg_hash = m.hash`)
    await to.query(sql`update messages set body_hash = ${common}, opcode = 7 where out_lt is not null`)
    await to.query(sql`update messages set body_hash = ${rare}, opcode = 8 where hash in (
      select hash from messages where source = ${busy} and destination = ${busy} order by created_lt limit 40)`)
    await to.query(sql`update transactions t set in_body_hash = m.body_hash, in_opcode = m.opcode
      from messages m where m.hash = t.in_msg_hash`)
  })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const hashesOf = async (statement: SqlText) =>
    (await store.read.query<{ hash: Uint8Array }>(statement)).map(({ hash }) => Buffer.from(hash).toString('hex'))
  const values = [{ bodyHash: common }, { bodyHash: rare }, { opcode: 7 }, { opcode: 8 }, { opcode: 9 }]
  const accounts = [busy, seldom].flatMap((one) => [{ source: one }, { destination: one }])
  const both = { source: busy, destination: busy }
  for (const value of values)
    for (const account of [...accounts, both, { source: null }])
      for (const direction of 'opcode' in value ? (['in'] as const) : (['in', 'out', undefined] as const))
        for (const sort of ['asc', 'desc'] as const) {
          const filter = { ...value, ...account, direction }
          const { source, destination } = { source: undefined, destination: undefined, ...account }
          const where = sql.join(
            [
              'opcode' in value ? sql`m.opcode = ${value.opcode}` : sql`m.body_hash = ${value.bodyHash}`,
              ...(source === undefined ? [] : [sql`m.source is not distinct from ${source}`]),
              ...(destination === undefined ? [] : [sql`m.destination = ${destination}`]),
            ],
            ' and ',
          )
          const ends = sql.join(
            [
              ...(direction === 'out' ? [] : [sql`m.hash = t.in_msg_hash`]),
              ...(direction === 'in' ? [] : [sql`m.out_tx_hash = t.hash`]),
            ],
            ' or ',
          )
          const all = await hashesOf(sql`select t.hash from transactions t
            where exists (select from messages m where ${where} and (${ends}))
            order by t.lt ${sql.identifier(sort)}, t.account`)
          for (const { limit, offset } of pages) {
            const { statement } = transactionsByMessageRead(filter, { limit, offset, after: null }, sort)
            expect(await hashesOf(statement)).toEqual(all.slice(offset, offset + limit + 1))
            const isOften = account !== both && Object.values(account)[0] === busy && Object.values(value)[0] !== rare
            if (offset === 100 && isOften && all.length > 1000)
              expect(rowsRead(await planOf(store.read, statement, store.kind))).toBeLessThan(1200)
          }
          const first = transactionsByMessageRead(filter, { limit: 30, offset: 0, after: null }, sort)
          const last = (await store.read.query<{ lt: bigint; account: Uint8Array }>(first.statement))[29]
          if (last === undefined) continue
          const { statement } = transactionsByMessageRead(
            filter,
            { limit: 5, offset: 0, after: [last.lt, last.account] },
            sort,
          )
          expect(await hashesOf(statement)).toEqual(all.slice(30, 36))
        }
})
