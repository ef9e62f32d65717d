// Changes of owners as an older version wrote them, without their blocks and collections.

import { expect, test } from 'vitest'
import { OwnersFill } from '../../../server/indexer/laterFills.ts'
import { type AccountKey, readConcerningBlocks, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { fill } from '../../setup/filler.ts'

const keyOf = (byte: number): AccountKey => {
  const key = Buffer.alloc(33, byte)
  key[0] = 0x80
  // The cast: a key of 33 bytes.
  return key as Uint8Array as AccountKey
}
const OWNER = keyOf(1)

test.each(drivers)('some at a time until none is left, and their blocks are found: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  await fill(database, { transactions: 100, accounts: 25 })
  await database.transaction(async (to) => {
    await to.query(sql`insert into nft_owners (tx_hash, account, new_owner, is_alone)
      select hash, account, ${OWNER}::bytea, true from transactions`)
    // Its transaction is gone.
    await to.query(sql`insert into nft_owners (tx_hash, account, new_owner, is_alone)
      values (${Buffer.alloc(32, 7)}, ${OWNER}, ${OWNER}, true)`)
  })
  const count = async () => (await database.read.query(sql`select from nft_owners where mc_seqno is null`)).length
  const concerned = () =>
    readConcerningBlocks(database.read, {
      accounts: [OWNER],
      messages: [],
      itemOwners: true,
      everyBlock: false,
      first: 1000,
      last: 1_000_000,
      limit: 10_000,
    })
  const all = await count()
  expect(await concerned()).toEqual([])
  let rounds = 0
  const owners = new OwnersFill(database, 30)
  await owners.while(() => rounds++ === 0)
  expect(await count()).toBe(all - 30)
  await owners.while(() => true)
  expect(await count()).toBe(0)
  const blocks = await database.read.query<{ readonly seqno: number }>(
    sql`select distinct mc_seqno as seqno from transactions order by 1`,
  )
  expect(await concerned()).toEqual(blocks.map(({ seqno }) => Number(seqno)))
})
