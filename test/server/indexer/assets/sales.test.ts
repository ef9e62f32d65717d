// Everything that sells an item, of each form there is, from its contract on the embedded chain to the answer of v3.

import { expect, test } from 'vitest'
import {
  fixedPriceSale,
  nameItem,
  nftTransferBody,
  offChainContent,
  saleAuction,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import { keyOfAccount } from '../../../../server/methods/keyOfAccount.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import { AssetScene, call, coin, person } from './assetScene.ts'

const [shop, seller, buyer, feeTo, artist] = [1, 2, 3, 4, 5].map(person) as [
  ...[AccountId, AccountId, AccountId, AccountId, AccountId],
]
const raw = ({ hash }: AccountId): string => `0:${Buffer.from(hash).toString('hex').toUpperCase()}`
const createdAt = 1_700_000_000
const endsAt = 4_000_000_000
const items = [1n, 2n, 3n, 4n].map((index) => singleNft(index, seller, offChainContent(`https://nft.test/${index}`)))
const listed = (at: number) => ({
  marketplace: shop,
  owner: seller,
  createdAt,
  item: (items[at] ?? singleNft(0n, seller, offChainContent(''))).address,
})
const price = { price: 10n * coin, feeTo, fee: coin, royaltyTo: artist, royalty: 2n * coin }
const share = { factor: 5, base: 100 }
const bids = {
  minBid: coin,
  maxBid: 50n * coin,
  minStep: 10,
  endsAt,
  stepTime: 300,
  fee: { to: feeTo, ...share },
  royalty: { to: artist, ...share },
}
const sales = [fixedPriceSale({ ...listed(0), ...price }), fixedPriceSale({ ...listed(1), ...price }, 4)]
const auctions = [saleAuction({ ...listed(2), ...bids }), saleAuction({ ...listed(3), ...bids }, 4)]
const terms = { beneficiary: shop, initialMinBid: 5n * coin, minBidStep: 10, minExtendTime: 600, duration: 7200 }
const royalty = { numerator: 5, denominator: 100, destination: artist }
const name = nameItem({ name: 'durov', content: offChainContent('https://nft.test/n'), royalty, terms, endsAt })

async function list(scene: AssetScene, { address }: Deployment, sale: Deployment): Promise<void> {
  await scene.send({ from: seller, to: sale })
  const body = { queryId: 1n, to: sale.address, responseTo: seller, forwardAmount: coin / 20n }
  await scene.send({ from: seller, to: address, body: nftTransferBody(body) })
}

const saleDetails = {
  is_complete: false,
  full_price: '10000000000',
  marketplace_fee_address: raw(feeTo),
  marketplace_fee: '1000000000',
  royalty_address: raw(artist),
  royalty_amount: '2000000000',
}
const auctionDetails = {
  end_flag: false,
  end_time: endsAt,
  last_bid: '3000000000',
  last_member: raw(buyer),
  min_step: 10,
  mp_fee_address: raw(feeTo),
  mp_fee_factor: 5,
  mp_fee_base: 100,
  royalty_fee_address: raw(artist),
  royalty_fee_factor: 5,
  royalty_fee_base: 100,
  max_bid: '50000000000',
  min_bid: '1000000000',
  last_bid_at: expect.any(Number),
  is_canceled: false,
}

test('for a price and by auction, older and newer ones, and names in auction', async () => {
  const scene = await AssetScene.open()
  for (const [at, sale] of [...sales, ...auctions].entries()) {
    const item = items[at]
    if (!item) throw new Error('an item for each')
    await scene.send({ from: seller, to: item })
    await list(scene, item, sale)
  }
  await scene.send({ from: shop, to: name })
  for (const { address } of [...auctions, name])
    await scene.send({ from: buyer, to: address, value: address === name.address ? 6n * coin : 3n * coin })

  const requested = [name, ...auctions, ...sales].map(({ address }) => keyOfAccount(address))
  const ask = (await scene.methods())['v3.nft.sales']
  const { nft_sales: found, address_book: book } = await ask({ address: [...requested, keyOfAccount(buyer)] }, call)
  const kinds = [...sales.map(() => 'getgems_sale'), ...auctions.map(() => 'getgems_auction'), 'telemint']
  expect(found.map(({ type }) => type)).toEqual(kinds)
  const sold = [...sales, ...auctions]
  for (const [at, { address }] of sold.entries()) {
    const item = raw(listed(at).item)
    const isAuction = at >= sales.length
    const saleRow = found.find((one) => one.address === raw(address))
    expect(saleRow).toMatchObject({
      nft_address: item,
      nft_owner_address: raw(seller),
      marketplace_address: raw(shop),
      created_at: createdAt,
      nft_item: {
        address: item,
        owner_address: raw(address),
        on_sale: true,
        real_owner: raw(seller),
        [isAuction ? 'auction_contract_address' : 'sale_contract_address']: raw(address),
      },
    })
    expect(saleRow?.details).toEqual(isAuction ? auctionDetails : saleDetails)
  }
  const named = found.at(-1)
  expect(named).toMatchObject({ address: raw(name.address), nft_address: raw(name.address) })
  for (const absent of ['nft_owner_address', 'marketplace_address', 'created_at'])
    expect(named).not.toHaveProperty(absent)
  expect(named?.details).toEqual({
    token_name: 'durov',
    bidder_address: raw(buyer),
    bid: '6000000000',
    bid_ts: expect.stringMatching(/^\d{10}$/),
    min_bid: '6600000000',
    end_time: endsAt,
    beneficiary_address: raw(shop),
    initial_min_bid: '5000000000',
    max_bid: '0',
    min_bid_step: '10',
    min_extend_time: '600',
    duration: '7200',
    royalty_numerator: 5,
    royalty_denominator: 100,
    royalty_destination: raw(artist),
  })
  expect(named?.nft_item).toMatchObject({
    index: 'durov',
    init: true,
    owner_address: null,
    content: null,
    on_sale: false,
  })

  // Of all of them, also those that only details name.
  for (const account of [shop, seller, buyer, feeTo, artist, ...items]) {
    const address = raw('address' in account ? account.address : account)
    expect(book[address]?.user_friendly, address).toMatch(/^[\w-]{48}$/)
  }

  // Sold: the item is the buyer's, and says so.
  for (const { address } of sales) await scene.send({ from: buyer, to: address, value: 11n * coin })
  const items4 = (await scene.methods())['v3.nft.items']
  const page = { limit: 10, offset: 0, include_on_sale: false, sort_by_last_transaction_lt: false }
  const { nft_items: bought } = await items4({ owner_address: [keyOfAccount(buyer)], ...page }, call)
  expect(bought.map(({ address }) => address).sort()).toEqual([0, 1].map((at) => raw(listed(at).item)).sort())
  const { nft_sales: over } = await ask({ address: requested }, call)
  expect(over.slice(0, 2)).toMatchObject(
    [0, 1].map(() => ({ details: { is_complete: true }, nft_item: { on_sale: false } })),
  )
})
