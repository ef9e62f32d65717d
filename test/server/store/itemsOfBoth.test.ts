// Items of an owner of many in a collection of many, by their last transactions: the page is found wherever they are.

import { expect, test } from 'vitest'
import { type NftItemFilter, nftItemsRead, sql } from '../../../server/store/index.ts'
import { openMemoryStore } from '../../setup/memoryStore.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'

const accountOf = (seed: number): Uint8Array => new Uint8Array(33).fill(0x80, 0, 1).fill(seed, 1)
const OWNER = accountOf(1)
const OTHER = accountOf(2)
const USUAL = accountOf(3)
const SELDOM = accountOf(4)
const NEVER = accountOf(5)
const EACH = 4000
const ASK = { limit: 10, offset: 0, after: null }

test('an owner and a collection that rarely meet', async () => {
  const store = await openMemoryStore()
  const add = (owner: Uint8Array, collection: Uint8Array, [first, last]: readonly [number, number]) =>
    store.transaction((to) =>
      to.query(sql`insert into nft_items (account, code_hash, data_hash, last_tx_lt, init, index, collection, owner)
        select '\\x80'::bytea || sha256(int4send(i)), '', '', i, true, i, ${collection}::bytea, ${owner}::bytea
        from generate_series(${first}::int4, ${last}::int4) i`),
    )
  await add(OWNER, SELDOM, [1, 25])
  await add(OWNER, USUAL, [26, EACH])
  await add(OTHER, SELDOM, [EACH + 1, 2 * EACH])
  await add(OTHER, NEVER, [2 * EACH + 1, 3 * EACH])
  await store.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
  const counts: [filter: Pick<NftItemFilter, 'owners' | 'collections'>, most: number][] = [
    [{ owners: [OWNER], collections: [SELDOM] }, 400],
    [{ owners: [OWNER], collections: [NEVER] }, 400],
    [{ owners: [OWNER], collections: [SELDOM, NEVER] }, 400],
    [{ owners: [OWNER, accountOf(6)], collections: [SELDOM] }, 400],
    // Many are counted, and not read.
    [{ owners: [OWNER], collections: [USUAL] }, 4000],
  ]
  for (const [filter, most] of counts)
    for (const withSales of [false, true])
      for (const byLt of ['asc', 'desc'] as const) {
        const { statement } = nftItemsRead({ ...filter, withSales, byLt }, ASK)
        const expected = await store.read.query(sql`select account from nft_items
          where owner = any(${filter.owners ?? []}::bytea[]) and collection = any(${filter.collections ?? []}::bytea[])
          order by last_tx_lt ${sql.identifier(byLt)} limit 11`)
        const found = await store.read.query(statement)
        expect(found.map(({ account }) => account)).toEqual(expected.map(({ account }) => account))
        expect(rowsRead(await planOf(store.read, statement))).toBeLessThan(most)
      }
  await store.close()
})
