// Swaps over several pools, of which a later one refuses: it pays back what the one before gave, and swaps nothing.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, op, type Step } from './madeFlows.ts'

const USER = account('1')
const ROUTER = account('2')
const POOLS = ['3', '4', '5'].map((digit) => account(digit))
const JETTONS = ['7', '8', '9', 'A'].map((digit) => account(digit))
/** Of the router, and of the user, in the order of their jettons. */
const ROUTER_WALLETS = ['B', 'C', 'D', 'E'].map((digit) => account(digit))
const USER_WALLETS = ['7', '8', '9', 'A'].map((digit) => account(digit, -1))

const EMPTY = beginCell().end()

const walletsOf = (owner: string, wallets: readonly string[]) =>
  wallets.map((wallet, at) => [wallet, known({ jettonWallet: { owner, jetton: JETTONS[at] ?? '' } })] as const)
const facts = Object.fromEntries([...walletsOf(ROUTER, ROUTER_WALLETS), ...walletsOf(USER, USER_WALLETS)])

const at = (list: readonly string[], index: number): string => list[index] ?? ''

/** A jetton of the router to the user. */
const paid = (jetton: number, amount: bigint, from = ROUTER): Step => {
  const internal: Step = {
    from: at(ROUTER_WALLETS, jetton),
    to: at(USER_WALLETS, jetton),
    body: internalBody(amount, from, EMPTY),
  }
  return { from, to: at(ROUTER_WALLETS, jetton), body: transferBody(amount, USER, USER, EMPTY), leads: [internal] }
}

/** 500 of the first jetton to the router. */
function given(payload: Cell, leads: readonly Step[]): Step {
  const notice: Step = { from: at(ROUTER_WALLETS, 0), to: ROUTER, body: noticeBody(500n, USER, payload), leads }
  const internal: Step = {
    from: at(USER_WALLETS, 0),
    to: at(ROUTER_WALLETS, 0),
    body: internalBody(500n, USER, payload),
    leads: [notice],
  }
  return { from: USER, to: at(USER_WALLETS, 0), body: transferBody(500n, ROUTER, USER, payload), leads: [internal] }
}

const hop = (jetton: number, amountIn: bigint, amountOut: bigint) => ({
  asset_in: at(JETTONS, jetton),
  amount_in: String(amountIn),
  asset_out: at(JETTONS, jetton + 1),
  amount_out: String(amountOut),
})

const DONE = 0xc64370e5
const REFUSED = 0x38976e9b

/** A pool of STON.fi v2, with the order it answers. */
function swapped(pool: number, [amountIn, amountOut]: readonly [bigint, bigint], leads: readonly Step[]): Step {
  const isRefused = amountOut === 0n
  const request = address(op(0x6664de2a), at(ROUTER_WALLETS, pool + 1)).end()
  const swap = address(call(0x6664de2a), USER).storeCoins(amountIn).storeCoins(0n).storeRef(request).end()
  const shares = beginCell()
    .storeCoins(0n)
    .storeCoins(isRefused ? amountIn : 0n)
  const both = address(address(shares, at(ROUTER_WALLETS, pool)).storeCoins(amountOut), at(ROUTER_WALLETS, pool + 1))
  const order = address(address(address(call(0x657b54f5), USER), USER), USER)
    .storeUint(isRefused ? REFUSED : DONE, 32)
    .storeBit(0)
    .storeRef(both.end())
  const toRouter: Step = { from: at(POOLS, pool), to: ROUTER, body: order.end(), leads }
  return { from: ROUTER, to: at(POOLS, pool), body: swap, leads: [toRouter] }
}

const stonfi = (steps: readonly Step[]) =>
  actionsOf(given(address(op(0x6664de2a), at(ROUTER_WALLETS, 1)).end(), steps), facts)[0]

test('pools of STON.fi v2 that refuse are no part of the way', () => {
  const second = swapped(1, [444n, 0n], [paid(1, 444n)])
  expect(stonfi([swapped(0, [500n, 444n], [second])])).toMatchObject({
    type: 'jetton_swap',
    success: false,
    details: { dex: 'stonfi_v2', asset_in: JETTONS[0], peer_swaps: [] },
  })
  const third = swapped(2, [333n, 0n], [paid(2, 333n)])
  expect(stonfi([swapped(0, [500n, 444n], [swapped(1, [444n, 333n], [third])])])).toMatchObject({
    success: false,
    details: { peer_swaps: [hop(0, 500n, 444n), hop(1, 444n, 333n)] },
  })
  const whole = swapped(2, [333n, 222n], [paid(3, 222n)])
  expect(stonfi([swapped(0, [500n, 444n], [swapped(1, [444n, 333n], [whole])])])).toMatchObject({
    success: true,
    details: { peer_swaps: [hop(0, 500n, 444n), hop(1, 444n, 333n), hop(2, 333n, 222n)] },
  })
})

const purpose = op(0xc442500f).storeCoins(1n).storeUint(0, 40).storeBit(0).end()

const logged = (pool: string, amountIn: bigint, amountOut: bigint): Step => ({
  from: pool,
  to: null,
  body: op(0x78e79ba4).storeBit(0).storeCoins(amountIn).storeCoins(amountOut).end(),
})

/** TON from a pool to the next one, or back to the user. */
const toPool = (from: string, to: string, leads: readonly Step[]): Step => ({
  from,
  to,
  body: call(0xa5a7cbf8).storeCoins(90n).storeRef(purpose).end(),
  leads,
})

const back = (from: string): Step => ({
  from,
  to: USER,
  body: call(0x3216ca09).storeCoins(90n).storeInt(77, 32).end(),
})

test('neither are those of DeDust v2, which log nothing', () => {
  const last = at(POOLS, 2)
  const refused = toPool(ROUTER, last, [back(last)])
  const [swap] = actionsOf(given(op(0xcbc33949).storeRef(purpose).end(), [logged(ROUTER, 500n, 90n), refused]), facts)
  expect(swap).toMatchObject({ type: 'jetton_swap', success: false, details: { dex: 'dedust_v2', peer_swaps: [] } })
  expect(swap?.details.dex_outgoing_transfer).toMatchObject({ asset: null, amount: '90', destination: USER })
})
