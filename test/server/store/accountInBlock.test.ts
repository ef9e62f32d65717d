// What an account did in one block, however much it did before and after.

import { expect, test } from 'vitest'
import { type SqlText, sql, transactionsRead } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const PAGE = { limit: 10, offset: 0, after: null }
const SORTS = ['asc', 'desc'] as const

test.each(drivers)('%s: is found among the transactions of that block', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 4000, accounts: 800 })
  const busy = new Uint8Array(33).fill(0x80, 0, 1).fill(1, 1)
  const [middle] = await store.read.query<{ mc_seqno: number; seqno: number }>(sql`select mc_seqno, seqno
    from transactions where workchain = 0 order by lt offset 1500 limit 1`)
  if (middle === undefined) throw new Error('there are no blocks')
  const { mc_seqno: mcSeqno, seqno } = middle
  await store.transaction(async (to) => {
    await to.query(sql`update transactions set account = ${busy} where workchain = 0`)
    // So many that one after the other would be expected to lead to them soon.
    for (const table of ['transactions', 'blocks'])
      await to.query(sql`update ${sql.identifier(table)} set mc_seqno = ${mcSeqno}
        where mc_seqno between ${mcSeqno} and ${mcSeqno + 12}`)
    await to.query(sql`analyze`, { timeoutMs: 300_000 })
  })
  const looked = async (statement: SqlText) => rowsRead(await planOf(store.read, statement, store.kind), 'transactions')
  const times = async (statement: SqlText) => (await store.read.query<{ lt: bigint }>(statement)).map(({ lt }) => lt)
  for (const sort of SORTS) {
    for (const [filter, where] of [
      [{ mcSeqno }, sql`mc_seqno = ${mcSeqno}`],
      [{ seqno }, sql`seqno = ${seqno}`],
      [{ mcSeqno, seqno }, sql`mc_seqno = ${mcSeqno} and seqno = ${seqno}`],
    ] as const) {
      const { statement } = transactionsRead({ accounts: [busy], ...filter }, PAGE, sort)
      const found = await times(statement)
      expect(found.length).toBeGreaterThan(0)
      expect(found).toEqual(
        await times(sql`select lt from transactions where account = ${busy} and ${where}
          order by lt ${sql.identifier(sort)} limit 11`),
      )
      expect(await looked(statement)).toBeLessThan(700)
    }
    for (const filter of [{ mcSeqno: 999_999 }, { seqno: 999_999 }]) {
      const { statement } = transactionsRead({ accounts: [busy], ...filter }, PAGE, sort)
      expect(await times(statement)).toEqual([])
      expect(await looked(statement)).toBeLessThan(10)
    }
  }
  // Of a block that was removed, while transactions of it are left.
  await store.transaction((to) => to.query(sql`delete from blocks where mc_seqno = ${mcSeqno}`))
  const { statement } = transactionsRead({ accounts: [busy], mcSeqno }, PAGE, 'asc')
  expect(await times(statement)).not.toEqual([])
})

test.each(drivers)(
  '%s: is found although its block was removed, and one of another shard with that number was not',
  async (driver) => {
    await using store = await freshDatabase(driver)
    await fill(store, { transactions: 2000, accounts: 400 })
    const [one] = await store.read.query<{ account: Uint8Array; hash: Uint8Array; seqno: number; shard: bigint }>(
      sql`select account, hash, seqno, shard from transactions where workchain = 0 order by lt offset 300 limit 1`,
    )
    if (one === undefined) throw new Error('there are no transactions')
    const { account, hash, seqno, shard } = one
    await store.transaction(async (to) => {
      // The others have that number later.
      for (const table of ['transactions', 'blocks'])
        await to.query(
          sql`update ${sql.identifier(table)} set seqno = seqno - 5 where workchain = 0 and shard <> ${shard}`,
        )
      await to.query(sql`delete from blocks where workchain = 0 and shard = ${shard} and seqno = ${seqno}`)
    })
    for (const filter of [{ seqno }, { seqno, workchain: 0 }, { seqno, workchain: 0, shard }])
      for (const sort of SORTS) {
        const { statement } = transactionsRead({ accounts: [account], ...filter }, PAGE, sort)
        const found = await store.read.query<{ hash: Uint8Array }>(statement)
        expect(found.map((row) => Buffer.from(row.hash))).toContainEqual(Buffer.from(hash))
      }
  },
)
