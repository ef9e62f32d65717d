// What an account did before it turned out to be a token: looked for among its newest transactions, however many others send it.

import { expect, test } from 'vitest'
import { readTransactionsOf, type Sql, type SqlText, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const MOST = 10

test.each(drivers)('%s: a number of them that does not depend on how many there are', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 3000, accounts: 1000 })
  const [token, idle] = [1, 2].map((seed) => new Uint8Array(33).fill(0x80, 0, 1).fill(seed, 1)) as [
    Uint8Array,
    Uint8Array,
  ]
  await store.transaction(async (to) => {
    await to.query(sql`update transactions set account = ${token} where workchain = 0`)
    // None begins a new life of the account.
    await to.query(sql`update transactions set orig_status = end_status, end_status = orig_status
      where orig_status <> 'a' and end_status = 'a'`)
    await to.query(sql`analyze`, { timeoutMs: 300_000 })
  })
  const [usual] = await store.read.query<{ opcode: number }>(sql`select in_opcode as opcode from transactions
    where workchain = 0 and in_opcode is not null group by 1 order by count(*) desc limit 1`)
  const sent: SqlText[] = []
  const recording: Sql = {
    query(statement, options) {
      sent.push(statement)
      return store.read.query(statement, options)
    },
  }
  const read = (opcode: number, accounts = [token, token, idle], after = 0n) => {
    const wanted = accounts.map((account) => ({ account, after }))
    return readTransactionsOf(recording, { accounts: wanted, opcodes: [opcode], most: MOST })
  }
  expect(await read(123456)).toEqual([])
  const newest = await store.read.query<{ hash: Uint8Array }>(sql`select t.hash from transactions t
    join messages m on m.hash = t.in_msg_hash where t.account = ${token} and m.source is not null
    and m.opcode = ${usual?.opcode ?? 0} and 'a' = any(array[t.orig_status, t.end_status])
    order by t.lt desc, t.hash limit ${MOST}`)
  expect(newest).toHaveLength(MOST)
  expect((await read(usual?.opcode ?? 0, [token])).map(({ hash }) => hash)).toEqual(newest.map(({ hash }) => hash))
  const [, , third] = await read(usual?.opcode ?? 0, [token])
  expect(await read(usual?.opcode ?? 0, [token], third?.lt)).toHaveLength(2)
  await store.transaction((to) =>
    to.query(
      sql`update transactions set orig_status = 'uninit', end_status = 'a' where hash = ${third?.hash ?? token}`,
    ),
  )
  expect(await read(usual?.opcode ?? 0, [token])).toHaveLength(3)
  for (const statement of sent) expect(rowsRead(await planOf(store.read, statement, driver))).toBeLessThan(400)
})
