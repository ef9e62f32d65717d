// Items that are listed, bid for, sold and taken back, in flows made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import type { AccountFacts, SaleFacts } from '../../../server/actions/index.ts'
import { beginCell, type Cell, writeBoc } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, comment, known, op, type Step, typesOf } from './madeFlows.ts'

const SELLER = account('1')
const BUYER = account('2')
const BUYER_2 = account('3')
const ITEM = account('4')
const SALE = account('5')
const LISTER = account('6')
const COLLECTION = account('7')
const GETGEMS = '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18'
const NUMBERS = '0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2'

const item = (facts: Partial<NonNullable<AccountFacts['nftItem']>> = {}, others: Partial<AccountFacts> = {}) =>
  known({ nftItem: { index: 7n, collection: COLLECTION, owner: SELLER, content: null, ...facts }, ...others })
const terms: SaleFacts = { nft: ITEM, nftOwner: SELLER, marketplace: GETGEMS, price: 500n }
const ON_SALE = { [ITEM]: item(), [SALE]: known({ sale: terms }) }
const ON_AUCTION = { [ITEM]: item(), [SALE]: known({ auction: terms }) }

const assigned = (from: string, to: string): Step => ({
  from: ITEM,
  to,
  body: address(call(0x05138d91), from).storeBit(false).end(),
})

/** The item goes from one to another, who gets a notice. */
function given(from: string, to: string, leads: readonly Step[] = []): Step {
  const body = address(address(call(0x5fcc3d14), to), from)
    .storeBit(false)
    .storeVarUint(1n, 16)
    .storeBit(false)
    .end()
  return { from, to: ITEM, body, leads: [{ ...assigned(from, to), leads }] }
}

const stateInit = (data: Cell): Uint8Array =>
  writeBoc(beginCell().storeUint(0b00110, 5).storeRef(beginCell().storeUint(1, 8).end()).storeRef(data).end())

describe('an item is put up', () => {
  const listed = (data: Cell, facts: Readonly<Record<string, AccountFacts>>) => {
    const deployed: Step = { from: LISTER, to: SALE, begins: true, init: stateInit(data), body: op(1).end() }
    const [handover, ...rest] = [given(LISTER, SALE)]
    expect(rest).toEqual([])
    const first = given(SELLER, LISTER)
    const notice = first.leads?.[0]
    // Both the deployment and the item go out when the lister hears of the item.
    return actionsOf({ ...first, leads: [{ ...notice, leads: [deployed, handover] } as Step] }, facts)
  }

  test('for a price', () => {
    const fees = address(address(beginCell(), GETGEMS), SELLER).storeUint(5, 17).storeUint(6, 17).end()
    const head = address(address(beginCell().storeBit(false), GETGEMS), SELLER).storeCoins(900n)
    const actions = listed(head.storeUint(0, 96).storeRef(fees).end(), ON_SALE)
    expect(typesOf(actions)).toEqual([
      'nft_put_on_sale',
      'nft_put_on_sale/nft_transfer',
      'nft_put_on_sale/call_contract',
      'nft_put_on_sale/nft_transfer',
      'contract_deploy',
    ])
    expect(actions[0]).toMatchObject({
      details: {
        nft_collection: COLLECTION,
        nft_item: ITEM,
        nft_item_index: '7',
        owner: SELLER,
        listing_address: LISTER,
        sale_address: SALE,
        marketplace_address: null,
        full_price: '900',
        marketplace: 'getgems',
        marketplace_fee: null,
        royalty_amount: null,
        marketplace_fee_address: GETGEMS,
        royalty_address: SELLER,
      },
    })
  })

  test('for a price, by a contract of unknown code: what it says of itself counts', () => {
    const shares = { marketplaceFee: 5n, feeAddress: LISTER, royalty: 6n, royaltyAddress: SELLER }
    const facts = { ...ON_SALE, [SALE]: known({ sale: { ...terms, shares } }) }
    expect(listed(beginCell().storeBytes(Buffer.alloc(75)).end(), facts)[0]?.details).toMatchObject({
      full_price: '500',
      marketplace_fee: '5',
      royalty_amount: '6',
      marketplace_fee_address: LISTER,
      royalty_address: SELLER,
    })
    // Where the layout is seen to be the usual one, the price is that of the beginning.
    const head = address(beginCell().storeUint(0, 33), GETGEMS)
    const fees = address(address(beginCell(), LISTER).storeCoins(7n), SELLER).storeCoins(8n).end()
    const usual = address(address(head, ITEM), SELLER).storeCoins(900n).storeRef(fees).end()
    expect(listed(usual, facts)[0]?.details).toMatchObject({ full_price: '900', marketplace_fee: '7' })
  })

  test('in an auction', () => {
    const state = address(beginCell().storeUint(0, 2), BUYER).storeCoins(0n).storeUint(0, 64)
    const owned = address(state, SELLER).storeUint(0, 64)
    const parts = owned.storeUint(5, 32).storeUint(100, 32).storeUint(6, 32).storeUint(200, 32)
    const ends = address(address(beginCell(), GETGEMS), SELLER).end()
    const bids = address(beginCell(), GETGEMS).storeCoins(10n).storeCoins(99n).end()
    const actions = listed(parts.storeRef(ends).storeRef(bids).end(), ON_AUCTION)
    expect(typesOf(actions)[0]).toBe('nft_put_on_auction')
    expect(actions[0]?.details).toEqual({
      nft_collection: COLLECTION,
      nft_item: ITEM,
      nft_item_index: '7',
      owner: SELLER,
      listing_address: LISTER,
      auction_address: SALE,
      marketplace_address: null,
      marketplace: 'getgems',
      max_bid: '99',
      min_bid: '10',
      marketplace_fee_factor: '5',
      marketplace_fee_base: '100',
      royalty_fee_base: '200',
      marketplace_fee_address: GETGEMS,
      royalty_address: SELLER,
    })
  })

  test('at a price that is changed', () => {
    const body = call(0x6c6c2080).storeCoins(800n).storeCoins(40n).storeCoins(8n).end()
    const [action, ...others] = actionsOf({ from: SELLER, to: SALE, body }, ON_SALE)
    expect(others.map(({ ancestorTypes }) => ancestorTypes)).toEqual([['nft_update_sale']])
    expect(action).toMatchObject({
      type: 'nft_update_sale',
      details: {
        source: SELLER,
        sale_contract: SALE,
        nft_address: ITEM,
        marketplace_address: GETGEMS,
        marketplace: 'getgems',
        full_price: '800',
        marketplace_fee: '40',
        royalty_amount: '8',
      },
    })
    expect(action?.accounts).toContain(ITEM)
    expect(actionsOf({ from: BUYER, to: SALE, body, aborted: true }, ON_SALE)[0]).toMatchObject({ success: false })
  })
})

describe('an item is sold', () => {
  const bought = (facts: SaleFacts) => {
    const payment: Step = { from: SALE, to: SELLER, value: 400n }
    const buy: Step = { from: BUYER, to: SALE, value: 600n, leads: [payment, given(SALE, BUYER)] }
    return actionsOf(buy, { ...ON_SALE, [SALE]: known({ sale: facts }) })
  }

  test('on Getgems: the transfer and what the seller got are one purchase', () => {
    const actions = bought(terms)
    expect(typesOf(actions)).toEqual(['nft_purchase', 'nft_purchase/nft_transfer', 'nft_purchase/ton_transfer'])
    const common = { nft_item: ITEM, nft_item_index: '7', old_owner: SALE, new_owner: BUYER, is_purchase: true }
    expect(actions[0]?.details).toMatchObject({
      ...common,
      price: '500',
      marketplace: 'getgems',
      marketplace_address: GETGEMS,
      real_old_owner: SELLER,
      payout_address: SELLER,
      payout_amount: '400',
      royalty_amount: null,
    })
    expect(actions[1]?.details).toMatchObject(common)
    expect(actions[1]?.parentActionId).toBe(actions[0]?.actionId)
  })

  test('elsewhere: the payment stands for itself', () => {
    const actions = bought({ ...terms, marketplace: LISTER })
    expect(typesOf(actions).sort()).toEqual(['nft_transfer', 'ton_transfer'])
    expect(actions.find(({ type }) => type === 'nft_transfer')?.details).toMatchObject({
      is_purchase: true,
      price: '500',
      marketplace: null,
      marketplace_address: LISTER,
    })
  })

  test('and taken back', () => {
    const actions = actionsOf({ from: SELLER, to: SALE, body: op(3).end(), leads: [given(SALE, SELLER)] }, ON_SALE)
    expect(typesOf(actions)[0]).toBe('nft_cancel_sale')
    expect(actions[0]).toMatchObject({
      details: { owner: SELLER, nft_item: ITEM, sale_address: SALE, marketplace_address: GETGEMS },
      accounts: expect.arrayContaining([ITEM, SALE, SELLER]),
    })
    expect(typesOf(actionsOf({ from: SELLER, to: SALE, body: op(3).end() }, ON_SALE))).toEqual(['call_contract'])
    const kept = { ...given(SALE, SELLER), aborted: true, leads: [] }
    expect(typesOf(actionsOf({ from: SELLER, to: SALE, body: op(3).end(), leads: [kept] }, ON_SALE))).toEqual([
      'nft_cancel_sale failed',
      'nft_cancel_sale/call_contract',
      'nft_transfer failed',
    ])
  })
})

describe('auctions', () => {
  const bid = (leads: readonly Step[] = [], body?: Cell): Step => ({
    from: BUYER,
    to: SALE,
    value: 600n,
    leads,
    ...(body === undefined ? {} : { body }),
  })

  test('a bid, and one that outbids another', () => {
    const [action] = actionsOf(bid(), ON_AUCTION)
    expect(action).toMatchObject({ type: 'auction_bid', accounts: expect.arrayContaining([ITEM]) })
    expect(action?.details).toEqual({
      amount: '600',
      bidder: BUYER,
      auction: SALE,
      nft_item: ITEM,
      nft_collection: COLLECTION,
      nft_item_index: '7',
    })
    const words = comment('Your bid has been outbid by another user.')
    const refund: Step = { from: SALE, to: BUYER_2, value: 450n, body: words }
    const actions = actionsOf(bid([refund]), ON_AUCTION)
    expect(typesOf(actions)).toEqual(['auction_bid', 'auction_outbid', 'auction_outbid/ton_transfer'])
    expect(actions[1]?.details).toMatchObject({
      auction_address: SALE,
      bidder: BUYER_2,
      new_bidder: BUYER,
      nft_item: ITEM,
      marketplace: 'getgems',
    })
    expect(typesOf(actionsOf(bid([{ ...refund, aborted: true }]), ON_AUCTION))[1]).toBe('auction_outbid failed')
  })

  test.each([
    ['cancel', comment('cancel'), 'nft_cancel_auction'],
    ['a call that cancels', op(0x5616c572).end(), 'nft_cancel_auction'],
    ['finish', comment('finish'), 'nft_finish_auction'],
    ['stop', comment('stop'), 'nft_finish_auction'],
    ['a call that finishes', op(0xb95616b6).end(), 'nft_finish_auction'],
    ['another one', op(0x20c9eb18).end(), 'nft_finish_auction'],
  ])('%s: without a winner the item goes back', (_, body, type) => {
    const actions = actionsOf({ from: SELLER, to: SALE, body, leads: [given(SALE, SELLER)] }, ON_AUCTION)
    expect(typesOf(actions)[0]).toBe(type)
    expect(actions[0]).toMatchObject({
      details: { owner: SELLER, nft_item: ITEM, auction_address: SALE, marketplace: 'getgems' },
      accounts: expect.arrayContaining([ITEM]),
    })
  })

  test('one that is finished with a winner comes with the purchase', () => {
    const payment: Step = { from: SALE, to: SELLER, value: 480n }
    const royalty: Step = { from: SALE, to: SELLER, value: 15n }
    const leads = [royalty, payment, given(SALE, BUYER)]
    const actions = actionsOf({ from: SELLER, to: SALE, body: comment('finish'), leads }, ON_AUCTION)
    expect(actions[0]).toMatchObject({ type: 'nft_finish_auction', details: { owner: BUYER } })
    const purchase = actions.find(({ type }) => type === 'nft_purchase')
    expect(purchase?.ancestorTypes).toEqual([])
    expect(purchase?.details).toMatchObject({ new_owner: BUYER, price: '500', payout_amount: '480' })
  })

  test('numbers and names of Fragment are auctions themselves', () => {
    const facts = {
      [ITEM]: item({ collection: NUMBERS, content: { uri: 'https://nft.fragment.com/number/7.json' } }),
    }
    const config = address(beginCell(), SELLER).storeCoins(10n).storeCoins(90n).storeUint(0, 72).end()
    const ok: Step = { from: ITEM, to: SELLER, body: call(0xa37a0983).end() }
    const start: Step = { from: SELLER, to: ITEM, body: call(0x487a8e81).storeRef(config).end(), leads: [ok] }
    const begun = actionsOf(start, facts)
    expect(typesOf(begun)).toEqual([
      'teleitem_start_auction',
      'teleitem_start_auction/call_contract',
      'teleitem_start_auction/call_contract',
    ])
    expect(begun[0]?.details).toMatchObject({
      owner: SELLER,
      nft_item: ITEM,
      auction_address: ITEM,
      marketplace: 'fragment',
      min_bid: '10',
      max_bid: '90',
      marketplace_fee_factor: '0',
      marketplace_fee_base: '0',
      marketplace_fee_address: SELLER,
    })
    const [called] = actionsOf({ from: SELLER, to: ITEM, body: call(0x371638ae).end(), leads: [ok] }, facts)
    expect(called).toMatchObject({
      type: 'teleitem_cancel_auction',
      success: true,
      details: { owner: SELLER, auction_address: ITEM, marketplace: 'fragment' },
    })
    expect(actionsOf({ from: BUYER, to: ITEM, value: 9n }, facts)[0]).toMatchObject({
      type: 'auction_bid',
      details: { auction: ITEM, nft_item: ITEM, amount: '9' },
    })
    const info = op(0x38127de1).storeCoins(77n).storeUint(0, 32).end()
    const won = address(call(0x05138d91), SELLER).storeBit(true).storeRef(info).end()
    const payout = (value: bigint): Step => ({
      from: ITEM,
      to: value === 3n ? COLLECTION : SELLER,
      body: call(0x370fec51).end(),
      value,
    })
    const settled = actionsOf(
      { from: BUYER_2, to: ITEM, leads: [payout(3n), payout(70n), { from: ITEM, to: BUYER, body: won }] },
      facts,
    )
    expect(settled[0]).toMatchObject({
      type: 'nft_transfer',
      details: {
        is_purchase: true,
        price: '77',
        new_owner: BUYER,
        old_owner: SELLER,
        marketplace: 'fragment',
        payout_amount: '70',
        payout_address: SELLER,
        royalty_amount: '3',
        royalty_address: COLLECTION,
      },
    })
  })

  test('one that is over gives the item to its winner within the transfer by the winner', () => {
    const info = op(0x38127de1).storeCoins(77n).storeUint(0, 32).end()
    const won = address(call(0x05138d91), SELLER).storeBit(true).storeRef(info).end()
    const paid: Step = { from: ITEM, to: SELLER, body: call(0x370fec51).end(), value: 77n }
    const transfer = given(BUYER, BUYER_2)
    const leads = [{ from: ITEM, to: BUYER, body: won }, paid, ...(transfer.leads ?? [])]
    const facts = { [ITEM]: item({ collection: NUMBERS }) }
    const moves = (steps: readonly Step[]) =>
      actionsOf({ ...transfer, leads: steps }, facts).flatMap(({ type, details }) =>
        type === 'nft_transfer' ? [[details.old_owner, details.new_owner, details.price ?? null]] : [],
      )
    const both = [
      [BUYER, BUYER_2, null],
      [SELLER, BUYER, '77'],
    ]
    expect(moves(leads)).toEqual(expect.arrayContaining(both))
    // Without a notice of its own, too.
    expect(moves(leads.slice(0, 2))).toEqual(expect.arrayContaining(both))
  })

  test('two winners of one item, by a message from outside, are two transfers', () => {
    const info = op(0x38127de1).storeCoins(77n).storeUint(0, 32).end()
    const won = address(call(0x05138d91), SELLER).storeBit(true).storeRef(info).end()
    const paid: Step = { from: ITEM, to: SELLER, body: call(0x370fec51).end(), value: 77n }
    const leads = [paid, { from: ITEM, to: BUYER, body: won }, { from: ITEM, to: BUYER_2, body: won }]
    const actions = actionsOf({ from: null, to: ITEM, body: call(1).end(), leads }, { [ITEM]: item() })
    expect(actions.map(({ type, details }) => [type, details.new_owner])).toEqual([
      ['nft_transfer', BUYER],
      ['nft_transfer', BUYER_2],
    ])
  })

  test('one that is the item itself, passed on again and again, is as many transfers', () => {
    const [{ body }] = [given(ITEM, BUYER)]
    const again = (leads: readonly Step[]): Step => ({
      from: ITEM,
      to: ITEM,
      leads,
      ...(body !== undefined && { body }),
    })
    const flow = { ...again([again([again([])])]), from: SELLER }
    const facts = { [ITEM]: item({}, { auction: { ...terms, price: 1n } }) }
    expect(typesOf(actionsOf(flow, facts))).toEqual(['nft_transfer', 'nft_transfer', 'nft_transfer'])
  })

  test('an item is queried for its data', () => {
    const report = address(call(0x8b771735).storeUint(7n, 256), COLLECTION).end()
    const ask: Step = { from: BUYER, to: ITEM, body: call(0x2fcb26a2).end() }
    const asked: Step = { ...ask, leads: [{ from: ITEM, to: BUYER, body: report }] }
    const details = { source: BUYER, nft_item: ITEM, nft_collection: COLLECTION, nft_item_index: '7' }
    expect(actionsOf(asked, { [ITEM]: item({}) })[0]).toMatchObject({ type: 'nft_discovery', details })
    expect(typesOf(actionsOf(ask))).toEqual(['call_contract'])
    // A stranger may name any collection: those that do not know the item are not shown.
    const named = { ...details, nft_collection: null }
    expect(actionsOf(asked)[0]).toMatchObject({ type: 'nft_discovery', details: named })
    const ofAnother = known({ nftItem: { index: 7n, collection: BUYER, owner: null, content: null } })
    expect(actionsOf(asked, { [ITEM]: ofAnother })[0]).toMatchObject({ type: 'nft_discovery', details: named })
  })
})
