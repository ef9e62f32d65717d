// Bodies of services by their public schemes: made with the usual library, and as they were recorded on the main network.

import { beginCell as begin, type Cell as CoreCell } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type BodyDefinition, coffee, dedust, stonfi, stonfiV2, tonco } from '../../../server/bodies/index.ts'
import { CellError, openCell, readBoc } from '../../../server/cell/index.ts'
import { DecodeBudget, decodeBody, knownOperationName } from '../../../server/decode/index.ts'
import { publicLines } from '../../../server/decode/schemes/lines/index.ts'
import { PublicSchemes } from '../../../server/decode/schemes/publicSchemes.ts'
import { operationNameOf } from '../../../server/methods/view/operationNameOf.ts'
import { readTraceFixture, traceNames } from '../actions/traceFixtures.ts'
import { owner, std } from './shownOwner.ts'

const decode = (cell: CoreCell) => decodeBody(readBoc(cell.toBoc()))
const coins = (value: number) => ({
  '@type': 'nanocoins',
  amount: { '@type': 'var_uint', len: String(Math.ceil(value.toString(16).length / 2)), value: String(value) },
})

/** A swap over so many pools, the rest of the way in a cell of its own each time. */
function wayOf(pools: number): CoreCell {
  const next = pools > 1 ? wayOf(pools - 1) : null
  return begin().storeUint(pools, 256).storeCoins(7).storeMaybeRef(next).endCell()
}

const swapOver = (pools: number) => {
  const params = begin().storeUint(5, 32).storeAddress(owner).storeAddress(owner).storeMaybeRef(null).endCell()
  return begin()
    .storeUint(0xc0ffee00, 32)
    .storeUint(9, 64)
    .storeCoins(100)
    .storeSlice(wayOf(pools).beginParse())
    .storeRef(params)
    .endCell()
}

describe('lines', () => {
  test('all make sense, and read nothing where there is nothing', () => {
    const schemes = new PublicSchemes(publicLines())
    const operations = publicLines().flatMap((line) => {
      const tag = /^\w+#([0-9a-f]{8})(?: |$)(?!.* = )/.exec(line)?.[1]
      return tag === undefined ? [] : [Number.parseInt(tag, 16)]
    })
    expect(new Set(operations).size).toBeGreaterThan(400)
    const within = { nested: () => '', bag: () => '', budget: DecodeBudget.ofBody(null) }
    for (const operation of operations)
      for (const { name, read } of schemes.of(operation)) {
        expect(knownOperationName(operation)).not.toBeNull()
        try {
          expect(read(openCell(readBoc(begin().endCell().toBoc())), within), name).toEqual(expect.any(Object))
        } catch (error) {
          expect(error, name).toSatisfy((one) => one instanceof CellError || one instanceof RangeError)
        }
      }
  })

  test('a part that no body has is a mistake', () => {
    const named = publicLines().flatMap((line) => / = (\w+)$/.exec(line)?.[1] ?? [])
    const fields = publicLines().map((line) => line.replace(/ = \w+$/, ''))
    expect(named.filter((type) => !fields.some((line) => new RegExp(`\\b${type}\\b`).test(line)))).toEqual([])
  })

  test('operations whose bodies are read elsewhere too have the same names there', () => {
    const named = [stonfi, stonfiV2, dedust, tonco, coffee]
      .flatMap((protocol): readonly BodyDefinition[] => Object.values(protocol))
      .filter(({ name }) => name !== '_')
    expect(named.length).toBeGreaterThan(15)
    for (const { opcode, name } of named) expect(knownOperationName(opcode)).toBe(name)
  })

  test('a mistake in one is told apart', () => {
    expect(() => new PublicSchemes(['swap query_id:uint64'])).toThrow('neither a body nor a part of one: swap')
    expect(() => new PublicSchemes(['swap#00000005 of:Nowhere']).of(5)).toThrow('no type Nowhere')
  })
})

describe('bodies', () => {
  test('a type that names itself: a swap over two pools', () => {
    const step = (pool: number, next: object) => ({
      '@type': 'swap_step_params',
      pool_address_hash: String(pool),
      min_output_amount: coins(7),
      next,
    })
    const nothing = { '@type': 'nothing_from_maybe' }
    expect(decode(swapOver(2))).toEqual({
      '@type': 'coffee_swap',
      query_id: '9',
      amount: coins(100),
      '': step(2, { '@type': 'something_from_maybe', value: { cell_reference: step(1, nothing) } }),
      params: {
        cell_reference: {
          '@type': 'swap_params',
          deadline: '5',
          recipient: std,
          referral: std,
          notification_data: nothing,
        },
      },
    })
  })

  test('a way of hundreds of pools counts for what a request may ask', () => {
    const body = readBoc(swapOver(400).toBoc())
    const request = DecodeBudget.ofRequest()
    expect(decodeBody(body, request)).toMatchObject({ '@type': 'coffee_swap', query_id: '9' })
    for (let i = 0; i < 200; i++) decodeBody(body, request)
    expect(decodeBody(body, request)).toBeNull()
  })

  test('a name alone, where the fields are not published in lines', () => {
    expect(knownOperationName(0x1bea50f1)).toBe('storm_take_position_v2')
    expect(decode(begin().storeUint(0x1bea50f1, 32).storeUint(1, 256).endCell())).toBeNull()
  })

  test('what the elector hands to the configuration, and its answer', () => {
    const set = begin().storeUint(0x12, 8).endCell()
    const order = begin().storeUint(0x4e565354, 32).storeUint(7, 64).storeRef(set).endCell()
    expect(decode(order)).toMatchObject({ '@type': 'set_next_validator_set', query_id: '7' })
    const answer = begin().storeUint(0xee764f4b, 32).storeUint(7, 64).endCell()
    expect(decode(answer)).toEqual({ '@type': 'config_accepted', query_id: '7' })
  })

  test('of small numbers a message is named by the standards alone', () => {
    expect(knownOperationName(0x11)).toBe('evaa_supply_user')
    expect(operationNameOf(0x11, false)).toBeNull()
    expect(operationNameOf(0, false)).toBe('text_comment')
    expect(operationNameOf(0x15, false)).toBe('minter_jetton_mint')
    expect(operationNameOf(0xc0ffee00, false)).toBe('coffee_swap')
  })

  test('text behind its length', () => {
    const text = (value: string) => begin().storeUint(value.length, 8).storeBuffer(Buffer.from(value)).asSlice()
    const token = begin().storeSlice(text('bob')).storeSlice(text('t.me')).endCell()
    const auction = begin().storeAddress(owner).storeCoins(1).storeCoins(2).storeUint(5, 8).storeUint(6, 64).endCell()
    const royalty = begin().storeUint(5, 16).storeUint(100, 16).storeAddress(owner).endCell()
    const body = begin().storeUint(0x299a3e15, 32).storeAddress(owner).storeCoins(1)
    for (const ref of [token, begin().endCell(), auction, royalty]) body.storeRef(ref)
    expect(decode(body.endCell())).toMatchObject({
      '@type': 'teleitem_msg_deploy',
      token_info: {
        cell_reference: {
          '@type': 'telemint_token_info',
          name: { '@type': 'telemint_text', len: '3', text: Buffer.from('bob').toString('hex').toUpperCase() },
          domain: { '@type': 'telemint_text', len: '4', text: Buffer.from('t.me').toString('hex').toUpperCase() },
        },
      },
    })
  })
})

test('operations that are published with fewer digits or on several lines, as recorded on the main network', () => {
  const bodiesOf = (name: string) =>
    readTraceFixture(name).trace.transactions.flatMap(({ inMessage, outMessages }) =>
      [inMessage, ...outMessages].flatMap((message) =>
        message?.body == null ? [] : [decodeBody(readBoc(message.body))],
      ),
    )
  expect(bodiesOf('dedust-liquidities-01').find((body) => body?.['@type'] === 'dedust_deposit')).toMatchObject({
    amount0: coins(12_000_000_000),
    liquidity: coins(502_474_030_067),
  })
  const swap = bodiesOf('dedust-v2-08').find((body) => body?.['@type'] === 'dedust_swap_notification')
  expect(swap).toMatchObject({ asset_in: { '@type': 'native' }, asset_out: { '@type': 'jetton', workchain_id: '0' } })
  expect(swap?.['']).toMatchObject({ cell_reference: { sender_addr: { '@type': 'addr_std', workchain_id: '0' } } })
  const lock = { value: { '@type': 'coffee_staking_lock_forward_payload', period_id: '2' } }
  expect(bodiesOf('coffee-01')).toContainEqual(
    expect.objectContaining({ forward_payload: expect.objectContaining(lock) }),
  )
  for (const name of ['tonco_account_refund_me', 'dedust_withdrawal', 'dedust_take_current_quote'])
    expect([0x0bf3f447, 0x3aa870a6, 0x0a420458].map(knownOperationName)).toContain(name)
})

test('of two schemes of one operation the one that reads all of the body is taken, as recorded on the main network', () => {
  const paid = readTraceFixture('tonco-01').trace.transactions.flatMap(({ inMessage }) =>
    inMessage?.body == null ? [] : [decodeBody(readBoc(inMessage.body))],
  )
  const address = '871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17'
  expect(paid.find((body) => body?.['@type'] === 'jetton_notify')).toMatchObject({
    forward_payload: { value: { '@type': 'tonco_pool_fund_account_payload', other_jetton_wallet: { address } } },
  })
})

test('as recorded on the main network, all are shown but those that differ from what is published', () => {
  const shown = new Set<string>()
  const differing = new Set<string>()
  for (const name of traceNames)
    for (const { inMessage, outMessages } of readTraceFixture(name).trace.transactions)
      for (const message of [inMessage, ...outMessages]) {
        const operation = message?.opcode ?? null
        if (message?.body == null || operation === null || knownOperationName(operation) === null) continue
        const known = knownOperationName(operation) ?? ''
        ;(decodeBody(readBoc(message.body)) === null ? differing : shown).add(known)
      }
  expect(shown.size).toBeGreaterThan(100)
  expect([...differing].sort()).toEqual([
    'coffee_payout_internal',
    'coffee_staking_deposit',
    'coffee_swap',
    'coffee_swap_internal',
    'evaa_supply_fail',
    'evaa_withdraw_master',
    'jetton_burn_notification',
    'jetton_mint',
  ])
})
