// Flows of swap.coffee that end otherwise than they were meant to, and those in another currency.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell } from '../../../server/cell/index.ts'
import { internalBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, type Step, typesOf } from './madeFlows.ts'

const USER = account('1')
const VAULT = account('2')
const FACTORY = account('3')
/** Of the user: collects both sides of a deposit, or of a pool that is to be made. */
const COLLECTOR = account('4')
const POOL = account('5')
const JETTON = account('6')
const VAULT_WALLET = account('7')
const USER_WALLET = account('8')
const LIQUIDITY = account('9')
const STRANGERS = account('A')

const facts = {
  [VAULT_WALLET]: known({ jettonWallet: { owner: VAULT, jetton: JETTON } }),
  [USER_WALLET]: known({ jettonWallet: { owner: USER, jetton: JETTON } }),
  [LIQUIDITY]: known({ jettonWallet: { owner: USER, jetton: POOL } }),
}

const nothing = beginCell().end()
const hash = (text: string): Buffer => Buffer.from(text.split(':')[1] ?? '', 'hex')

/** TON and the jetton, as the exchange names them. */
const pair = beginCell().storeUint(0, 2).storeUint(1, 2).storeInt(0, 8).storeBytes(hash(JETTON)).end()

const payout = (amount: bigint, paid: Step): Step => ({
  from: COLLECTOR,
  to: VAULT,
  body: address(call(0xc0ffee21), USER).storeCoins(amount).storeBit(false).storeBit(true).storeRef(nothing).end(),
  leads: [paid],
})
const ton = (value: bigint): Step => ({ from: VAULT, to: USER, body: call(0xc0ffee32).end(), value, bounce: false })
const jettons = (amount: bigint): Step => ({
  from: VAULT,
  to: VAULT_WALLET,
  body: transferBody(amount, USER, USER, nothing),
  leads: [{ from: VAULT_WALLET, to: USER_WALLET, body: internalBody(amount, VAULT, nothing) }],
})

/** TON into a vault, which reports it to the factory. */
const given = (body: Cell, report: number, leads: readonly Step[]): Step => ({
  from: USER,
  to: VAULT,
  body,
  value: 900n,
  leads: [
    {
      from: VAULT,
      to: FACTORY,
      body: call(report).end(),
      leads: [{ from: FACTORY, to: COLLECTOR, body: call(0xc0ffee22).end(), leads }],
    },
  ],
})

const deposit = (leads: readonly Step[]): Step =>
  given(call(0xc0ffee04).storeCoins(700n).storeRef(nothing).storeRef(pair).end(), 0xc0ffee27, leads)

test('a side of a deposit that is there already goes back, and the deposit has failed', () => {
  expect(typesOf(actionsOf(deposit([]), facts))).toEqual(['dex_deposit_liquidity'])
  const [refused, ...others] = actionsOf(deposit([payout(700n, ton(800n))]), facts)
  expect(refused).toMatchObject({
    type: 'dex_deposit_liquidity',
    success: false,
    details: { dex: 'coffee', pool: null, amount_1: '700', vault_excesses: [{ asset: null, amount: '700' }] },
  })
  expect(others).toEqual([])
  // A payment that is on its way has not come back yet, and may have.
  const pending = payout(700n, { ...ton(800n), isOnItsWay: true })
  expect(typesOf(actionsOf(deposit([pending]), facts))).not.toContain('dex_deposit_liquidity')
})

const created = (leads: readonly Step[]): Step => {
  const sides = call(0xc0ffee02).storeCoins(700n).storeSlice(openCell(pair)).storeUint(0, 3).storeBit(false)
  const body = address(sides, USER).storeBit(true).storeBit(false).storeBit(true).storeBit(false).end()
  return given(body, 0xc0ffee23, leads)
}

test('so does a side of a pool that is to be made', () => {
  expect(typesOf(actionsOf(created([]), facts))[0]).toBe('coffee_create_pool_creator')
  const refused = actionsOf(created([payout(700n, ton(800n))]), facts)
  expect(refused[0]).toMatchObject({ type: 'coffee_create_pool_creator', success: false, details: { amount: '700' } })
  expect(refused.filter(({ ancestorTypes }) => ancestorTypes.length === 0)).toHaveLength(1)
})

/** The same assets in the other order. */
const turned = beginCell().storeUint(1, 2).storeInt(0, 8).storeBytes(hash(JETTON)).storeUint(0, 2).end()

test('a side of a deposit is the one that the pool has it as', () => {
  const body = call(0xc0ffee04).storeCoins(700n).storeRef(nothing).storeRef(turned).end()
  const reported = (assets: Cell) => {
    const report = call(0xc0ffee27).storeCoins(700n).storeRef(nothing).storeRef(assets).end()
    const deploy: Step = { from: FACTORY, to: COLLECTOR, body: call(0xc0ffee22).end() }
    const toFactory: Step = { from: VAULT, to: FACTORY, body: report, leads: [deploy] }
    return actionsOf({ from: USER, to: VAULT, body, value: 900n, leads: [toFactory] }, facts)
  }
  expect(reported(pair)[0]).toMatchObject({
    type: 'dex_deposit_liquidity',
    details: { amount_1: '700', amount_2: null, target_asset_1: null, target_asset_2: JETTON },
  })
  // A pool that has none of it takes none.
  const others = beginCell()
  for (const digit of ['2', '3'])
    others
      .storeUint(1, 2)
      .storeInt(0, 8)
      .storeBytes(Buffer.alloc(32, Number(digit)))
  expect(typesOf(reported(others.end()))).not.toContain('dex_deposit_liquidity')
})

/** A vault reports the assets in their order, whichever way they were named. */
function completed(sides: Cell): Step {
  const asked = call(0xc0ffee02).storeCoins(700n).storeSlice(openCell(sides)).storeUint(0, 3).storeBit(false)
  const body = address(asked, USER).storeBit(true).storeBit(false).storeBit(true).storeBit(false).end()
  const shares: Step = { from: POOL, to: LIQUIDITY, body: internalBody(9n, POOL, nothing) }
  const made: Step = { from: FACTORY, to: POOL, body: call(0xc0ffee22).end(), leads: [shares] }
  const amounts = address(call(0xc0ffee25).storeCoins(700n).storeCoins(40n), USER).end()
  const both: Step = { from: COLLECTOR, to: FACTORY, body: amounts, leads: [made] }
  const deploy: Step = { from: FACTORY, to: COLLECTOR, body: call(0xc0ffee22).end(), leads: [both] }
  const report = call(0xc0ffee23).storeCoins(700n).storeSlice(openCell(pair)).end()
  const toFactory: Step = { from: VAULT, to: FACTORY, body: report, leads: [deploy] }
  return { from: USER, to: VAULT, body, value: 900n, leads: [toFactory] }
}

test('a pool has as much of the other asset as the creator says, in whichever order the assets are named', () => {
  const details = { asset_1: null, asset_2: JETTON, amount_1: '700', amount_2: '40', lp_tokens_minted: '9', pool: POOL }
  for (const sides of [pair, turned])
    expect(actionsOf(completed(sides), facts)[0]).toMatchObject({ type: 'coffee_create_pool', success: true, details })
})

test('one in another currency brings neither TON nor a jetton, whatever it names', () => {
  const sides = call(0xc0ffee03).storeSlice(openCell(pair)).storeUint(0, 3).storeBit(false)
  const body = address(sides, USER).storeBit(true).storeBit(false).storeBit(true).storeBit(false).end()
  expect(typesOf(actionsOf(given(body, 0xc0ffee23, []), facts))).not.toContain('coffee_create_pool_creator')
})

const EXTRA = 7

/** Another currency into its vault, which has a pool swap it; each pool logs what came in. */
const swapped = (log: Cell, rest: readonly Step[]): Step => ({
  from: USER,
  to: VAULT,
  body: call(0xc0ffee01).end(),
  extraCurrencies: { [EXTRA]: '500' },
  leads: [
    {
      from: VAULT,
      to: POOL,
      body: call(0xc0ffee20).end(),
      leads: [{ from: POOL, to: null, body: log }, ...rest],
    },
  ],
})
const extra = () => call(0xc0ffee30).storeUint(2, 2).storeUint(EXTRA, 32)

test('a swap of another currency has not failed for want of an asset that the log can name', () => {
  const done = extra().storeCoins(500n).storeCoins(600n).end()
  const actions = actionsOf(swapped(done, [payout(600n, jettons(600n))]), facts)
  expect(actions).toHaveLength(1)
  expect(actions[0]).toMatchObject({ type: 'jetton_swap', success: true, details: { dex: 'coffee', peer_swaps: [] } })
  expect(actions[0]?.details.dex_incoming_transfer).toMatchObject({ asset: null, amount: null })
  expect(actions[0]?.details.dex_outgoing_transfer).toMatchObject({ asset: JETTON, amount: '600' })
  const refused = call(0xc0ffee31).storeUint(2, 2).storeUint(EXTRA, 32).storeCoins(500n).storeBit(false).end()
  const back: Step = { ...ton(900n), extraCurrencies: { [EXTRA]: '500' } }
  expect(typesOf(actionsOf(swapped(refused, [payout(500n, back)]), facts))).toEqual(['jetton_swap failed'])
})

test('of a way through another currency no hop is shown: it would look like TON', () => {
  const first = call(0xc0ffee30).storeUint(1, 2).storeInt(0, 8).storeBytes(hash(JETTON)).storeCoins(500n).storeCoins(5n)
  const second: Step = {
    from: POOL,
    to: STRANGERS,
    body: call(0xc0ffee20).end(),
    leads: [
      { from: STRANGERS, to: null, body: extra().storeCoins(5n).storeCoins(400n).end() },
      { ...payout(400n, ton(900n)), from: STRANGERS },
    ],
  }
  const actions = actionsOf(swapped(first.end(), [second]), facts)
  expect(actions[0]).toMatchObject({ type: 'jetton_swap', success: true, details: { peer_swaps: [] } })
})

const burn = (leads: readonly Step[]): Step => ({
  from: USER,
  to: LIQUIDITY,
  body: address(call(0x595f07bc).storeCoins(7n), USER).storeBit(false).end(),
  leads: [{ from: LIQUIDITY, to: POOL, body: address(call(0x7bdd97de).storeCoins(7n), USER).end(), leads }],
})
const back = (amount: bigint, to = LIQUIDITY): Step => ({
  from: POOL,
  to,
  body: internalBody(amount, POOL, nothing),
})

test('liquidity that a pool does not take out goes back to its wallet, and is not burnt', () => {
  const actions = actionsOf(burn([back(7n)]), facts)
  expect(typesOf(actions)).toEqual(['jetton_burn failed'])
  expect(actions[0]?.details).toMatchObject({ asset: POOL, amount: '7' })
  // To another wallet, or another amount, is no return of it.
  expect(typesOf(actionsOf(burn([back(7n, STRANGERS)]), facts))[0]).toBe('jetton_burn')
  expect(typesOf(actionsOf(burn([back(6n)]), facts))[0]).toBe('jetton_burn')
  // The wallet takes it back only if it does not fail.
  expect(typesOf(actionsOf(burn([{ ...back(7n), aborted: true }]), facts))[0]).toBe('jetton_burn')
})
