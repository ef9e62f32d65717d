import { beginCell } from '@ton/core'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  auctionCancelBody,
  auctionFinishBody,
  nftTransferBody,
  offChainContent,
  saleAcceptCoinsBody,
  saleAuction,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, own, startTvm } from '../../devchain/actor.ts'
import { carried, coin, type Event, Network, person, raw, stepsOf } from '../../devchain/contracts/network.ts'

const market = person(1)
const seller = person(2)
const first = person(3)
const second = person(4)
const fees = person(5)
const artist = person(6)
const stranger = person(9)
const endsAt = genesisTime + 3600
const nft = singleNft(1n, seller, offChainContent('https://nft.test/1.json'))
const parts = {
  marketplace: market,
  item: nft.address,
  owner: seller,
  minBid: 2n * coin,
  maxBid: 100n * coin,
  minStep: 10,
  endsAt,
  stepTime: 300,
  fee: { to: fees, factor: 5, base: 100 },
  royalty: { to: artist, factor: 10, base: 100 },
  createdAt: genesisTime,
}
const auction = saleAuction(parts)

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(start)

function start() {
  network = new Network(executor)
  network.send({ from: seller, to: nft })
  network.send({ from: seller, to: auction, value: coin / 10n, body: saleAcceptCoinsBody(1n) })
  give()
}
function give() {
  const body = nftTransferBody({ queryId: 1n, to: auction.address, responseTo: seller, forwardAmount: coin / 50n })
  network.send({ from: seller, to: nft.address, body })
}
const send = (from: AccountId, value: bigint, body?: ReturnType<typeof auctionFinishBody>) =>
  network.send({ from, to: auction.address, value, ...(body === undefined ? {} : { body }) })
function ownerOf() {
  const data = network.get(nft.address, 'get_nft_data')
  data.skip(3)
  return data.readAddress().toRawString()
}
function state() {
  const data = network.get(auction.address, 'get_sale_data')
  const addresses = new Set([3, 4, 5, 7, 9, 12])
  return Array.from({ length: data.remaining }, (_, place) =>
    addresses.has(place) ? (data.readAddressOpt()?.toRawString() ?? null) : data.readNumber(),
  )
}
const summary = () => {
  const [, hasEnded, end, , , , bid, bidder] = state()
  return { hasEnded, end, bid, bidder }
}
const paid = (events: readonly Event[], to: AccountId) =>
  carried(
    events.filter(({ on }) => on === raw(to)),
    0,
  )

describe('an auction', () => {
  test('default: what it says of itself', () => {
    const shares = [raw(fees), 5, 100, raw(artist), 10, 100]
    expect(state()).toEqual([
      0x415543,
      0,
      endsAt,
      raw(market),
      raw(nft.address),
      raw(seller),
      0,
      null,
      10,
      ...shares,
      Number(100n * coin),
      Number(2n * coin),
      genesisTime,
      0,
      0,
    ])
  })

  test('default: a higher bid returns the one before, with a word about it', () => {
    send(first, 2n * coin)
    expect(summary()).toEqual({ hasEnded: 0, end: endsAt, bid: Number(2n * coin), bidder: raw(first) })
    const events = send(second, 3n * coin)
    expect([paid(events, first), summary().bidder]).toEqual([2n * coin, raw(second)])
    const notice = events[1]?.transaction.inMessage?.body
    expect(notice?.equals(core(commentBody('Your bid has been outbid by another user.')))).toBe(true)
  })

  test('error: bids too low, or before the item is there, or after the end', () => {
    expect(stepsOf(send(first, coin))).toEqual(['failed 1000', 'bounced'])
    expect(stepsOf(send(person(3, -1), 5n * coin))).toEqual(['failed 333', 'bounced'])
    send(first, 10n * coin)
    expect(stepsOf(send(second, 11n * coin - 1n))).toEqual(['failed 1000', 'bounced'])
    network.now = endsAt
    expect(stepsOf(send(second, 20n * coin))).toEqual(['failed 1005', 'bounced'])
    expect(summary().bidder).toBe(raw(first))

    const early = saleAuction({ ...parts, createdAt: 1 })
    network.now = genesisTime
    network.send({ from: seller, to: early, body: saleAcceptCoinsBody(1n) })
    expect(stepsOf(network.send({ from: first, to: early.address, value: 5n * coin }))).toEqual([
      'failed 405',
      'bounced',
    ])
  })

  test('behavior: a bid at the last moment gives others time', () => {
    network.now = endsAt - 10
    send(first, 2n * coin)
    expect(summary().end).toBe(endsAt - 10 + 300)
  })

  test.each<[string, ReturnType<typeof auctionFinishBody>, AccountId]>([
    ['the bidder says finish', auctionFinishBody(), first],
    ['the seller says stop', commentBody('stop'), seller],
    ['the marketplace sends the operation', auctionFinishBody(8n), market],
  ])('default: is over when %s', (_, body, by) => {
    send(first, 20n * coin)
    expect(stepsOf(send(by, coin, body))).toEqual(['failed 1003', 'bounced'])
    network.now = endsAt
    expect(stepsOf(send(stranger, coin, body))).toEqual(['failed 458', 'bounced'])
    expect(stepsOf(send(by, coin / 20n, body))).toEqual(['failed 48', 'bounced'])
    const events = send(by, coin / 2n, body)
    expect([paid(events, fees), paid(events, artist), paid(events, seller)]).toEqual([
      coin,
      2n * coin,
      17n * coin - coin / 10n,
    ])
    expect([ownerOf(), summary().hasEnded]).toEqual([raw(first), -1])
    expect(stepsOf(send(by, coin, body))).toEqual(['failed 1005', 'bounced'])
  })

  test('default: enough coins buy at once', () => {
    send(first, 2n * coin)
    const events = send(second, 100n * coin)
    expect(events.filter(({ failure }) => failure !== null)).toEqual([])
    expect([ownerOf(), paid(events, first), paid(events, seller)]).toEqual([
      raw(second),
      2n * coin,
      85n * coin - coin / 10n,
    ])
    expect(stepsOf(send(first, 200n * coin))).toEqual(['failed 1005', 'bounced'])
  })

  test.each<[string, ReturnType<typeof auctionCancelBody>, AccountId]>([
    ['the seller, by a text', auctionCancelBody(), seller],
    ['the marketplace, by the operation', auctionCancelBody(3n), market],
  ])('default: is canceled by %s', (_, body, by) => {
    expect(stepsOf(send(stranger, coin, body))).toEqual(['failed 458', 'bounced'])
    send(by, coin, body)
    expect([ownerOf(), state().at(-1), summary().hasEnded]).toEqual([raw(seller), -1, -1])
  })

  test('error: is not canceled once there is a bid', () => {
    send(first, 2n * coin)
    expect(stepsOf(send(seller, coin, auctionCancelBody()))).toEqual(['failed 1001', 'bounced'])
  })

  test('behavior: without a bid the item goes back at the end', () => {
    network.now = endsAt
    send(seller, coin, auctionFinishBody())
    expect([ownerOf(), state().at(-1)]).toEqual([raw(seller), 0])
  })

  test('error: shares of more than all', () => {
    const most = { to: fees, factor: 60, base: 100 }
    expect(() => saleAuction({ ...parts, fee: most, royalty: most })).toThrow(RangeError)
    expect(() => saleAuction({ ...parts, fee: { to: fees, factor: 0, base: 0 } })).toThrow(RangeError)
  })

  test('error: an unknown operation', () => {
    const body = beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell()
    expect(stepsOf(send(seller, coin, own(body)))).toEqual(['failed 65535', 'bounced'])
    expect(stepsOf(send(seller, coin, own(beginCell().storeUint(0x05138d91, 32).endCell())))[1]).toBe('bounced')
    expect(summary().bidder).toBeNull()
  })

  test('behavior: however many bid, all but the last have their coins back, and the bid is there to be paid out', () => {
    const bid = fc.record({ from: fc.constantFrom(first, second, stranger), value: fc.bigInt(coin, 20n * coin) })
    fc.assert(
      fc.property(fc.array(bid, { minLength: 1, maxLength: 12 }), (bids) => {
        start()
        for (const { from, value } of bids) {
          const before = summary()
          const events = send(from, value)
          // Taken: the one before is paid out in full. Not taken: the TON come back.
          if (summary().bid === before.bid) expect(stepsOf(events).at(-1)).toBe('bounced')
          else expect(carried(events.slice(1), 0)).toBe(BigInt(before.bid ?? 0))
        }
        expect(network.balance(auction.address)).toBeGreaterThanOrEqual(BigInt(summary().bid ?? 0) - coin / 10n)
        network.now = endsAt + 1
        expect(send(seller, coin, auctionFinishBody()).filter(({ failure }) => failure !== null)).toEqual([])
        expect(ownerOf()).toBe(summary().bidder ?? raw(seller))
      }),
      { numRuns: 15 },
    )
  })
})
