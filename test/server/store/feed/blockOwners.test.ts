// Owners of the items of a block, read when they are wanted: which may be after the index has removed the block.

import { expect, test } from 'vitest'
import { withItemOwners } from '../../../../server/store/feed/blockOwners.ts'
import { readBlocks } from '../../../../server/store/feed/readBlocks.ts'
import { BlockNotIndexed, moveBound, pruneSlice, sql } from '../../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { fill } from '../../../setup/filler.ts'

test.each(drivers)('of a block that was removed meanwhile they are missing, and not none: %s', async (driver) => {
  await using database = await freshDatabase(driver)
  await fill(database, { transactions: 100, accounts: 25 })
  const [first] = await database.read.query<{ readonly seqno: number }>(sql`select min(mc_seqno) as seqno from blocks`)
  const seqno = Number(first?.seqno)
  const [block] = await readBlocks(database.read, { first: seqno, last: seqno })
  const moved = block?.transactions[0]?.row
  if (block === undefined || moved === undefined) throw new Error('nothing was filled')
  await database.transaction((to) =>
    to.query(sql`insert into nft_owners (tx_hash, account, new_owner, is_alone)
      values (${moved.hash}, ${moved.account}, ${moved.account}, true)`),
  )
  const owners = await withItemOwners(block, database.read).itemOwners()
  expect(owners).toMatchObject([{ newOwner: moved.account }])
  await database.transaction((to) => moveBound(to, 0))
  await database.transaction((to) => pruneSlice(to, 10_000))
  await expect(withItemOwners(block, database.read).itemOwners()).rejects.toThrow(BlockNotIndexed)
})
