import { beginCell, Cell } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  linkPart,
  nftChangeContentBody,
  nftChangeOwnerBody,
  nftCollectionInit,
  nftItemInit,
  nftMintBatchBody,
  nftMintBody,
  nftRoyaltyBody,
  nftStaticDataBody,
  nftTransferBody,
  offChainContent,
  onChainContent,
  singleNft,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, own, startTvm } from '../../devchain/actor.ts'
import {
  bodyOf,
  carried,
  coin,
  coreAddress,
  int,
  Network,
  person,
  raw,
  stepsOf,
} from '../../devchain/contracts/network.ts'

const owner = person(1)
const alice = person(2)
const bob = person(3)
const stranger = person(9)
const royalty = { numerator: 5, denominator: 100, destination: owner }
const parts = { content: offChainContent('https://nft.test/collection.json'), commonLink: 'https://nft.test/', royalty }
const collection = nftCollectionInit({ owner, ...parts })
const item = (index: bigint) => nftItemInit(collection.address, index).address
const fresh = { owner: alice, content: linkPart('0.json'), value: coin / 20n }

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: owner, to: collection })
})

const mint = (index: bigint, { from = owner, value = coin / 5n, content = fresh.content } = {}) =>
  network.send({ from, to: collection.address, value, body: nftMintBody(8n, index, { ...fresh, content }) })
const ownerOf = (index: bigint) => {
  const data = network.get(item(index), 'get_nft_data')
  data.skip(3)
  return data.readAddress().toRawString()
}
const nextIndex = () => network.get(collection.address, 'get_collection_data').readNumber()

describe('minting', () => {
  test('default: one item, and what is left of the value returns', () => {
    const events = mint(0n)
    expect(events.map(({ on }) => on)).toEqual([raw(collection.address), raw(item(0n)), raw(owner)])
    expect(carried(events, 0xd53276db)).toBeGreaterThan(coin / 10n)
    const data = network.get(item(0n), 'get_nft_data')
    expect([data.readBoolean(), data.readNumber(), data.readAddress().toRawString()]).toEqual([
      true,
      0,
      raw(collection.address),
    ])
    expect([data.readAddress().toRawString(), data.readCell().equals(core(fresh.content))]).toEqual([raw(alice), true])
    expect([nextIndex(), network.balance(item(0n)) >= fresh.value - coin / 1000n]).toEqual([1, true])
    const address = network.get(collection.address, 'get_nft_address_by_index', [int(0)]).readAddress()
    expect(address.toRawString()).toBe(raw(item(0n)))
  })

  test('default: a hundred at once', () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ ...fresh, content: linkPart(`${index}.json`) }))
    const body = nftMintBatchBody(1n, 0n, items)
    const events = network.send({ from: owner, to: collection.address, value: 7n * coin, body })
    expect(events.filter(({ failure }) => failure !== null)).toEqual([])
    expect([nextIndex(), ownerOf(0n), ownerOf(99n)]).toEqual([100, raw(alice), raw(alice)])
  })

  test('error: by another account, with a gap, of too little value', () => {
    expect(stepsOf(mint(0n, { from: stranger }))).toEqual(['failed 401', 'bounced'])
    expect(stepsOf(mint(1n))).toEqual(['failed 402', 'bounced'])
    expect(stepsOf(mint(0n, { value: coin / 20n }))).toEqual(['failed 37', 'bounced'])
    const batch = nftMintBatchBody(1n, 0n, [fresh, fresh, fresh])
    const short = network.send({ from: owner, to: collection.address, value: coin / 8n, body: batch })
    expect(stepsOf(short)).toEqual(['failed 37', 'bounced'])
    expect([nextIndex(), network.state(item(0n))]).toEqual([0, null])
  })

  test('error: a batch of none, or of more than a transaction can send', () => {
    expect(() => nftMintBatchBody(1n, 0n, [])).toThrow(RangeError)
    expect(() => nftMintBatchBody(1n, 0n, Array(251).fill(fresh))).toThrow(RangeError)
  })

  test('behavior: an item that is there is not made again, and its TON come back', () => {
    mint(0n)
    const before = network.balance(collection.address)
    const events = mint(0n, { content: linkPart('forged.json') })
    expect(stepsOf(events)).toEqual(['0x1', 'failed 65535', '0xd53276db', 'bounced'])
    expect(network.balance(collection.address)).toBeGreaterThan(before)
    const data = network.get(item(0n), 'get_nft_data')
    data.skip(4)
    expect(data.readCell().equals(core(fresh.content))).toBe(true)
  })

  test('error: an item made by another account belongs to an address without a contract until its collection names the owner', () => {
    const body = beginCell().storeAddress(coreAddress(stranger)).storeRef(Cell.EMPTY).endCell()
    const events = network.send({ from: stranger, to: nftItemInit(collection.address, 0n), body })
    expect(stepsOf(events)).toEqual(['failed 405', 'bounced'])
    const data = network.get(item(0n), 'get_nft_data')
    expect([data.readBoolean(), data.readNumber()]).toEqual([false, 0])
    mint(0n)
    expect(ownerOf(0n)).toBe(raw(alice))
  })
})

describe('the collection', () => {
  const ask = (from: AccountId, body: ReturnType<typeof nftRoyaltyBody>) =>
    stepsOf(network.send({ from, to: collection.address, body }))[0]
  const content = (individual: Cell) =>
    network.get(collection.address, 'get_nft_content', [int(0), { type: 'cell', cell: individual }]).readCell()

  test('default: what it says of itself', () => {
    const data = network.get(collection.address, 'get_collection_data')
    expect([data.readNumber(), data.readCell().equals(core(parts.content))]).toEqual([0, true])
    expect(data.readAddress().toRawString()).toBe(raw(owner))
    const share = network.get(collection.address, 'royalty_params')
    expect([share.readNumber(), share.readNumber(), share.readAddress().toRawString()]).toEqual([5, 100, raw(owner)])
  })

  test('default: links are put together, complete content stays', () => {
    expect(
      content(core(linkPart('7.json')))
        .beginParse()
        .skip(8)
        .loadStringTail(),
    ).toBe('https://nft.test/7.json')
    const complete = core(onChainContent({ name: 'Seven' }))
    expect(content(complete).equals(complete)).toBe(true)
  })

  test('default: any caller gets the royalty', () => {
    const events = network.send({ from: stranger, to: collection.address, body: nftRoyaltyBody(4n) })
    const { queryId, body, to } = bodyOf(events, 0xa8cb00ad)
    expect([queryId, body.loadUint(16), body.loadUint(16), to]).toEqual([4n, 5, 100, raw(stranger)])
    expect([body.loadAddress().toRawString(), carried(events, 0xa8cb00ad) > (coin * 9n) / 10n]).toEqual([
      raw(owner),
      true,
    ])
  })

  test('behavior: another owner, other content', () => {
    const next = { content: offChainContent('https://nft.test/next.json'), commonLink: 'ipfs://', royalty }
    expect(ask(stranger, nftChangeOwnerBody(1n, stranger))).toBe('failed 401')
    expect(ask(stranger, nftChangeContentBody(1n, next))).toBe('failed 401')
    ask(owner, nftChangeOwnerBody(1n, alice))
    expect(ask(owner, nftChangeContentBody(1n, next))).toBe('failed 401')
    ask(alice, nftChangeContentBody(1n, next))
    expect(
      content(core(linkPart('7')))
        .beginParse()
        .skip(8)
        .loadStringTail(),
    ).toBe('ipfs://7')
    mint(0n, { from: alice })
    expect(ownerOf(0n)).toBe(raw(alice))
  })

  test('error: a share of all or more, and content that cannot be read', () => {
    const whole = { ...parts, royalty: { ...royalty, numerator: 100 } }
    expect(ask(owner, nftChangeContentBody(1n, whole))).toBe('failed 708')
    const empty = beginCell().storeUint(4, 32).storeUint(1, 64).storeRef(Cell.EMPTY).storeRef(Cell.EMPTY).endCell()
    expect(ask(owner, own(empty))).toBe('failed 9')
    expect(
      content(core(linkPart('7')))
        .beginParse()
        .skip(8)
        .loadStringTail(),
    ).toBe('https://nft.test/7')
  })
})

describe('an item', () => {
  const transferOf = (more: Partial<Parameters<typeof nftTransferBody>[0]> = {}) =>
    nftTransferBody({ queryId: 5n, to: bob, responseTo: alice, ...more })
  const transfer = (more: Partial<Parameters<typeof nftTransferBody>[0]> = {}, value = coin / 5n) =>
    network.send({ from: alice, to: item(0n), value, body: transferOf(more) })
  beforeEach(() => {
    mint(0n)
  })

  test('default: goes to another owner, who is notified', () => {
    const cell = commentBody('for you')
    const events = transfer({ forwardAmount: coin / 20n, forwardPayload: { form: 'reference', cell } })
    expect(stepsOf(events)).toEqual(['0x5fcc3d14', '0x5138d91', '0xd53276db'])
    const { queryId, body, to } = bodyOf(events, 0x05138d91)
    expect([queryId, to, body.loadAddress().toRawString(), body.loadBit()]).toEqual([5n, raw(bob), raw(alice), true])
    expect([body.loadRef().equals(core(cell)), carried(events, 0x05138d91)]).toEqual([true, coin / 20n])
    expect([ownerOf(0n), carried(events, 0xd53276db) > coin / 8n]).toEqual([raw(bob), true])
    expect(stepsOf(transfer())).toEqual(['failed 401', 'bounced'])
  })

  test('behavior: in silence, and without an answer', () => {
    expect(stepsOf(transfer({ responseTo: null }))).toEqual(['0x5fcc3d14'])
    expect(ownerOf(0n)).toBe(raw(bob))
  })

  test('error: by another account, to the masterchain, for too little value', () => {
    expect(stepsOf(network.send({ from: bob, to: item(0n), body: transferOf() }))).toEqual(['failed 401', 'bounced'])
    expect(stepsOf(network.send({ from: owner, to: item(0n), body: transferOf() }))).toEqual(['failed 401', 'bounced'])
    expect(stepsOf(transfer({ to: person(3, -1) }))).toEqual(['failed 333', 'bounced'])
    expect(stepsOf(transfer({ forwardAmount: coin / 5n }))).toEqual(['failed 37', 'bounced'])
    expect(ownerOf(0n)).toBe(raw(alice))
  })

  test('error: bodies cut short', () => {
    const whole = core(transferOf())
    for (const bits of [16, 32, 80, 120, 400, whole.bits.length - 1]) {
      const body = beginCell().storeBits(whole.bits.substring(0, bits)).endCell()
      expect(stepsOf(network.send({ from: alice, to: item(0n), body }))[1]).toBe('bounced')
    }
    expect(ownerOf(0n)).toBe(raw(alice))
  })

  test('default: says who it is', () => {
    const { queryId, body, to } = bodyOf(
      network.send({ from: stranger, to: item(0n), body: nftStaticDataBody(3n) }),
      0x8b771735,
    )
    expect([queryId, body.loadUintBig(256), body.loadAddress().toRawString(), to]).toEqual([
      3n,
      0n,
      raw(collection.address),
      raw(stranger),
    ])
  })

  test('behavior: one without a collection', () => {
    const single = singleNft(77n, alice, onChainContent({ name: 'Alone' }))
    network.send({ from: alice, to: single })
    const now = () => network.get(single.address, 'get_nft_data')
    const data = now()
    expect([data.readBoolean(), data.readNumber(), data.readAddressOpt()]).toEqual([true, 77, null])
    network.send({ from: alice, to: single.address, body: transferOf() })
    const after = now()
    after.skip(3)
    expect(after.readAddress().toRawString()).toBe(raw(bob))
  })
})
