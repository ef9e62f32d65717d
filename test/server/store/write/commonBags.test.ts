// A large body that very many messages have: to see that it is still needed, one of them is looked at.

import { expect, test } from 'vitest'
import { type Sql, sql } from '../../../../server/store/index.ts'
import { forgetBags } from '../../../../server/store/write/sharedBags.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'
import { planOf, rowsRead } from '../../../setup/plans.ts'

const common = new Uint8Array(32).fill(0x5a)
const gone = new Uint8Array(32).fill(0x5b)

test.each(drivers)('%s: a bag stays while one message has it, and is deleted behind the last', async (driver) => {
  await using store = await freshDatabase(driver)
  await fill(store, { transactions: 3000, accounts: 200 })
  await store.transaction(async (to) => {
    await to.query(sql`update messages set body_hash = ${common} where created_lt is not null`)
    await to.query(sql`insert into shared_bags (hash, bag) select h, h from unnest(${[common, gone]}::bytea[]) h`)
  })
  await store.read.query(sql`analyze`, { timeoutMs: 300_000 })
  const read: number[] = []
  await store.transaction(async (to) => {
    const explained: Sql = {
      async query(statement) {
        read.push(rowsRead(await planOf(to, statement)))
        return []
      },
    }
    await forgetBags(
      explained,
      [common, gone].map((hash) => ({ body_hash: hash, init_hash: null })),
    )
  })
  const left = await store.read.query<{ hash: Uint8Array }>(
    sql`select hash from shared_bags where hash = any(${[common, gone]}::bytea[])`,
  )
  expect(left.map(({ hash }) => Buffer.from(hash))).toEqual([Buffer.from(common)])
  expect(read).toEqual([expect.toSatisfy((rows) => rows < 20)])
})
