// Owners of the items of a block, read when they are wanted: which may be after the index has removed the block.

import { expect, test } from 'vitest'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import { withComingOwners, withItemOwners } from '../../../../server/store/feed/blockOwners.ts'
import { readBlocks } from '../../../../server/store/feed/readBlocks.ts'
import {
  BlockNotIndexed,
  IndexFeed,
  type ItemLook,
  moveBound,
  pruneSlice,
  type Sql,
  sql,
} from '../../../../server/store/index.ts'
import { comingOwners, writeItemOwners } from '../../../../server/store/write/itemOwners.ts'
import { drivers, freshDatabase } from '../../../setup/database.ts'
import { emptyStore } from '../../../setup/emptiedStore.ts'
import { fill, filledRows } from '../../../setup/filler.ts'

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

type Blocks = Parameters<typeof withComingOwners>[0]

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

const bytes = (length: number, i: number): Uint8Array => Buffer.alloc(length, i)

/** Requests of three owners, in transactions of a look. */
const requestsOf = (i: number) =>
  [0, 1, 2].map((n) => ({
    txHash: Buffer.concat([bytes(31, i % 250), bytes(1, n)]),
    sender: bytes(33, 100 + ((i + n) % 5)),
    to: bytes(33, 100 + ((i * 3 + n) % 5)),
  }))

/** A few accounts again and again, some of them items, created or not, with and without a transaction. */
const LOOKS: readonly ItemLook[] = Array.from({ length: 400 }, (_, i) => {
  const bit = (n: number): boolean => ((i * 2654435761) >>> n) % 2 === 0
  const isItem = bit(7)
  return {
    account: bytes(33, (i * 7) % 60),
    owner: isItem && bit(9) ? bytes(33, 100 + (i % 5)) : null,
    collection: isItem && bit(11) ? bytes(33, 200) : null,
    isItem,
    isNew: bit(13),
    txHash: bytes(32, i % 250),
    isAlone: bit(15),
    isIgnored: isItem && bit(15) && bit(17),
    mcSeqno: Math.floor(i / 40),
    requests: bit(19) ? [] : requestsOf(i),
    firstTx: bytes(32, i % 250),
  }
})

test.each(drivers)('of the first blocks of an index they are what is written, without a read: %s', async (driver) => {
  await using database = await emptyStore(driver)
  // The cast: nothing else of the blocks is needed.
  const blocks = Array.from({ length: 10 }, (_, mcSeqno) => ({ mcSeqno })) as unknown as Blocks
  const owners = async (store: typeof database.read | null) =>
    await Promise.all((await withComingOwners(blocks, LOOKS, store)).map((rows) => rows.itemOwners()))
  const inOrder = (all: Awaited<ReturnType<typeof owners>>) =>
    all.map((own) =>
      own
        .map((one) =>
          Object.entries(one)
            .map(([name, value]) => `${name} ${textOf(value)}`)
            .sort()
            .join(),
        )
        .sort(),
    )
  const first = inOrder(await owners(null))
  expect(first.flat().length).toBeGreaterThan(100)
  expect(first).toEqual(inOrder(await owners(database.read)))
})

test.each(drivers)(
  'they are written as they were reported, and each transaction has one change: %s',
  async (driver) => {
    await using database = await emptyStore(driver)
    const coming = await comingOwners(database.read, LOOKS)
    await database.transaction((to) => writeItemOwners(to, LOOKS))
    const written = await database.read.query(sql`select tx_hash, old_owner, new_owner from nft_owners`)
    const first = new Map(coming.toReversed().map((one) => [textOf(one.txHash), one]))
    expect(first.size).toBeGreaterThan(200)
    expect(written.map((row) => [row.tx_hash, row.old_owner, row.new_owner].map(textOf).join()).sort()).toEqual(
      [...first.values()].map((one) => [one.txHash, one.oldOwner, one.newOwner].map(textOf).join()).sort(),
    )
  },
)

test('the first blocks are reported with them before they are written', async () => {
  const [batch] = filledRows({ transactions: 20, accounts: 5 })
  const mcSeqno = batch?.cursor.lastMcSeqno
  if (batch === undefined || mcSeqno === undefined) throw new Error('nothing was filled')
  const look: ItemLook = { ...(LOOKS[0] as ItemLook), owner: bytes(33, 1), isItem: true, isNew: true, mcSeqno }
  // The casts: of the assets nothing else is read, and nothing at all from the store.
  const assets = { itemLooks: [look], found: { jettonWallets: [] } } as unknown as typeof batch.assets
  const store = {} as unknown as Sql
  const feed = new IndexFeed({ store, heads: new IndexHeads(), canRewind: true })
  const seen: Promise<readonly unknown[]>[] = []
  feed.onPrepared(
    (all) => seen.push(...all.map((rows) => rows.itemOwners())),
    () => true,
  )
  await feed.prepared({ ...batch, previous: null, ...(assets === undefined ? {} : { assets }) }, { actions: [] })
  expect((await Promise.all(seen)).flat()).toMatchObject([{ newOwner: look.owner, oldOwner: null, mcSeqno }])
})
