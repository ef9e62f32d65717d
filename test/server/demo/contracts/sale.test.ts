import { beginCell, Cell } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cell as OwnCell, beginCell as ownBuilder } from '../../../../server/cell/index.ts'
import {
  auctionFinishBody,
  fixedPriceSale,
  listingPayload,
  marketplace,
  nftTransferBody,
  offChainContent,
  saleAcceptCoinsBody,
  saleAuction,
  saleCancelBody,
  saleUpdateBody,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, own, startTvm } from '../../devchain/actor.ts'
import { carried, coin, type Event, Network, person, raw, stepsOf } from '../../devchain/contracts/network.ts'

const seller = person(2)
const buyer = person(3)
const artist = person(4)
const fees = person(5)
const market = marketplace()
const stranger = person(9)
const nft = singleNft(1n, seller, offChainContent('https://nft.test/1.json'))
const price = 10n * coin
const parts = {
  marketplace: market.address,
  item: nft.address,
  owner: seller,
  price,
  feeTo: fees,
  fee: coin / 2n,
  royaltyTo: artist,
  royalty: coin,
  createdAt: genesisTime,
}
const sale = fixedPriceSale(parts)

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: seller, to: nft })
  network.send({ from: seller, to: market })
  network.send({ from: seller, to: sale, body: saleAcceptCoinsBody(1n) })
})

const give = (to: AccountId) =>
  network.send({
    from: seller,
    to: nft.address,
    body: nftTransferBody({ queryId: 1n, to, responseTo: seller, forwardAmount: coin / 50n }),
  })
const send = (from: AccountId, value: bigint, body?: ReturnType<typeof saleCancelBody>) =>
  network.send({ from, to: sale.address, value, ...(body === undefined ? {} : { body }) })
function ownerOf() {
  const data = network.get(nft.address, 'get_nft_data')
  data.skip(3)
  return data.readAddress().toRawString()
}
function saleData(at = sale.address) {
  const data = network.get(at, 'get_sale_data')
  const magic = data.readNumber()
  const isComplete = data.readBoolean()
  const createdAt = data.readNumber()
  const place = data.readAddress()
  const item = data.readAddress()
  const owner = data.readAddressOpt()
  const full = data.readBigNumber()
  const rest = [
    data.readAddress().toRawString(),
    data.readBigNumber(),
    data.readAddress().toRawString(),
    data.readBigNumber(),
  ]
  return {
    magic,
    isComplete,
    createdAt,
    place: place.toRawString(),
    item: item.toRawString(),
    owner: owner?.toRawString(),
    full,
    rest,
    remaining: data.remaining,
  }
}
const paid = (events: readonly Event[], to: AccountId) =>
  carried(
    events.filter(({ on }) => on === raw(to)),
    0,
  )

describe('a sale', () => {
  test('default: what it says of itself', () => {
    expect(saleData()).toEqual({
      magic: 0x46495850,
      isComplete: false,
      createdAt: genesisTime,
      place: raw(market.address),
      item: raw(nft.address),
      owner: raw(seller),
      full: price,
      rest: [raw(fees), coin / 2n, raw(artist), coin],
      remaining: 0,
    })
  })

  test('default: coins for the owner, the marketplace and the artist, the item for the buyer', () => {
    give(sale.address)
    const events = send(buyer, price + coin / 10n)
    expect([paid(events, seller), paid(events, fees), paid(events, artist)]).toEqual([
      price - (coin * 3n) / 2n,
      coin / 2n,
      coin,
    ])
    expect(events.filter(({ failure }) => failure !== null)).toEqual([])
    expect([ownerOf(), saleData().isComplete, network.balance(sale.address)]).toEqual([raw(buyer), true, 0n])
  })

  test('error: too few coins, or a sale that is over', () => {
    give(sale.address)
    expect(stepsOf(send(buyer, price))).toEqual(['failed 450', 'bounced'])
    expect(stepsOf(send(person(3, -1), price + coin))).toEqual(['failed 333', 'bounced'])
    send(buyer, price + coin)
    expect(stepsOf(send(stranger, price + coin))).toEqual(['failed 404', 'bounced'])
    expect(stepsOf(send(seller, coin, saleCancelBody(1n)))).toEqual(['failed 404', 'bounced'])
    expect(ownerOf()).toBe(raw(buyer))
  })

  test('error: a purchase before the item is there', () => {
    expect(stepsOf(send(buyer, price + coin))).toEqual(['failed 405', 'bounced'])
    expect(stepsOf(send(seller, coin, saleCancelBody(1n)))).toEqual(['failed 405', 'bounced'])
  })

  test('behavior: an item no other can bring', () => {
    const forged = beginCell().storeUint(0x05138d91, 32).storeUint(1, 64).storeAddress(null).storeBit(0).endCell()
    expect(stepsOf(send(stranger, coin, own(forged)))[1]).toBe('bounced')
    expect(stepsOf(send(buyer, price + coin))).toEqual(['failed 405', 'bounced'])
  })

  test('behavior: without a named owner it is the account that brings the item', () => {
    const open = fixedPriceSale({ ...parts, owner: null })
    network.send({ from: seller, to: open, body: saleAcceptCoinsBody(1n) })
    expect(saleData(open.address).owner).toBeUndefined()
    give(open.address)
    expect(saleData(open.address).owner).toBe(raw(seller))
    expect(paid(network.send({ from: buyer, to: open.address, value: 11n * coin }), seller)).toBe(
      price - (coin * 3n) / 2n,
    )
  })

  test.each([
    ['its owner', seller],
    ['the marketplace', market.address],
  ])('default: %s takes the item back', (_, by) => {
    give(sale.address)
    expect(stepsOf(send(stranger, coin, saleCancelBody(1n)))).toEqual(['failed 458', 'bounced'])
    expect(stepsOf(send(by, coin / 20n, saleCancelBody(1n)))).toEqual(['failed 48', 'bounced'])
    send(by, coin, saleCancelBody(1n))
    expect([ownerOf(), saleData().isComplete]).toEqual([raw(seller), true])
  })

  test('default: its owner changes the price', () => {
    const next = { price: 20n * coin, fee: coin, royalty: 2n * coin }
    expect(stepsOf(send(buyer, coin, saleUpdateBody(1n, next)))).toEqual(['failed 458', 'bounced'])
    expect(stepsOf(send(seller, coin, saleUpdateBody(1n, { ...next, fee: next.price })))).toEqual([
      'failed 708',
      'bounced',
    ])
    send(seller, coin, saleUpdateBody(1n, next))
    expect(saleData()).toMatchObject({ full: 20n * coin, rest: [raw(fees), coin, raw(artist), 2n * coin] })
  })

  test('error: fee and royalty above the price', () => {
    expect(() => fixedPriceSale({ ...parts, fee: price })).toThrow(RangeError)
    expect(() => fixedPriceSale({ ...parts, owner: person(2, -1) })).toThrow(RangeError)
  })

  test.each([
    ['an unknown operation', beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell()],
    ['a new price cut short', beginCell().storeUint(0x6c6c2080, 32).storeUint(0, 64).endCell()],
  ])('error: %s', (_, body: Cell) => {
    expect(stepsOf(send(seller, coin, own(body)))[1]).toBe('bounced')
  })
})

describe('a marketplace', () => {
  const bring = (forwardPayload: ReturnType<typeof listingPayload>, forwardAmount = coin / 4n) =>
    network.send({
      from: seller,
      to: nft.address,
      body: nftTransferBody({ queryId: 3n, to: market.address, responseTo: seller, forwardAmount, forwardPayload }),
    })
  const terms = {
    ...parts,
    minBid: coin,
    minStep: 5,
    endsAt: genesisTime + 3600,
    stepTime: 300,
    fee: { to: fees, factor: 5, base: 100 },
    royalty: { to: artist, factor: 10, base: 100 },
  }

  // The first bit of the operation marks an inline payload.
  const deploying = (state: OwnCell, body = commentBody('hello')): ReturnType<typeof listingPayload> => ({
    form: 'inline',
    cell: ownBuilder().storeUint(0x0fe0ede, 31).storeRef(state).storeRef(body).end(),
  })
  const specialAccount = beginCell().storeUint(0b0111110, 7).storeRef(Cell.EMPTY).storeRef(Cell.EMPTY).endCell()
  const library = beginCell().storeUint(2, 8).storeBuffer(core(sale.code).hash()).endCell({ exotic: true })
  const chain = (length: number): Cell => {
    let cell = Cell.EMPTY
    for (let at = 0; at < length; at++) cell = beginCell().storeUint(at, 1000).storeRef(cell).endCell()
    return cell
  }
  const large = (length: number) =>
    own(beginCell().storeUint(0b00110, 5).storeRef(chain(length)).storeRef(Cell.EMPTY).endCell())
  const least = 160_000_000n

  test('default: lists an item for a price', () => {
    const listed = fixedPriceSale({ ...parts, createdAt: genesisTime + 1 })
    expect(bring(listingPayload(listed)).filter(({ failure }) => failure !== null)).toEqual([])
    expect(ownerOf()).toBe(raw(listed.address))
    network.send({ from: buyer, to: listed.address, value: price + coin })
    expect(ownerOf()).toBe(raw(buyer))
  })

  test('default: lists an item for an auction', () => {
    const listed = saleAuction(terms)
    bring(listingPayload(listed))
    network.send({ from: buyer, to: listed.address, value: 2n * coin })
    network.now += 3600
    network.send({ from: buyer, to: listed.address, body: auctionFinishBody() })
    expect(ownerOf()).toBe(raw(buyer))
  })

  test.each<[string, ReturnType<typeof listingPayload>, bigint]>([
    ['nothing said', null, coin / 4n],
    ['a text', { form: 'inline', cell: commentBody('sell this') }, coin / 4n],
    ['a reference', { form: 'reference', cell: commentBody('sell this') }, coin / 4n],
    ['too few coins', listingPayload(sale), coin / 20n],
    ['a cell that deploys nothing', deploying(commentBody('no contract')), coin / 4n],
    ['code and data of a special account', deploying(own(specialAccount)), coin / 4n],
    ['a library for a contract', deploying(own(library)), coin / 4n],
    ['a library for its first message', listingPayload(sale, own(library)), coin / 4n],
    ['a contract too large for its coins', deploying(large(300)), coin / 4n],
  ])('behavior: an item with %s goes back', (_, payload, value) => {
    bring(payload, value)
    expect(ownerOf()).toBe(raw(seller))
  })

  test('default: what it requires is enough for an auction', () => {
    expect(network.get(market.address, 'get_listing_value').readBigNumber()).toBe(least)
    bring(listingPayload(saleAuction(terms)), least)
    expect(ownerOf()).toBe(raw(saleAuction(terms).address))
  })

  test.each([40, 46, 50, 200])('behavior: it keeps no item for a contract of %d cells', (cells) => {
    const state = large(cells)
    bring(deploying(state), least)
    expect([raw(seller), `0:${state.hashHex()}`]).toContain(ownerOf())
  })
})
