// Deposits into pools of DeDust, in flows made by hand as their contracts send them.

import { describe, expect, test } from 'vitest'
import { type Builder, beginCell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, op, type Step } from './madeFlows.ts'

const [USER, VAULT, FACTORY, COLLECTOR, POOL, BOT] = ['1', '2', '3', '4', '5', '6'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string, string, string]),
]
const [JETTON, USER_WALLET, VAULT_WALLET, SHARES] = ['7', 'A', 'B', 'C'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]
const wallet = (owner: string, jetton = JETTON) => known({ jettonWallet: { owner, jetton } })
const facts = { [USER_WALLET]: wallet(USER), [VAULT_WALLET]: wallet(VAULT), [SHARES]: wallet(USER, POOL) }

const TON = 500n
const JETTONS = 70n

const ton = (builder: Builder) => builder.storeUint(0, 4)
const jetton = (builder: Builder) =>
  builder
    .storeUint(1, 4)
    .storeInt(0, 8)
    .storeBytes(Buffer.from(JETTON.slice(2), 'hex'))
const assets = (builder: Builder) => jetton(ton(builder.storeBit(false)))
const amounts = (builder: Builder) => builder.storeCoins(1n).storeCoins(TON).storeCoins(JETTONS)

/** From a vault by the factory to the depositor's collector. */
const reported = (leads: readonly Step[]): Step => ({
  from: VAULT,
  to: FACTORY,
  body: op(0xf04ec526).end(),
  leads: [{ from: FACTORY, to: COLLECTOR, body: op(0x54240fe5).end(), leads }],
})

const givingTon = (...leads: readonly Step[]): Step => ({
  from: USER,
  to: VAULT,
  body: assets(call(0xd55e4686).storeCoins(TON)).storeRef(amounts(beginCell()).end()).end(),
  leads: [reported(leads)],
})

const payload = amounts(assets(op(0x40e108d6))).end()
const givingJettons = (...leads: readonly Step[]): Step => ({
  from: USER,
  to: USER_WALLET,
  body: transferBody(JETTONS, VAULT, USER, payload),
  leads: [
    {
      from: USER_WALLET,
      to: VAULT_WALLET,
      body: internalBody(JETTONS, USER, payload),
      leads: [{ from: VAULT_WALLET, to: VAULT, body: noticeBody(JETTONS, USER, payload), leads: [reported(leads)] }],
    },
  ],
})

const sides = jetton(ton(beginCell()).storeCoins(TON)).storeCoins(JETTONS).end()

/** Both sides go to the pool, whose jettons make their owner do something. */
const completed = (...leads: readonly Step[]): Step => ({
  from: COLLECTOR,
  to: POOL,
  body: call(0xb56b9598).storeRef(beginCell().end()).storeRef(sides).end(),
  leads: [
    {
      from: POOL,
      to: SHARES,
      body: address(call(0x178d4519).storeCoins(9n), POOL).end(),
      leads: [{ from: SHARES, to: USER, body: call(0x7362d09c).end(), leads }],
    },
    { from: POOL, to: COLLECTOR, body: op(0xaae79256).end() },
  ],
})

const depositsIn = (...leads: readonly Step[]) =>
  actionsOf({ from: BOT, to: USER, body: call(5).end(), leads }, facts).map(({ type, details }) =>
    type === 'dex_deposit_liquidity' ? [details.amount_1, details.amount_2, details.lp_tokens_minted] : type,
  )

describe('both sides in one trace', () => {
  test('are one deposit, whichever was sent first', () => {
    const whole = ['500', '70', '9']
    expect(depositsIn(givingTon(), givingJettons(completed()))).toEqual(['call_contract', whole])
    expect(depositsIn(givingJettons(), givingTon(completed()))).toEqual(['call_contract', whole])
  })

  test('are two when one is given because of what the other completed', () => {
    const again: Step = { from: BOT, to: USER, body: call(7).end(), leads: [givingJettons()] }
    const asked: Step = { from: USER, to: BOT, body: call(6).end(), leads: [again] }
    expect(depositsIn(givingTon(completed(asked)))).toEqual([
      'call_contract',
      ['500', null, '9'],
      'call_contract',
      'call_contract',
      ['70', null, null],
    ])
  })

  test('are looked for from each place, also behind a deposit that followed another', () => {
    const asks = (from: string, to: string, ...leads: Step[]): Step => ({ from, to, body: call(6).end(), leads })
    const later = asks(BOT, USER, givingTon(completed()))
    const again = asks(BOT, USER, givingJettons(), asks(USER, BOT, later))
    const deposits = depositsIn(givingTon(completed(asks(USER, BOT, again)))).filter((one) => one !== 'call_contract')
    expect(deposits).toEqual([
      ['500', null, '9'],
      ['500', '70', '9'],
    ])
  })
})

test('a side that the collector refuses is not given', () => {
  expect(depositsIn(givingTon())).toEqual(['call_contract', ['500', null, null]])
  const refused: Step = { from: COLLECTOR, to: VAULT, body: op(0xe1a36cd4).end() }
  expect(depositsIn(givingTon(refused)).every((one) => one === 'call_contract')).toBe(true)
})
