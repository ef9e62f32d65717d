// Items, what sells them, and the names some of them are, on the embedded chain and in the index.

import { expect, test } from 'vitest'
import { beginCell, Dict, openCell, readBoc, stdAddress } from '../../../../server/cell/index.ts'
import {
  dnsAccountRecord,
  dnsChangeRecordBody,
  dnsDomain,
  dnsOpenAuctionBody,
  dnsRenewBody,
  dnsRoot,
  dnsStorageRecord,
  dnsZone,
  domainIndex,
  fixedPriceSale,
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  nftTransferBody,
  offChainContent,
  onChainContent,
  saleAuction,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import { keyOfAccount } from '../../../../server/methods/keyOfAccount.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import { configKind } from '../../../../server/tlb/index.ts'
import { AssetScene, call, coin, keyOf, person } from './assetScene.ts'

const artist = person(1)
const alice = person(2)
const bob = person(3)
const shop = person(4)
const rawOf = (account: AccountId): string => `0:${Buffer.from(account.hash).toString('hex').toUpperCase()}`

const collection = nftCollectionInit({
  owner: artist,
  content: offChainContent('https://nft.test/collection.json'),
  commonLink: 'https://nft.test/',
  royalty: { numerator: 5, denominator: 100, destination: artist },
})
const itemOf = (index: bigint) => nftItemInit(collection.address, index).address
const createdAt = 1_700_000_000
const terms = { marketplace: shop, createdAt, owner: alice }
const sale = fixedPriceSale({
  ...terms,
  item: itemOf(0n),
  price: 10n * coin,
  feeTo: shop,
  fee: coin,
  royaltyTo: artist,
  royalty: coin / 2n,
})
const share = { factor: 5, base: 100 }
const auction = saleAuction({
  ...terms,
  item: itemOf(1n),
  minBid: coin,
  minStep: 5,
  endsAt: 4_000_000_000,
  stepTime: 300,
  fee: { to: shop, ...share },
  royalty: { to: artist, ...share },
})

async function mint(scene: AssetScene, index: bigint): Promise<void> {
  const item = { owner: alice, content: linkPart(`${index}.json`), value: coin / 10n }
  await scene.send({ from: artist, to: collection.address, body: nftMintBody(1n, index, item) })
}

const move = (scene: AssetScene, item: AccountId, from: AccountId, to: AccountId) =>
  scene.send({ from, to: item, body: nftTransferBody({ queryId: 9n, to, responseTo: from, forwardAmount: coin / 5n }) })

test('a collection, its items, one without a collection, what sells them, and how they move', async () => {
  const scene = await AssetScene.open()
  const single = singleNft(77n, bob, onChainContent({ name: 'One of a kind' }))
  await scene.send({ from: artist, to: collection })
  await scene.send({ from: bob, to: single })
  for (const index of [0n, 1n]) await mint(scene, index)
  for (const deployed of [sale, auction]) await scene.send({ from: shop, to: deployed })
  await move(scene, itemOf(0n), alice, sale.address)
  await move(scene, itemOf(1n), alice, auction.address)
  // Not hers any more.
  await move(scene, itemOf(1n), alice, bob)

  expect(await scene.rows('nft_collections')).toMatchObject([
    {
      account: keyOf(collection.address),
      owner: keyOf(artist),
      next_item_index: 2n,
      content: '{"uri":"https://nft.test/collection.json"}',
    },
  ])
  const item = (index: bigint, owner: AccountId) => ({
    account: keyOf(itemOf(index)),
    index,
    init: true,
    owner: keyOf(owner),
    collection: keyOf(collection.address),
    content: JSON.stringify({ uri: `https://nft.test/${index}.json` }),
  })
  const alone = { account: keyOf(single.address), index: 77n, owner: keyOf(bob), collection: null }
  expect(await scene.rows('nft_items', 'index')).toMatchObject([
    item(0n, sale.address),
    item(1n, auction.address),
    { ...alone, content: '{"name":"One of a kind"}' },
  ])
  const [first, second] = await scene.rows('nft_sales', 'kind desc')
  const seller = { nft_owner: keyOf(alice), marketplace: keyOf(shop), created_at: BigInt(createdAt) }
  expect(first).toMatchObject({ kind: 'sale', account: keyOf(sale.address), nft: keyOf(itemOf(0n)), ...seller })
  expect(JSON.parse(String(first?.details))).toEqual({
    is_complete: false,
    full_price: '10000000000',
    marketplace_fee_address: rawOf(shop),
    marketplace_fee: '1000000000',
    royalty_address: rawOf(artist),
    royalty_amount: '500000000',
  })
  expect(second).toMatchObject({ kind: 'auction', account: keyOf(auction.address), nft: keyOf(itemOf(1n)), ...seller })
  expect(JSON.parse(String(second?.details))).toMatchObject({
    end_flag: false,
    end_time: 4_000_000_000,
    last_bid: '0',
    min_step: 5,
    mp_fee_address: rawOf(shop),
    mp_fee_factor: 5,
    royalty_fee_base: 100,
    min_bid: '1000000000',
    is_canceled: false,
  })
  const moved = (index: bigint, to: AccountId, aborted: boolean) => ({
    nft: keyOf(itemOf(index)),
    collection: keyOf(collection.address),
    aborted,
    query_id: 9n,
    old_owner: keyOf(alice),
    new_owner: keyOf(to),
    forward_amount: coin / 5n,
    forward_payload: null,
  })
  expect(await scene.events('nft_transfers')).toMatchObject([
    moved(0n, sale.address, false),
    moved(1n, auction.address, false),
    moved(1n, bob, true),
  ])
})

/** Auctions an account leads in, as v3 shows them. */
async function auctionsOf(scene: AssetScene, bidder: AccountId, state: 'won' | 'bidding') {
  const page = { limit: 10, offset: 0, include_nft_items: false }
  const ask = (await scene.methods())['v3.dns.activeAuctions']
  return (await ask({ bidder: keyOfAccount(bidder), state, ...page }, call)).auctions
}

const zone = dnsZone(offChainContent('https://dns.test/collection.json'))
const root = dnsRoot(artist, { ton: zone.address })

/** Names the root in the configuration. */
async function nameRoot(scene: AssetScene): Promise<void> {
  const account = stdAddress(-1, new Uint8Array(32).fill(0x55))
  const [row] = await scene.rows('accounts', `account = decode('${keyOf(account)}', 'hex') desc`)
  const kept = openCell(readBoc(Buffer.from(String(row?.data), 'hex')))
  const params = new Dict(configKind, kept.loadRef()).set(4, beginCell().storeBytes(root.address.hash).end())
  if (params.root === null) throw new Error('a configuration was expected')
  const data = beginCell().storeRef(params.root).storeSlice(kept).end()
  await scene.chain.control.setAccount({ workchain: -1, id: account.hash, data })
  await scene.chain.control.mine(2)
}

test('domains of the zone the network itself names: auctions, records, owners', async () => {
  const scene = await AssetScene.open()
  const domain = dnsDomain(zone.address, 'alice').address
  await scene.send({ from: artist, to: zone })
  await scene.send({ from: artist, to: root })
  await nameRoot(scene)
  await scene.send({ from: alice, to: zone.address, value: 60n * coin, body: dnsOpenAuctionBody('alice') })
  const row = { account: keyOf(domain), domain: 'alice.ton' }
  const [open] = await scene.rows('dns_records')
  expect(open).toMatchObject({ ...row, owner: null, wallet: null, max_bidder: keyOf(alice) })
  expect(Number(open?.auction_end)).toBeGreaterThan(Number(open?.last_fill_up))
  const of = async (state: 'won' | 'bidding') => (await auctionsOf(scene, alice, state)).map(({ finished }) => finished)
  expect([await of('won'), await of('bidding')]).toEqual([[], [false]])
  // The time of the chain alone moves: the clock of the machine has nothing to say.
  await scene.chain.control.increaseTime(3600)
  await scene.chain.control.mine(1)
  expect([await of('won'), await of('bidding')]).toEqual([[true], []])
  await scene.send({ from: alice, to: domain, body: dnsRenewBody(1n) })
  await scene.send({ from: alice, to: domain, body: dnsChangeRecordBody(2n, 'wallet', dnsAccountRecord(bob)) })
  expect(await scene.rows('dns_records')).toMatchObject([
    { ...row, owner: keyOf(alice), wallet: keyOf(bob), max_bidder: null, max_bid: null, auction_end: null },
  ])
  const bags = { site: Buffer.alloc(32, 0x5b), storage: Buffer.alloc(32, 0x5c) }
  for (const [category, bag] of Object.entries(bags)) {
    await scene.send({ from: alice, to: domain, body: dnsChangeRecordBody(3n, category, dnsStorageRecord(bag)) })
    // A site may be kept in a bag itself; what is said to be the storage goes first.
    const site = { site_adnl: null, storage_bag: bag.toString('hex') }
    expect(await scene.rows('dns_records')).toMatchObject([site])
  }
  expect(await scene.rows('nft_items')).toMatchObject([
    {
      account: keyOf(domain),
      index: domainIndex('alice'),
      owner: keyOf(alice),
      collection: keyOf(zone.address),
      content: '{"domain":"alice.ton"}',
    },
  ])
})
