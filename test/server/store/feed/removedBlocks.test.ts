// The rows of a block are removed in several transactions: a reader between two of them must not take it for one with less in it.

import { expect, test } from 'vitest'
import { BlockNotIndexed, IndexFeed, moveBound, pruneSlice, sql } from '../../../../server/store/index.ts'
import { drivers } from '../../../setup/database.ts'
import { emptyStore } from '../../../setup/emptiedStore.ts'
import { fillActions } from '../../../setup/filledActions.ts'

test.each(drivers)('%s: a block that is being removed is in the feed no more', async (driver) => {
  await using store = await emptyStore(driver)
  await fillActions(store, { transactions: 100, accounts: 12, atOnce: 20 })
  const [ends] = await store.read.query<{ oldest: number; newest: number; root_hash: Uint8Array }>(
    sql`select (select min(mc_seqno_end) from traces) as oldest, seqno as newest, root_hash from blocks
      where workchain = -1 order by seqno desc limit 1`,
  )
  if (ends === undefined) throw new Error('there are no blocks')
  const head = { seqno: ends.newest, rootHash: ends.root_hash }
  const heads = { indexed: () => head, onIndexed: () => () => undefined }
  const open = (): IndexFeed => new IndexFeed({ store: store.read, heads, canRewind: false })
  expect((await open().block(ends.oldest))?.transactions.length).toBeGreaterThan(0)
  await store.transaction((to) => moveBound(to, 1))
  const { transactions } = await store.transaction((to) => pruneSlice(to, 5))
  expect(transactions).toBeGreaterThan(0)
  await expect(open().block(ends.oldest)).rejects.toThrow(BlockNotIndexed)
  const [kept] = await store.read.query<{ first: number }>(sql`select pruned_before as first from indexer_cursor`)
  for (const seqno of [kept?.first ?? 0, ends.newest]) expect((await open().block(seqno))?.mcSeqno).toBe(seqno)
})
