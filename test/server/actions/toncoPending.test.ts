// A withdrawal from TONCO whose payment is on its way.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, known, type Step, typesOf } from './madeFlows.ts'

const [USER, ROUTER, POOL, ITEM, WALLET, OWN_WALLET, MASTER] = ['1', '2', '3', '4', '5', '6', '7'].map((digit) =>
  account(digit),
) as [...(readonly [string, string, string, string, string, string, string])]
const facts = {
  [WALLET]: known({ jettonWallet: { owner: ROUTER, jetton: MASTER } }),
  [OWN_WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }),
}

/** What the router sends on the order of the pool. */
function withdrawal(paid: readonly Step[]): Step {
  const shares = address(address(beginCell().storeCoins(5n), WALLET).storeCoins(0n), OWN_WALLET).end()
  const order = address(address(call(0xa1daa96d), USER), USER)
    .storeUint(0, 32)
    .storeUint(0, 64)
  const toRouter: Step = {
    from: POOL,
    to: ROUTER,
    body: order.storeBit(1).storeRef(shares).storeBit(0).end(),
    leads: paid,
  }
  const burn: Step = { from: ITEM, to: POOL, body: call(0xd73ac09d).end(), leads: [toRouter] }
  const toItem: Step = { from: POOL, to: ITEM, body: call(0x46ca335a).end(), leads: [burn] }
  const place = call(0x530b5f2c).storeUint(1, 64).storeUint(1, 128).storeInt(0, 24).storeInt(0, 24)
  return { from: USER, to: POOL, body: place.end(), leads: [toItem] }
}

const request = address(address(call(0x0f8a7ea5).storeCoins(5n), USER), USER)
  .storeBit(0)
  .storeCoins(0n)
  .storeBit(0)
  .end()
const moved: Step = { from: WALLET, to: OWN_WALLET, body: call(0x178d4519).storeCoins(5n).end() }
const payment: Step = { from: ROUTER, to: WALLET, body: request, leads: [moved] }
const shown = (paid: readonly Step[]) =>
  typesOf(actionsOf(withdrawal(paid), facts)).filter((type) => type.startsWith('dex'))

test.each([
  ['the wallet of the router has not taken the order', { ...payment, isOnItsWay: true }],
  ['the jettons are on their way', { ...payment, leads: [{ ...moved, isOnItsWay: true }] }],
])('liquidity is not shown as taken out in vain while %s', (_, paid) => {
  expect(shown([paid])).toEqual([])
})

test('liquidity is taken out once it is paid, and in vain where nothing was', () => {
  expect(shown([payment])).toEqual(['dex_withdraw_liquidity'])
  expect(shown([])).toEqual(['dex_withdraw_liquidity failed'])
})
