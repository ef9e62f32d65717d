// Collections, items, their transfers and what sells them, over a filled database and against a model of it.

import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import type { AccountKey, NftItemRow } from '../../server/store/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { assetsForAll, hexOf, overRpc, type Params, rowsIn, sortedBy } from '../setup/v3Assets.ts'

const running = assetsForAll({ rows: 240, people: 8 })

const raw = rawOfKey
const addresses = (rows: readonly Params[]) => rows.map(({ address }) => address)
const is = (a: AccountKey | null | undefined, b: AccountKey) => a != null && hexOf(a) === hexOf(b)
const rows = () => running().rows
const person = (): AccountKey => {
  const owner = rows().nftItems.find(
    ({ owner: one }) => rows().nftItems.filter(({ owner }) => one && is(owner, one)).length > 40,
  )
  if (!owner?.owner) throw new Error('no busy owner')
  return owner.owner
}
const seller = () => rows().nftSales.find(({ kind, nftOwner }) => kind !== 'telemint' && is(nftOwner, person()))

const place = ({ collection }: NftItemRow) => (collection === null ? 'z' : hexOf(collection))
const inCollection = (some: readonly NftItemRow[]) =>
  sortedBy(some, (row) => [place(row), row.index, hexOf(row.account)]).map(({ account }) => raw(account))
const named = (some: readonly { readonly account: AccountKey }[]) => some.map(({ account }) => raw(account))

const sortedByAddress = <T extends { readonly account: AccountKey }>(some: readonly T[]) =>
  sortedBy(some, ({ account }) => [hexOf(account)])

describe('collections', () => {
  test('come by address', async () => {
    const { all } = running()
    const { nftCollections: collections } = rows()
    expect(addresses(await all('nft/collections'))).toEqual(named(sortedByAddress(collections)))
    const some = collections.slice(0, 7).reverse()
    const byAddress = sortedByAddress(some)
    expect(addresses(await all('nft/collections', { collection_address: named(some) }))).toEqual(named(byAddress))
    const [owner] = collections.flatMap((row) => row.owner ?? [])
    if (!owner) throw new Error('no row')
    const own = sortedByAddress(collections.filter((row) => is(row.owner, owner)))
    expect(addresses(await all('nft/collections', { owner_address: raw(owner) }))).toEqual(named(own))
  })

  test('say all that is known of them', async () => {
    const [row] = rows().nftCollections
    if (!row) throw new Error('no row')
    const { nft_collections: found } = await running().get('nft/collections', { collection_address: raw(row.account) })
    expect(found).toEqual([
      {
        address: raw(row.account),
        owner_address: row.owner && raw(row.owner),
        next_item_index: String(row.nextItemIndex),
        collection_content: row.content,
        code_hash: toBase64(row.codeHash),
        data_hash: toBase64(row.dataHash),
        last_transaction_lt: String(row.lastTxLt),
      },
    ])
  })
})

describe('items', () => {
  test('come by address', async () => {
    expect(addresses(await running().all('nft/items'))).toEqual(named(sortedByAddress(rows().nftItems)))
    const some = sortedByAddress(rows().nftItems.slice(20, 70))
    expect(addresses(await running().all('nft/items', { address: named(some).reverse() }))).toEqual(named(some))
  })

  test('of an owner by collection and index, those without a collection last', async () => {
    const own = rows().nftItems.filter(({ owner }) => is(owner, person()))
    expect(own.some(({ collection }) => collection === null)).toBe(true)
    expect(addresses(await running().all('nft/items', { owner_address: raw(person()) }))).toEqual(inCollection(own))
  })

  test('of several owners, owner by owner', async () => {
    const everybody = rows().nftItems.filter(({ owner }) => owner !== null)
    const owners = [...new Set(everybody.map(({ owner }) => owner && raw(owner)))]
    const sorted = sortedBy(everybody, (row) => [
      hexOf(row.owner ?? row.account),
      place(row),
      row.index,
      hexOf(row.account),
    ])
    expect(addresses(await running().all('nft/items', { owner_address: owners }))).toEqual(named(sorted))
  })

  test('of a collection by index, and some indexes of it', async () => {
    const { all, refused } = running()
    const [first] = rows().nftItems.filter(({ collection, index }) => collection !== null && index < 20n)
    const collection = first?.collection
    if (!collection) throw new Error('no row')
    const inside = rows().nftItems.filter((row) => is(row.collection, collection))
    const params = { collection_address: raw(collection) }
    expect(addresses(await all('nft/items', params))).toEqual(inCollection(inside))
    const indexes = [first.index, 999n, inside.at(-1)?.index ?? 0n]
    expect(addresses(await all('nft/items', { ...params, index: indexes }))).toEqual(
      inCollection(inside.filter(({ index }) => indexes.includes(index))),
    )
    const alone = 'index parameter is not allowed without the collection_address'
    expect(await refused('nft/items', { index: 1 })).toEqual([422, alone])
    expect(await refused('nft/items', { ...params, index: '1,2' })).toEqual([422, 'index should contain digits only'])
  })

  test('of several collections for one owner only', async () => {
    const { all, refused } = running()
    const collections = named(rows().nftCollections.slice(0, 5))
    const own = rows().nftItems.filter(
      ({ owner, collection }) => is(owner, person()) && collection && collections.includes(raw(collection)),
    )
    const params = { collection_address: collections, owner_address: raw(person()) }
    expect(addresses(await all('nft/items', params))).toEqual(inCollection(own))
    const words = 'exact one owner_address required for multiple collection_address'
    expect(await refused('nft/items', { collection_address: collections })).toEqual([422, words])
    expect(await refused('nft/items', { ...params, owner_address: collections })).toEqual([422, words])
  })

  test.each([
    [{ sort_by_last_transaction_lt: true }, true],
    [{ sort: 'desc' }, true],
    [{ sort: 'asc' }, false],
    [{ sort: 'asc', sort_by_last_transaction_lt: true }, false],
  ])('in order of time on request: %j', async (params, newest) => {
    for (const filter of [{}, { owner_address: raw(person()) }]) {
      const own =
        'owner_address' in filter ? rows().nftItems.filter(({ owner }) => is(owner, person())) : rows().nftItems
      const sorted = sortedBy(own, ({ lastTxLt, account }) => [lastTxLt, hexOf(account)])
      const found = await running().all('nft/items', { ...filter, ...params })
      expect(addresses(found)).toEqual(named(newest ? sorted.reverse() : sorted))
    }
  })

  test('what is sold for an owner is theirs when requested', async () => {
    const sold = rows().nftSales.filter(({ nftOwner }) => is(nftOwner, person()))
    const own = rows().nftItems.filter(
      ({ owner, account }) => is(owner, person()) || sold.some(({ nft }) => is(nft, account)),
    )
    expect(sold.length).toBeGreaterThan(3)
    const params = { owner_address: raw(person()), include_on_sale: true }
    const found = await running().all('nft/items', params)
    expect(addresses(found)).toEqual(inCollection(own))
    const [collection] = own.flatMap((row) => row.collection ?? [])
    if (!collection) throw new Error('no row')
    const inside = own.filter((row) => is(row.collection, collection))
    expect(addresses(await running().all('nft/items', { ...params, collection_address: raw(collection) }))).toEqual(
      inCollection(inside),
    )
  })

  test('say who sells them, and what collection they are of', async () => {
    for (const kind of ['sale', 'auction'] as const) {
      const sale = rows().nftSales.find((one) => one.kind === kind)
      const item = rows().nftItems.find(({ account }) => sale && is(sale.nft, account))
      if (!sale || !item) throw new Error('no row')
      const { nft_items: found } = await running().get('nft/items', { address: raw(item.account) })
      const name = kind === 'sale' ? 'sale_contract_address' : 'auction_contract_address'
      expect(found).toEqual([
        {
          address: raw(item.account),
          init: item.init,
          index: String(item.index),
          collection_address: item.collection && raw(item.collection),
          owner_address: raw(sale.account),
          content: item.content,
          code_hash: toBase64(item.codeHash),
          data_hash: toBase64(item.dataHash),
          last_transaction_lt: String(item.lastTxLt),
          collection: item.collection && expect.objectContaining({ address: raw(item.collection) }),
          on_sale: true,
          [name]: raw(sale.account),
          real_owner: raw(sale.nftOwner ?? sale.account),
        },
      ])
    }
    const plain = rows().nftItems.find((row) => row.owner && !rows().nftSales.some(({ nft }) => is(nft, row.account)))
    if (!plain) throw new Error('no row')
    const [shown] = rowsIn(await running().get('nft/items', { address: raw(plain.account) }))
    expect(shown?.on_sale).toBe(false)
    for (const name of ['real_owner', 'sale_contract_address', 'auction_contract_address'])
      expect(shown).not.toHaveProperty(name)
  })
})

describe('transfers', () => {
  const ordered = (some: typeof running extends () => { rows: { nftTransfers: infer T } } ? T : never) =>
    sortedBy(some, ({ txLt, txHash }) => [txLt, hexOf(txHash)])
      .reverse()
      .map(({ txHash }) => toBase64(txHash))
  const hashes = (found: readonly Params[]) => found.map((row) => row.transaction_hash)

  test('are reported with those that failed, by each of their ends', async () => {
    const { all } = running()
    const { nftTransfers: every } = rows()
    expect(hashes(await all('nft/transfers'))).toEqual(ordered(every))
    const owner_address = raw(person())
    const got = every.filter(({ newOwner }) => is(newOwner, person()))
    const sent = every.filter(({ oldOwner }) => is(oldOwner, person()))
    expect(hashes(await all('nft/transfers', { owner_address, direction: 'in' }))).toEqual(ordered(got))
    expect(hashes(await all('nft/transfers', { owner_address, direction: 'out' }))).toEqual(ordered(sent))
    const either = every.filter((one) => got.includes(one) || sent.includes(one))
    expect(hashes(await all('nft/transfers', { owner_address }))).toEqual(ordered(either))
    expect(hashes(await all('nft/transfers', { address: owner_address, direction: 'both' }))).toEqual(ordered(either))
  })

  test('filters hold together', async () => {
    const { all } = running()
    const one = rows().nftTransfers.find(({ collection, aborted }) => collection !== null && aborted)
    if (!one?.collection) throw new Error('no row')
    const { collection, nft, newOwner } = one
    const inside = rows().nftTransfers.filter((row) => is(row.collection, collection))
    expect(hashes(await all('nft/transfers', { collection_address: raw(collection) }))).toEqual(ordered(inside))
    const ofItem = inside.filter((row) => is(row.nft, nft))
    expect(hashes(await all('nft/transfers', { item_address: raw(nft) }))).toEqual(ordered(ofItem))
    const params = { item_address: [raw(nft)], collection_address: raw(collection), owner_address: raw(newOwner) }
    const found = await all('nft/transfers', { ...params, direction: 'in', start_utime: one.txNow, end_lt: one.txLt })
    const fits = ofItem.filter((row) => is(row.newOwner, newOwner) && row.txNow >= one.txNow && row.txLt <= one.txLt)
    expect(hashes(found)).toEqual(ordered(fits))
    expect(found[0]).toMatchObject({
      nft_address: raw(nft),
      nft_collection: raw(collection),
      transaction_aborted: true,
      old_owner: raw(one.oldOwner),
      new_owner: raw(newOwner),
      forward_amount: one.forwardAmount === null ? null : '1',
    })
  })
})

describe('sales', () => {
  test('for a price first, then by auction, then names, each with its item; others are left out', async () => {
    const { nftSales: sales, nftItems: items } = rows()
    const requested = [...named(sales).reverse(), ...named(items.slice(0, 3))]
    const { nft_sales: found } = await running().get('nft/sales', { address: requested })
    const kinds = { sale: 0, auction: 1, telemint: 2 } as const
    const sorted = sortedBy(sales, ({ kind, account }) => [kinds[kind], hexOf(account)])
    expect(addresses(found as Params[])).toEqual(named(sorted))
    const auction = sales.find(({ kind }) => kind === 'auction')
    if (!auction?.nftOwner) throw new Error('no row')
    expect(found).toContainEqual({
      type: 'getgems_auction',
      address: raw(auction.account),
      nft_address: raw(auction.nft),
      nft_owner_address: raw(auction.nftOwner),
      ...(auction.marketplace === null ? {} : { marketplace_address: raw(auction.marketplace) }),
      ...(auction.createdAt === null ? {} : { created_at: 1_755_000_000 }),
      code_hash: toBase64(auction.codeHash),
      data_hash: toBase64(auction.dataHash),
      last_transaction_lt: String(auction.lastTxLt),
      details: { end_time: 7 },
      nft_item: expect.objectContaining({
        address: raw(auction.nft),
        on_sale: true,
        real_owner: raw(auction.nftOwner),
      }),
    })
  })

  test('what is null is left out, and a name that is its own auction is its own item', async () => {
    const telemint = rows().nftSales.find(({ kind }) => kind === 'telemint')
    if (!telemint) throw new Error('no row')
    const [found] = rowsIn(await running().get('nft/sales', { address: raw(telemint.account) }))
    expect(found).toEqual({
      type: 'telemint',
      address: raw(telemint.account),
      nft_address: raw(telemint.account),
      code_hash: toBase64(telemint.codeHash),
      data_hash: toBase64(telemint.dataHash),
      last_transaction_lt: String(telemint.lastTxLt),
      details: { token_name: 'alice', bid: '5' },
      nft_item: {
        address: raw(telemint.account),
        init: true,
        index: 'alice',
        collection_address: null,
        owner_address: null,
        content: null,
        code_hash: toBase64(telemint.codeHash),
        data_hash: toBase64(telemint.dataHash),
        last_transaction_lt: String(telemint.lastTxLt),
        collection: null,
        on_sale: false,
      },
    })
  })

  test('a page is not looked at, and at least one address has to be there', async () => {
    const { get, refused } = running()
    const address = raw(seller()?.account ?? person())
    expect(await get('nft/sales', { address, limit: 'x', offset: 5 })).toEqual(await get('nft/sales', { address }))
    expect(await refused('nft/sales', {})).toEqual([422, 'at least 1 address required'])
    const many = Array(1001).fill(address).join()
    expect(await refused('nft/sales', { address: many })).toEqual([
      expect.any(Number),
      expect.stringMatching(/maximum 1000 addresses allowed|too (?:long|large)/i),
    ])
  })
})

test('JSON-RPC says the same as REST', async () => {
  const { get } = running()
  const owner = { owner_address: [raw(person())] }
  for (const [name, params] of [
    ['nft/collections', {}],
    ['nft/items', { ...owner, include_on_sale: true }],
    ['nft/transfers', owner],
    ['nft/sales', { address: [raw(seller()?.account ?? person())] }],
  ] as const)
    expect(await overRpc(running(), name, params)).toEqual(await get(name, params))
})

test('a value without a text is as good as none', async () => {
  const { get, refused } = running()
  const nothing = { limit: '', offset: '', sort: '', cursor: '', start_lt: '' }
  for (const name of ['nft/items', 'nft/transfers', 'nft/collections', 'jetton/wallets', 'jetton/transfers'])
    expect(await get(name, nothing)).toEqual(await get(name))
  expect(await refused('nft/sales', { address: '' })).toEqual([422, 'at least 1 address required'])
  expect(await refused('vesting', { contract_address: '', wallet_address: '' })).toEqual([
    422,
    'at least one of contract_address or wallet_address is required',
  ])
})

test.each([
  ['nft/items', 'owner_address'],
  ['nft/items', 'address'],
  ['nft/collections', 'collection_address'],
  ['nft/transfers', 'collection_address'],
  ['jetton/wallets', 'address'],
  ['jetton/wallets', 'owner_address'],
  ['jetton/masters', 'admin_address'],
  ['jetton/transfers', 'jetton_master'],
  ['jetton/burns', 'owner_address'],
])("%s: an empty %s is refused, not a list of everybody's rows", async (name, param) => {
  const { refused } = running()
  const [status, error] = await refused(name, { [param]: '' })
  expect([status, error]).toEqual([422, expect.stringMatching(new RegExp(`"${param}"\\. Details: empty address$`))])
})

test('text that no database holds is refused', async () => {
  const { refused } = running()
  expect(await refused('dns/records', { domain: 'a\0.ton' })).toEqual([
    422,
    expect.stringContaining('character of code 0'),
  ])
})

const UNREAD = 'failed to decode: schema: error converting value for'

test.each([
  ['nft/collections', { collection_address: 'x' }, `${UNREAD} index 0 of "collection_address"`],
  ['nft/collections', { owner_address: 'x' }, `${UNREAD} index 0 of "owner_address"`],
  ['nft/collections', { limit: 1001 }, 'limit is not allowed: 1001 > 1000'],
  ['nft/items', { address: 'x' }, `${UNREAD} index 0 of "address"`],
  ['nft/items', { sort: 'x' }, 'wrong value for sort parameter'],
  ['nft/items', { include_on_sale: 'x' }, `${UNREAD} "include_on_sale"`],
  ['nft/items', { index: 'x' }, 'index should contain digits only'],
  ['nft/transfers', { item_address: 'x' }, `${UNREAD} index 0 of "item_address"`],
  ['nft/transfers', { collection_address: 'x' }, `${UNREAD} "collection_address"`],
  ['nft/sales', { address: 'x' }, `${UNREAD} index 0 of "address"`],
])('%s refuses %j', async (name, params, words) => {
  expect(await running().refused(name, params)).toEqual([422, expect.stringContaining(words)])
})
