import { beginCell, type Cell, Dictionary } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  dnsAccountRecord,
  dnsAdnlRecord,
  dnsCategory,
  dnsChangeRecordBody,
  dnsDomain,
  dnsOpenAuctionBody,
  dnsReleaseBody,
  dnsRenewBody,
  dnsResolverRecord,
  dnsRoot,
  dnsStorageRecord,
  dnsTextRecord,
  dnsZone,
  domainIndex,
  nftStaticDataBody,
  nftTransferBody,
  offChainContent,
} from '../../../../server/demo/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, own, startTvm } from '../../devchain/actor.ts'
import {
  bodyOf,
  carried,
  coin,
  coreAddress,
  int,
  Network,
  person,
  raw,
  slice,
  stepsOf,
} from '../../devchain/contracts/network.ts'

const admin = person(1)
const alice = person(2)
const bob = person(3)
const stranger = person(9)
const content = offChainContent('https://dns.test/collection.json')
const zone = dnsZone(content)
const root = dnsRoot(admin, { ton: zone.address })
const domain = dnsDomain(zone.address, 'alice').address
const HOUR = 3600
const YEAR = 366 * 24 * HOUR

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: admin, to: zone })
  network.send({ from: admin, to: root })
})

const open = (name: string, value = 60n * coin, from = alice) =>
  network.send({ from, to: zone.address, value, body: dnsOpenAuctionBody(name) })
const send = (from: AccountId, value: bigint, body?: ReturnType<typeof dnsRenewBody>) =>
  network.send({ from, to: domain, value, ...(body === undefined ? {} : { body }) })
/** Alice's, and the auction is over. */
function won() {
  open('alice')
  network.now += HOUR
  send(alice, coin / 10n, dnsRenewBody(1n))
}

function auction() {
  const info = network.get(domain, 'get_auction_info')
  const bidder = info.pop()
  return {
    bidder: bidder.type === 'slice' ? bidder.cell.beginParse().loadAddress().toRawString() : null,
    bid: info.readBigNumber(),
    endsAt: info.readNumber(),
  }
}
function ownerOf() {
  const data = network.get(domain, 'get_nft_data')
  data.skip(3)
  return data.readAddressOpt()?.toRawString() ?? null
}
const filledUp = () => network.get(domain, 'get_last_fill_up_time').readNumber()
const path = (text: string) => slice(beginCell().storeStringTail(text).endCell())
function resolve(at: AccountId, name: string, category: bigint) {
  const result = network.get(at, 'dnsresolve', [path(name), int(category)])
  const bits = result.readNumber()
  const record = result.readCellOpt()
  return { bits, record, hash: record?.hash().toString('hex') ?? null }
}
const number = (category: string) => BigInt(`0x${Buffer.from(dnsCategory(category)).toString('hex')}`)

describe('an auction', () => {
  test('default: opens with the first bid', () => {
    const events = open('alice')
    expect(events.map(({ on, failure }) => [on, failure])).toEqual([
      [raw(zone.address), null],
      [raw(domain), null],
    ])
    const { bid, ...rest } = auction()
    expect(rest).toEqual({ bidder: raw(alice), endsAt: genesisTime + HOUR })
    expect([bid > 59n * coin, bid < 60n * coin, ownerOf(), filledUp()]).toEqual([true, true, null, genesisTime])
    expect(network.get(domain, 'get_domain').readBuffer().toString()).toBe('alice')
  })

  test('default: a higher bid returns the one before and gives others time', () => {
    open('alice')
    network.now += HOUR - 10
    const before = auction().bid
    const events = send(bob, 70n * coin)
    expect(bodyOf(events, 0x557cea20)).toMatchObject({ to: raw(alice) })
    expect(carried(events, 0x557cea20)).toBe(before)
    expect(auction()).toEqual({ bidder: raw(bob), bid: 70n * coin, endsAt: network.now + HOUR })
  })

  test('error: a bid not five per cent higher', () => {
    open('alice')
    expect(stepsOf(send(bob, 61n * coin))).toEqual(['failed 407', 'bounced'])
    expect(auction().bidder).toBe(raw(alice))
  })

  test('default: ends by itself; what comes next makes the owner and pays the zone', () => {
    open('alice')
    expect(stepsOf(send(alice, coin, dnsRenewBody(1n)))).toEqual(['failed 410', 'bounced'])
    network.now += HOUR
    const before = network.balance(zone.address)
    const events = send(stranger, coin, nftStaticDataBody(5n))
    expect(stepsOf(events)).toEqual(['0x2fcb26a2', '0x370fec51', '0x8b771735'])
    expect([bodyOf(events, 0x370fec51).queryId, network.balance(zone.address) - before > 59n * coin]).toEqual([
      5n,
      true,
    ])
    expect([ownerOf(), auction()]).toEqual([raw(alice), { bidder: null, bid: 0n, endsAt: 0 }])
    expect(network.get(domain, 'get_editor').readAddress().toRawString()).toBe(raw(alice))
  })

  test('behavior: one whose winner never came is sold again, and its bid is paid once, to the zone', () => {
    open('alice')
    network.now += HOUR + YEAR
    const events = send(bob, 70n * coin, dnsReleaseBody(1n))
    expect(carried(events, 0x370fec51)).toBeGreaterThan(59n * coin)
    const released = events.filter(({ on }) => on === raw(alice))
    expect(carried(released, 0x4ed14b65)).toBeLessThan(coin)
    expect(auction()).toEqual({ bidder: raw(bob), bid: 70n * coin, endsAt: network.now + HOUR })
    expect(network.balance(domain)).toBeGreaterThan(69n * coin)
  })

  test('error: a bid that comes too late', () => {
    open('alice')
    network.now += HOUR
    expect(stepsOf(send(bob, 100n * coin))).toEqual(['failed 406', 'bounced'])
    expect(auction().bidder).toBe(raw(alice))
    expect(stepsOf(send(bob, coin, nftTransferBody({ queryId: 1n, to: bob, responseTo: bob })))).toEqual([
      'failed 401',
      'bounced',
    ])
  })

  test('behavior: an existing domain returns the TON of the account that opens it again', () => {
    open('alice')
    const events = open('alice', 90n * coin, bob)
    expect([bodyOf(events, 0xd53276db).to, carried(events, 0xd53276db) > 89n * coin]).toEqual([raw(bob), true])
    expect(auction().bidder).toBe(raw(alice))
  })

  test.each([
    ['four characters', 'abcd', 100n, null],
    ['four characters for the price of five', 'abcd', 99n, 204],
    ['ten characters', 'abcdefghij', 5n, null],
    ['a long one', 'a-very-long-name-0123456789', 1n, null],
    ['the longest one', 'x'.repeat(126), 1n, null],
    ['one too long', 'x'.repeat(127), 500n, 200],
    ['three characters', 'abc', 500n, 200],
    ['a capital letter', 'Abcde', 500n, 200],
    ['a dot', 'abc.de', 500n, 200],
    ['a hyphen at the beginning', '-abcde', 500n, 200],
    ['a hyphen at the end', 'abcde-', 500n, 200],
    ['letters of another alphabet', 'аррӏе', 500n, 200],
  ])('behavior: a name of %s', (_, name, price, failure) => {
    expect(open(name, price * coin)[0]?.failure).toBe(failure)
    expect(network.state(dnsDomain(zone.address, name).address) === null).toBe(failure !== null)
  })

  test('error: a domain no one opened', () => {
    expect(stepsOf(network.send({ from: stranger, to: dnsDomain(zone.address, 'alice'), value: coin }))).toEqual([
      'failed 405',
      'bounced',
    ])
    open('alice')
    expect(auction().bidder).toBe(raw(alice))
  })
})

describe('a domain', () => {
  const records: [string, ReturnType<typeof dnsAdnlRecord>][] = [
    ['wallet', dnsAccountRecord(bob)],
    ['site', dnsAdnlRecord(new Uint8Array(32).fill(0xad))],
    ['storage', dnsStorageRecord(new Uint8Array(32).fill(0x74))],
    ['dns_next_resolver', dnsResolverRecord(bob)],
    ['greeting', dnsTextRecord('hello '.repeat(60))],
  ]
  beforeEach(won)

  test('default: holds records of every kind', () => {
    for (const [category, record] of records) send(alice, coin / 10n, dnsChangeRecordBody(1n, category, record))
    for (const [category, record] of records)
      expect(resolve(domain, '\0', number(category))).toMatchObject({ bits: 8, hash: record.hashHex() })
    const all = resolve(domain, '\0', 0n)
    const dict = Dictionary.loadDirect(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell(), all.record)
    expect([all.bits, dict.size]).toEqual([8, 5])
    const data = network.get(domain, 'get_nft_data')
    data.skip(4)
    expect(data.readCell().beginParse().loadUint(8)).toBe(0)
  })

  test('default: a record is replaced, and removed', () => {
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'wallet', dnsAccountRecord(bob)))
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'wallet', dnsAccountRecord(alice)))
    expect(resolve(domain, '\0', number('wallet')).hash).toBe(dnsAccountRecord(alice).hashHex())
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'wallet', null))
    expect(resolve(domain, '\0', number('wallet'))).toMatchObject({ bits: 8, record: null })
    expect(resolve(domain, '\0', 0n)).toMatchObject({ bits: 8, record: null })
  })

  test('behavior: queried for what comes before it, it names its resolver', () => {
    expect(resolve(domain, '\0sub\0', number('wallet'))).toMatchObject({ bits: 8, record: null })
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'dns_next_resolver', dnsResolverRecord(bob)))
    expect(resolve(domain, '\0sub\0', number('wallet')).hash).toBe(dnsResolverRecord(bob).hashHex())
    expect(() => resolve(domain, 'sub\0', 0n)).toThrow('70')
  })

  test('error: a record by another account', () => {
    expect(stepsOf(send(bob, coin, dnsChangeRecordBody(1n, 'wallet', dnsAccountRecord(bob))))).toEqual([
      'failed 410',
      'bounced',
    ])
  })

  test('default: is transferred, and then obeys the new owner', () => {
    const body = nftTransferBody({ queryId: 1n, to: bob, responseTo: alice, forwardAmount: coin / 100n })
    expect(stepsOf(send(alice, coin, body))).toEqual(['0x5fcc3d14', '0x5138d91', '0xd53276db'])
    expect([ownerOf(), stepsOf(send(alice, coin, body))[0]]).toEqual([raw(bob), 'failed 401'])
  })

  test('behavior: the winner may transfer it at once', () => {
    const other = dnsDomain(zone.address, 'betty').address
    open('betty')
    network.now += HOUR
    const body = nftTransferBody({ queryId: 1n, to: bob, responseTo: alice })
    const events = network.send({ from: alice, to: other, value: coin, body })
    expect(stepsOf(events)).toEqual(['0x5fcc3d14', '0x370fec51', '0xd53276db'])
    expect(carried(events, 0x370fec51)).toBeGreaterThan(59n * coin)
  })

  test('default: coins, a renewal or a record of the owner keep it for another year', () => {
    network.now += YEAR - 1
    send(alice, coin / 100n)
    expect(filledUp()).toBe(network.now)
    network.now += 5
    send(alice, coin / 10n, dnsRenewBody(1n))
    expect(filledUp()).toBe(network.now)
    expect(stepsOf(send(bob, coin))).toEqual(['failed 406', 'bounced'])
  })

  test('default: one that was not renewed is sold again, and its last owner gets what was in it', () => {
    send(alice, 9n * coin)
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'wallet', dnsAccountRecord(alice)))
    network.now += YEAR
    expect(stepsOf(send(bob, 60n * coin, dnsReleaseBody(1n)))).toEqual(['failed 414', 'bounced'])
    network.now += 1
    expect(stepsOf(send(bob, 49n * coin, dnsReleaseBody(1n)))).toEqual(['failed 407', 'bounced'])
    const events = send(bob, 60n * coin, dnsReleaseBody(4n))
    const released = events.filter(({ op, on }) => op === 0x4ed14b65 && on === raw(alice))
    expect([released.length, carried(released, 0x4ed14b65) > 8n * coin]).toEqual([1, true])
    expect([ownerOf(), auction()]).toEqual([null, { bidder: raw(bob), bid: 60n * coin, endsAt: network.now + HOUR }])
    expect(resolve(domain, '\0', 0n).record).toBeNull()
    network.now += HOUR
    send(bob, coin / 10n, dnsRenewBody(1n))
    expect(ownerOf()).toBe(raw(bob))
  })

  test.each([
    ['an unknown operation', beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell()],
    ['a record without its category', beginCell().storeUint(0x4eb1f0f9, 32).storeUint(0, 64).endCell()],
  ])('error: %s', (_, body: Cell) => {
    expect(stepsOf(send(alice, coin, own(body)))[1]).toBe('bounced')
  })
})

describe('the search for a name', () => {
  test('default: leads from the root over the zone to the record', () => {
    won()
    send(alice, coin / 10n, dnsChangeRecordBody(1n, 'wallet', dnsAccountRecord(bob)))
    let at = root.address
    let rest = 'ton\0alice\0'
    for (let step = 0; step < 2; step++) {
      const { bits, record } = resolve(at, rest, number('wallet'))
      const next = record?.beginParse().skip(16).loadAddress()
      at = { workchain: next?.workChain ?? 0, hash: new Uint8Array(next?.hash ?? []) }
      rest = rest.slice(bits / 8)
    }
    expect([raw(at), rest]).toEqual([raw(domain), '\0'])
    expect(resolve(at, rest, number('wallet')).hash).toBe(dnsAccountRecord(bob).hashHex())
  })

  test('default: the zone answers with and without a zero in front, and as a collection', () => {
    const next = dnsResolverRecord(domain).hashHex()
    expect(resolve(zone.address, 'alice\0', 0n)).toMatchObject({ bits: 40, hash: next })
    expect(resolve(zone.address, 'alice\0sub\0', 0n)).toMatchObject({ bits: 40, hash: next })
    expect(resolve(zone.address, '\0alice\0', 0n)).toMatchObject({ bits: 48, hash: next })
    expect(resolve(zone.address, '\0', 0n)).toMatchObject({ bits: 8, record: null })
    const found = network.get(zone.address, 'get_nft_address_by_index', [int(domainIndex('alice'))]).readAddress()
    expect(found.toRawString()).toBe(raw(domain))
    const data = network.get(zone.address, 'get_collection_data')
    expect([data.readNumber(), data.readCell().equals(core(content)), data.readAddressOpt()]).toEqual([-1, true, null])
    expect(domainIndex('alice')).toBe(38930916800118655128984401856443062677799436388671332167772672007419684920584n)
  })

  test('behavior: the root knows the zones its owner names, and no other', () => {
    expect(resolve(root.address, 'com\0google\0', 0n)).toMatchObject({ bits: 0, record: null })
    expect(resolve(root.address, '\0ton\0', 0n).bits).toBe(32)
    const change = dnsChangeRecordBody(1n, 'com', dnsResolverRecord(stranger))
    expect(stepsOf(network.send({ from: stranger, to: root.address, body: change }))).toEqual(['failed 401', 'bounced'])
    network.send({ from: admin, to: root.address, body: change })
    expect(resolve(root.address, 'com\0google\0', 0n).hash).toBe(dnsResolverRecord(stranger).hashHex())
    network.send({ from: admin, to: root.address, body: dnsChangeRecordBody(1n, 'com', null) })
    expect(resolve(root.address, 'com\0', 0n).bits).toBe(0)
    expect(network.get(root.address, 'get_owner').readAddress().equals(coreAddress(admin))).toBe(true)
  })

  test('error: half a byte', () => {
    for (const at of [root.address, zone.address])
      expect(() => network.get(at, 'dnsresolve', [slice(beginCell().storeUint(1, 4).endCell()), int(0)])).toThrow('70')
  })
})
