// Names that change, are bought and are given up, in flows made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import type { AccountFacts } from '../../../server/actions/index.ts'
import { type Builder, beginCell, type Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, known, op, type Step, typesOf } from './madeFlows.ts'

const SELLER = account('1')
const BUYER = account('2')
const BUYER_2 = account('3')
const ITEM = account('4')
const COLLECTION = account('7')

const item = (facts: Partial<NonNullable<AccountFacts['nftItem']>> = {}, others: Partial<AccountFacts> = {}) =>
  known({ nftItem: { index: 7n, collection: COLLECTION, owner: SELLER, content: null, ...facts }, ...others })

describe('names', () => {
  const NAME = { [ITEM]: item({}, { domain: 'shop.ton' }) }
  const change = (key: bigint, record?: Builder): Cell => {
    const body = call(0x4eb1f0f9).storeUint(key, 256)
    return (record === undefined ? body : body.storeRef(record.end())).end()
  }
  const changed = (key: bigint, record?: Builder) =>
    actionsOf({ from: SELLER, to: ITEM, body: change(key, record) }, NAME)
  const who = { source: SELLER, asset: ITEM, nft_collection: COLLECTION }
  const none = {
    dns_smc_address: null,
    dns_adnl_address: null,
    dns_text: null,
    dns_next_resolver_address: null,
    dns_storage_address: null,
    flags: null,
  }
  const bits = Buffer.alloc(32, 9)
  const tag = (value: number) => beginCell().storeUint(value, 16)
  const words = Buffer.from('hello')

  test.each([
    [
      'a wallet',
      address(tag(0x9fd3), BUYER).storeUint(1, 8),
      { sum_type: 'DNSSmcAddress', dns_smc_address: BUYER, flags: 1 },
    ],
    ['a resolver', address(tag(0xba93), BUYER), { sum_type: 'DNSNextResolver', dns_next_resolver_address: BUYER }],
    [
      'a site',
      tag(0xad01).storeBytes(bits).storeUint(0, 8),
      { sum_type: 'DNSAdnlAddress', dns_adnl_address: bits.toString('hex'), flags: 0 },
    ],
    [
      'storage',
      tag(0x7473).storeBytes(bits),
      { sum_type: 'DNSStorageAddress', dns_storage_address: bits.toString('hex') },
    ],
    ['text', tag(0x1eda).storeUint(1, 8).storeUint(5, 8).storeBytes(words), { sum_type: 'DNSText', dns_text: 'hello' }],
    ['something else', tag(0x1234), { sum_type: 'Unknown' }],
  ])('lead to %s', (_, record, value) => {
    expect(changed(0xabcn, record)).toMatchObject([
      { type: 'change_dns', details: { key: 'abc'.padStart(64, '0'), value: { ...none, ...value }, ...who } },
    ])
  })

  test('lose a record, or are kept for another year', () => {
    expect(changed(0xabcn)).toMatchObject([{ type: 'delete_dns', details: { hash: 'abc'.padStart(64, '0'), ...who } }])
    expect(changed(0n)).toMatchObject([{ type: 'renew_dns', details: who }])
    const back: Step = { from: ITEM, to: SELLER, body: op(0xffffffff).end() }
    const failed = actionsOf({ from: SELLER, to: ITEM, body: change(0n), aborted: true, leads: [back] }, NAME)
    expect(typesOf(failed)).toEqual(['renew_dns failed'])
    // In the new form of a bounce; without the flag of one it is a message like any other.
    const whole: Step = { ...back, body: op(0xfffffffe).end() }
    const order: Step = { from: SELLER, to: ITEM, body: change(0n), aborted: true }
    expect(typesOf(actionsOf({ ...order, leads: [{ ...whole, bounced: true }] }, NAME))).toEqual(['renew_dns failed'])
    expect(typesOf(actionsOf({ ...order, leads: [whole] }, NAME))).toEqual(['renew_dns failed', 'call_contract'])
  })

  test('are changed where records are kept: to anything else the same request is a call', () => {
    const order: Step = { from: SELLER, to: ITEM, body: change(0xabcn, tag(0x1eda)) }
    const typeAmong = (facts: Parameters<typeof actionsOf>[1]) => typesOf(actionsOf(order, facts))
    expect(typeAmong({})).toEqual(['call_contract'])
    expect(typeAmong({ [ITEM]: item() })).toEqual(['call_contract'])
    expect(typeAmong({ [ITEM]: item({}, { interfaces: ['dns', 'nft_item'] }) })).toEqual(['change_dns'])
    expect(typeAmong({ [ITEM]: known({ interfaces: ['dns'] }) })).toEqual(['change_dns'])
  })

  test('are bid for, won by the account that asks for something, and released', () => {
    const refund: Step = { from: ITEM, to: BUYER_2, body: call(0x557cea20).end(), value: 5n }
    expect(typesOf(actionsOf({ from: BUYER, to: ITEM, leads: [refund] }, NAME))).toContain('auction_outbid')
    // It does not bounce: who fails over it, or has no contract, has the TON all the same.
    const kept = { ...refund, aborted: true, bounce: false }
    expect(typesOf(actionsOf({ from: BUYER, to: ITEM, leads: [kept] }, NAME))).toContain('auction_outbid')
    // Without an earlier bid it is a plain payment.
    expect(typesOf(actionsOf({ from: BUYER, to: ITEM }, NAME))).toEqual(['ton_transfer'])
    const price: Step = { from: ITEM, to: COLLECTION, body: call(0x370fec51, 3n).end(), value: 80n }
    const won = { [ITEM]: item({ owner: BUYER }, { domain: 'shop.ton' }) }
    const settled = actionsOf({ from: BUYER, to: ITEM, body: call(0x2fcb26a3).end(), leads: [price] }, won)
    expect(settled.find(({ type }) => type === 'dns_purchase')?.details).toEqual({
      nft_collection: COLLECTION,
      nft_item: ITEM,
      nft_item_index: '7',
      new_owner: BUYER,
      price: '80',
      query_id: '3',
      payout_amount: '80',
    })
    const [released] = actionsOf({ from: BUYER, to: ITEM, body: call(0x4ed14b65, 4n).end(), value: 6n }, NAME)
    expect(released).toMatchObject({
      type: 'dns_release',
      details: { query_id: '4', source: BUYER, nft_item: ITEM, nft_collection: COLLECTION, value: '6' },
    })
    expect(typesOf(actionsOf({ from: BUYER, to: ITEM, body: call(0x4ed14b65).end() }, { [ITEM]: item() }))).toEqual([
      'call_contract',
    ])
  })
  test('are won by the highest bidder, whoever settles the auction', () => {
    const price: Step = { from: ITEM, to: COLLECTION, body: call(0x370fec51, 3n).end(), value: 80n }
    const winner = (from: string, body: Cell | undefined, owner: string): unknown => {
      const order: Step = { from, to: ITEM, leads: [price], ...(body === undefined ? {} : { body }) }
      const won = actionsOf(order, { [ITEM]: item({ owner }, { domain: 'shop.ton' }) })
      return won.find(({ type }) => type === 'dns_purchase')?.details.new_owner
    }
    // A stranger asks for its data.
    expect(winner(BUYER_2, call(0x2fcb26a2).end(), BUYER)).toBe(BUYER)
    expect(winner(BUYER, undefined, BUYER)).toBe(BUYER)
    // The winner gives it away at once.
    const gift = address(call(0x5fcc3d14), SELLER).storeUint(0, 2).storeUint(0, 1).storeUint(0, 4).storeUint(0, 1).end()
    expect(winner(BUYER, gift, SELLER)).toBe(BUYER)
    // Only an owner replaces all that a name says; he may have passed it on since.
    expect(winner(BUYER, call(0x1a0b9d51).storeRef(beginCell().end()).end(), SELLER)).toBe(BUYER)
  })

  test('are won a year late, by the call that releases them', () => {
    const price: Step = { from: ITEM, to: COLLECTION, body: call(0x370fec51, 3n).end(), value: 80n }
    const rest: Step = { from: ITEM, to: BUYER, body: call(0x4ed14b65, 3n).end(), value: 5n }
    const released = (leads: readonly Step[]) =>
      actionsOf(
        { from: BUYER_2, to: ITEM, body: call(0x4ed14b65, 3n).end(), leads },
        { [ITEM]: item({ owner: null }, { domain: 'shop.ton' }) },
      )
    const won = released([price, rest])
    expect(typesOf(won).filter((type) => !type.includes('/'))).toEqual(['dns_release', 'dns_purchase', 'call_contract'])
    const details = won.find(({ type }) => type === 'dns_purchase')?.details
    expect(details).toMatchObject({ new_owner: BUYER, nft_item: ITEM, price: '80' })
    // Without a rest nothing names the winner.
    expect(typesOf(released([price]))).not.toContain('dns_purchase')
  })
})
