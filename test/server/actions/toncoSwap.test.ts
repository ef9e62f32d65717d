// A swap on TONCO that meets its price limit: the pool gives for a part of what came in, and gives the rest back.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, op, type Step } from './madeFlows.ts'

const [USER, ROUTER, POOL] = ['1', '2', '3'].map((digit) => account(digit)) as [...(readonly [string, string, string])]
const [GIVEN, WANTED] = ['4', '5'].map((digit) => account(digit)) as [...(readonly [string, string])]
const [OWN_GIVEN, OWN_WANTED, ROUTER_GIVEN, ROUTER_WANTED] = ['6', '7', '8', '9'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]
const walletOf = (owner: string, jetton: string) => known({ jettonWallet: { owner, jetton } })
const facts = {
  [OWN_GIVEN]: walletOf(USER, GIVEN),
  [OWN_WANTED]: walletOf(USER, WANTED),
  [ROUTER_GIVEN]: walletOf(ROUTER, GIVEN),
  [ROUTER_WANTED]: walletOf(ROUTER, WANTED),
}

const nothing = beginCell().end()
const paid = (from: string, to: string, amount: bigint): Step => ({
  from: ROUTER,
  to: from,
  body: transferBody(amount, USER, USER, nothing),
  leads: [{ from, to, body: internalBody(amount, ROUTER, nothing) }],
})
const REST = paid(ROUTER_GIVEN, OWN_GIVEN, 200n)
const OUT = paid(ROUTER_WANTED, OWN_WANTED, 900n)

/** The side that came in is the first of the pool, or the second. */
function swapped(isFirst: boolean, legs: readonly Step[]): Step {
  const sides = [
    { amount: 200n, wallet: ROUTER_GIVEN },
    { amount: 900n, wallet: ROUTER_WANTED },
  ]
  const shares = beginCell()
  for (const { amount, wallet } of isFirst ? sides : sides.toReversed()) address(shares.storeCoins(amount), wallet)
  const order = address(address(call(0xa1daa96d), USER), USER)
    .storeUint(200, 32)
    .storeUint(0, 64)
    .storeBit(true)
    .storeRef(shares.end())
    .storeBit(false)
  const terms = beginCell().storeCoins(500n).storeUint(7, 160).storeCoins(1n).end()
  const swap: Step = {
    from: ROUTER,
    to: POOL,
    body: address(address(call(0xa7fb58f8), USER), ROUTER_GIVEN)
      .storeRef(terms)
      .storeRef(nothing)
      .end(),
    leads: [{ from: POOL, to: ROUTER, body: order.end(), leads: legs }],
  }
  const payload = address(op(0xa7fb58f8), ROUTER_WANTED).storeUint(7, 160).storeCoins(1n).end()
  const notice: Step = { from: ROUTER_GIVEN, to: ROUTER, body: noticeBody(500n, USER, payload), leads: [swap] }
  const moved: Step = { from: OWN_GIVEN, to: ROUTER_GIVEN, body: internalBody(500n, USER, payload), leads: [notice] }
  return { from: USER, to: OWN_GIVEN, body: transferBody(500n, ROUTER, USER, payload), leads: [moved] }
}

test.each([
  { name: 'first', isFirst: true, legs: [REST, OUT] },
  { name: 'second', isFirst: false, legs: [OUT, REST] },
])('paid out is the other asset, and the rest is a transfer: what came in is the $name side', ({ isFirst, legs }) => {
  const [swap, ...others] = actionsOf(swapped(isFirst, legs), facts)
  expect(swap).toMatchObject({
    type: 'jetton_swap',
    success: true,
    details: { dex: 'tonco', asset_in: GIVEN, asset_out: WANTED, min_out_amount: '900' },
  })
  expect(swap?.details.dex_outgoing_transfer).toMatchObject({ asset: WANTED, amount: '900', destination: USER })
  expect(others).toMatchObject([{ type: 'jetton_transfer', details: { asset: GIVEN, receiver: USER, amount: '200' } }])
})
