// Every way the public contracts that sell items describe themselves, by contracts of our own that do sell.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import {
  auctionFinishBody,
  fixedPriceSale,
  nameCancelAuctionBody,
  nameItem,
  nameStartAuctionBody,
  nftTransferBody,
  offChainContent,
  saleAcceptCoinsBody,
  saleAuction,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { genesisTime, startTvm } from '../../devchain/actor.ts'
import { carried, coin, type Event, Network, person, raw, stepsOf } from '../../devchain/contracts/network.ts'

const [market, seller, buyer, other, fees, artist] = [1, 2, 3, 4, 5, 6].map((byte) => person(byte)) as [
  ...[AccountId, AccountId, AccountId, AccountId, AccountId, AccountId],
]
const nft = singleNft(1n, seller, offChainContent('https://nft.test/1.json'))
const listed = { marketplace: market, item: nft.address, owner: seller, createdAt: genesisTime }
const endsAt = genesisTime + 3600

let executor: Emulator
let network: Network
beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: seller, to: nft })
})

/** All values of an answer, addresses by their places. */
function answer(of: AccountId, method: string, addresses: readonly number[], cells: readonly number[] = []) {
  const stack = network.get(of, method)
  return Array.from({ length: stack.remaining }, (_, place) => {
    if (cells.includes(place)) return stack.readCellOpt()
    return addresses.includes(place) ? (stack.readAddressOpt()?.toRawString() ?? null) : stack.readNumber()
  })
}

function ownerOf(item = nft.address) {
  const data = network.get(item, 'get_nft_data')
  data.skip(3)
  return data.readAddressOpt()?.toRawString() ?? null
}

function list(contract: Deployment) {
  network.send({ from: seller, to: contract, body: saleAcceptCoinsBody(1n) })
  const body = { queryId: 1n, to: contract.address, responseTo: seller, forwardAmount: coin / 50n }
  network.send({ from: seller, to: nft.address, body: nftTransferBody(body) })
}

test('a sale of version 4: thirteen values, and when it was sold', () => {
  const price = { price: 10n * coin, feeTo: fees, fee: coin, royaltyTo: artist, royalty: 2n * coin }
  const sale = fixedPriceSale({ ...listed, ...price }, 4)
  list(sale)
  const told4 = () => answer(sale.address, 'get_fix_price_data_v4', [2, 3, 4, 6, 8], [12])
  const [isComplete, ...terms] = [0, genesisTime, raw(market), raw(nft.address), raw(seller), 10e9]
  const shares = [raw(fees), 1e9, raw(artist), 2e9]
  expect(told4()).toEqual([isComplete, ...terms, ...shares, 0, 0, null])
  network.now += 5
  network.send({ from: buyer, to: sale.address, value: 11n * coin })
  expect(ownerOf()).toBe(raw(buyer))
})

test('an auction of version 4: twenty-six values, and the item for who bids most', () => {
  const share = { factor: 5, base: 100 }
  const bids = { minBid: coin, maxBid: 50n * coin, minStep: 10, endsAt, stepTime: 300 }
  const auction = saleAuction({ ...listed, ...bids, fee: { to: fees, ...share }, royalty: { to: artist, ...share } }, 4)
  network.send({ from: seller, to: auction, body: saleAcceptCoinsBody(1n) })
  const told4 = () => answer(auction.address, 'get_auction_data_v4', [3, 4, 5, 7, 9, 12, 22, 23])
  const terms = [raw(market), raw(nft.address), raw(seller)]
  const shares = [raw(fees), 5, 100, raw(artist), 5, 100]
  const ends = [50e9, 1e9, genesisTime]
  const none = [null, null, 0, 0]
  expect(told4()).toEqual([0, 0, endsAt, ...terms, 0, null, 10, ...shares, ...ends, 0, 0, 300, 0, ...none])
  list(auction)
  network.now += 60
  network.send({ from: buyer, to: auction.address, value: 3n * coin })
  const bid = [3e9, raw(buyer), 10]
  expect(told4()).toEqual([-1, 0, endsAt, ...terms, ...bid, ...shares, ...ends, network.now, 0, 300, 0, ...none])
  network.now = endsAt
  network.send({ from: buyer, to: auction.address, body: auctionFinishBody(7n) })
  expect(ownerOf()).toBe(raw(buyer))
})

describe('a name that sells itself', () => {
  const terms = { beneficiary: market, initialMinBid: 5n * coin, minBidStep: 10, minExtendTime: 600, duration: 7200 }
  const royalty = { numerator: 5, denominator: 100, destination: artist }
  const name = nameItem({ name: 'durov', content: offChainContent('https://names.test/1'), royalty, terms, endsAt })
  const state = () => answer(name.address, 'get_telemint_auction_state', [0])
  const bid = (from: AccountId, value: bigint) => network.send({ from, to: name.address, value })
  const say = (from: AccountId, body: ReturnType<typeof nameCancelAuctionBody>) =>
    stepsOf(network.send({ from, to: name.address, body }))
  const paid = (events: readonly Event[], to: AccountId) =>
    carried(
      events.filter(({ on }) => on === raw(to)),
      0x370fec51,
    )
  beforeEach(() => network.place(name))

  test('says what it is, what it costs, and who gets what', () => {
    const text = network.get(name.address, 'get_telemint_token_name').readCell().beginParse()
    expect(text.loadBuffer(text.remainingBits / 8).toString()).toBe('durov')
    expect(answer(name.address, 'get_telemint_auction_config', [0])).toEqual([raw(market), 5e9, 0, 10, 600, 7200])
    expect(answer(name.address, 'royalty_params', [2])).toEqual([5, 100, raw(artist)])
    expect(state()).toEqual([null, 0, 0, 5e9, endsAt])
    expect(ownerOf(name.address)).toBe(null)
  })

  test('a higher bid gives the one before back, and leaves others some time', () => {
    expect(stepsOf(bid(buyer, 4n * coin))).toEqual(['failed 1000', 'bounced'])
    bid(buyer, 5n * coin)
    expect(state()).toEqual([raw(buyer), 5e9, genesisTime, 5.5e9, endsAt])
    network.now = endsAt - 1
    const events = bid(other, 6n * coin)
    expect(paid(events, buyer)).toBe(5n * coin)
    expect(state()).toEqual([raw(other), 6e9, endsAt - 1, 6.6e9, endsAt + 599])
  })

  test('when it is over the next message, whatever it is, makes the bidder its owner', () => {
    bid(buyer, 100n * coin)
    network.now = endsAt + 600
    const events = bid(other, 7n * coin)
    expect(events.filter(({ failure }) => failure !== null)).toEqual([])
    expect([paid(events, artist), paid(events, other)]).toEqual([5n * coin, 7n * coin - coin / 10n])
    expect(paid(events, market)).toBe(95n * coin - coin / 10n)
    expect(stepsOf(events)).toContain(`0x${(0x05138d91).toString(16)}`)
    expect(ownerOf(name.address)).toBe(raw(buyer))
    expect(state).toThrow('1002')
  })

  test('behavior: the winner may give it away with the first message after the end', () => {
    bid(buyer, 100n * coin)
    network.now = endsAt + 600
    const body = nftTransferBody({ queryId: 1n, to: other, responseTo: buyer })
    const events = network.send({ from: buyer, to: name.address, value: coin, body })
    expect([ownerOf(name.address), paid(events, market)]).toEqual([raw(other), 95n * coin - coin / 10n])
    expect(carried(events, 0xd53276db)).toBeGreaterThan((coin * 9n) / 10n)
  })

  test('its owner gives it away, or puts it to auction again and thinks better of it', () => {
    bid(buyer, 5n * coin)
    network.now = endsAt + 600
    const start = nameStartAuctionBody(1n, { ...terms, beneficiary: buyer, maxBid: 20n * coin })
    expect(say(other, start)).toEqual(['0x487a8e81', 'bounced'].map((op, at) => (at === 0 ? 'failed 401' : op)))
    expect(say(buyer, start)[0]).toBe('0x487a8e81')
    expect(state()).toEqual([null, 0, 0, 5e9, network.now + 7200])
    const move = nftTransferBody({ queryId: 1n, to: other, responseTo: buyer })
    expect(say(buyer, move)).toEqual(['failed 1003', 'bounced'])
    expect(say(buyer, nameCancelAuctionBody(2n))).toEqual(['0x371638ae'])
    say(buyer, move)
    expect(ownerOf(name.address)).toBe(raw(other))
    expect(say(buyer, move)).toEqual(['failed 401', 'bounced'])
    // Enough at once ends it at once.
    say(other, start)
    bid(seller, 20n * coin)
    expect(ownerOf(name.address)).toBe(raw(seller))
  })

  test('error: an operation that is unknown', () => {
    expect(say(buyer, beginCell().storeUint(0x12345678, 32).storeUint(0n, 64).end())).toEqual([
      'failed 65535',
      'bounced',
    ])
  })
})
