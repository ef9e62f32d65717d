// Lists of rows that anybody can make large, such as tokens with pictures on chain or transfers with long payloads: an answer with all of
// them would keep the embedded database from all other callers, and end with its restart.

import { beforeAll, expect, test } from 'vitest'
import { demandShortList, NO_NAMES } from '../../../server/methods/v3/bounded/boundedLists.ts'
import { actionSizes, actionsRead, openDatabase, sql } from '../../../server/store/index.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { filledAssets } from '../../setup/filledAssets.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { assetsForAll, type Params } from '../../setup/v3Assets.ts'

const v3 = assetsForAll({ rows: 20, people: 5 })

const COUNT = 140
/** Together 42 MB. */
const LONG = 300 * 1024

const keyOf = (kind: number, number: number): Uint8Array => {
  const key = new Uint8Array(33).fill(kind)
  key[0] = 128
  new DataView(key.buffer).setUint32(29, number)
  return key
}
const rawOf = (key: Uint8Array): string => `0:${Buffer.from(key.subarray(1)).toString('hex').toUpperCase()}`
const times = <T>(make: (number: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => make(i))
const owner = (kind: number): Uint8Array => keyOf(kind, 2 ** 31)

const bag = new Uint8Array(LONG).fill(0xb5)
const image = { image_data: 'x'.repeat(LONG) }
const made = filledAssets({ rows: 20, people: 5 })
const [item] = made.nftItems
const [collection] = made.nftCollections
const [master] = made.jettonMasters
const [transfer] = made.jettonTransfers
const [burn] = made.jettonBurns
const [wallet] = made.multisigs
const [order] = made.multisigOrders
const [vesting] = made.vestings

type Rows = Parameters<typeof insertAssets>[1]

function like<T extends object>(row: T | undefined, changes: Partial<T>): T {
  if (row === undefined) throw new Error('none of this kind was made')
  return { ...row, ...changes }
}

const itemOf = (kind: number, number: number, changes: Partial<NonNullable<typeof item>>) =>
  like(item, { account: keyOf(kind, number), owner: owner(kind), collection: null, ...changes })
const withCollection = keyOf(0x30, 1)
const large: readonly Rows[] = [
  { nftItems: times((i) => itemOf(0x11, i, { content: image })) },
  { nftCollections: [like(collection, { account: withCollection, content: image })] },
  { nftItems: times((i) => itemOf(0x12, i, { content: null, collection: withCollection })) },
  {
    nftItems: times((i) => itemOf(0x13, i, { content: { uri: 'https://example.com' } })),
    metadata: times((i) => ({
      account: keyOf(0x13, i),
      uri: 'https://example.com',
      fetchedAt: 1,
      json: JSON.stringify({ name: 'x'.repeat(LONG) }),
    })),
  },
  { nftCollections: times((i) => like(collection, { account: keyOf(0x14, i), owner: owner(0x14), content: image })) },
  { jettonMasters: times((i) => like(master, { account: keyOf(0x15, i), admin: owner(0x15), content: image })) },
  {
    jettonTransfers: times((i) =>
      like(transfer, {
        txHash: keyOf(0x16, i).subarray(1),
        sourceWallet: owner(0x16),
        aborted: false,
        forwardPayload: bag,
      }),
    ),
  },
  {
    jettonBurns: times((i) =>
      like(burn, { txHash: keyOf(0x17, i).subarray(1), jettonWallet: owner(0x17), customPayload: bag }),
    ),
  },
  { multisigs: [like(wallet, { account: owner(0x18) })] },
  { multisigOrders: times((i) => like(order, { account: keyOf(0x18, i), multisig: owner(0x18), order: bag })) },
  {
    vestings: times((i) =>
      like(vesting, {
        account: keyOf(0x19, i),
        whitelist: times((k) => times((n) => keyOf(i, k * COUNT + n)))
          .flat()
          .slice(0, 1000),
      }),
    ),
  },
]

beforeAll(async () => {
  for (const rows of large) await v3().store.transaction((to) => insertAssets(to, rows))
})

const all = (kind: number): readonly string[] => times((i) => rawOf(keyOf(kind, i)))

const lists: readonly (readonly [what: string, method: string, params: Params])[] = [
  ['items with pictures', 'nft/items', { owner_address: rawOf(owner(0x11)) }],
  [
    'items of a collection with a picture, which each is written with',
    'nft/items',
    { owner_address: rawOf(owner(0x12)) },
  ],
  ['items with long descriptions outside', 'nft/items', { owner_address: rawOf(owner(0x13)) }],
  ['collections', 'nft/collections', { owner_address: rawOf(owner(0x14)) }],
  ['jettons', 'jetton/masters', { admin_address: rawOf(owner(0x15)) }],
  ['transfers', 'jetton/transfers', { jetton_wallet: rawOf(owner(0x16)) }],
  ['burns', 'jetton/burns', { jetton_wallet: rawOf(owner(0x17)) }],
  ['orders', 'multisig/orders', { multisig_address: rawOf(owner(0x18)) }],
  ['vestings with long lists', 'vesting', { contract_address: all(0x19) }],
]

test.each(lists)(
  '%s: more than an answer can hold is refused with both sizes, and read in pages',
  async (_, name, params) => {
    const [status, words] = await v3().refused(name, { ...params, limit: 1000 })
    expect([status, words]).toEqual([500, expect.stringMatching(/have [3-8]\d MB, 32 MB at most in one answer/)])
    const page = await v3().get(name, { ...params, limit: 20 })
    expect(Object.values(page).find(Array.isArray)).toHaveLength(20)
  },
)

test('so are wallets with their orders, and without them they are read', async () => {
  const wallets = { address: rawOf(owner(0x18)) }
  const [status, words] = await v3().refused('multisig/wallets', wallets)
  expect([status, words]).toEqual([500, expect.stringMatching(/have 4\d MB, 32 MB at most in one answer/)])
  expect((await v3().get('multisig/wallets', { ...wallets, include_orders: false })).multisigs).toHaveLength(1)
})

test('so are descriptions of many accounts', async () => {
  const [status, words] = await v3().refused('metadata', { address: all(0x13) })
  expect([status, words]).toEqual([500, expect.stringMatching(/140 accounts have 4\d MB, 32 MB at most/)])
  expect(Object.keys(await v3().get('metadata', { address: all(0x13).slice(0, 50) }))).toHaveLength(50)
})

test('so are actions with long details', async () => {
  const store = await openDatabase({ database: 'pglite', readTimeoutMs: PATIENCE_MS })
  try {
    await fillActions(store, { transactions: 600, accounts: 25, atOnce: 100 })
    await store.transaction((to) => to.query(sql`update actions set details = repeat('x', ${LONG})`))
    const sizesOf = (limit: number) =>
      actionSizes(actionsRead({ hiddenWithin: [] }, { limit, offset: 0, after: null }, 'desc'))
    const [{ count } = { count: 0 }] = await store.read.query<{ count: number }>(
      sql`select count(*)::int4 as count from actions`,
    )
    expect(count).toBeGreaterThan(COUNT)
    await expect(demandShortList(store.read, sizesOf(1000), NO_NAMES)).rejects.toThrow(/MB, 32 MB at most/)
    await demandShortList(store.read, sizesOf(100), NO_NAMES)
  } finally {
    await store.close()
  }
})
