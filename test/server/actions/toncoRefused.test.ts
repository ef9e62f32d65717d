// Liquidity given to a pool of TONCO that can make no position of it and gives it back.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { internalBody, noticeBody, transferBody } from './made/bodies.ts'
import { account, actionsOf, address, call, known, type Step, typesOf } from './madeFlows.ts'

const [USER, ROUTER, POOL, FUNDS, ITEM] = ['1', '2', '3', '4', '5'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string, string]),
]
const [WALLET, OTHER_WALLET, OWN_WALLET, OWN_OTHER] = ['6', '7', '8', '9'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]
const MASTER = account('A')
const OTHER_MASTER = account('B')
const facts = {
  [WALLET]: known({ jettonWallet: { owner: ROUTER, jetton: MASTER } }),
  [OTHER_WALLET]: known({ jettonWallet: { owner: ROUTER, jetton: OTHER_MASTER } }),
  [OWN_WALLET]: known({ jettonWallet: { owner: USER, jetton: MASTER } }),
  [OWN_OTHER]: known({ jettonWallet: { owner: USER, jetton: OTHER_MASTER } }),
}
const STRANGER = account('C')
const STRANGERS = account('D')
const walletOfStranger = known({ jettonWallet: { owner: STRANGER, jetton: OTHER_MASTER } })

const nothing = beginCell().end()
const back = (from: string, to: string, owner = USER): Step => ({
  from: ROUTER,
  to: from,
  body: transferBody(500n, owner, owner, nothing),
  leads: [{ from, to, body: internalBody(500n, ROUTER, nothing) }],
})
const refund: Step = {
  from: POOL,
  to: ROUTER,
  body: call(0xa1daa96d).end(),
  leads: [back(WALLET, OWN_WALLET), back(OTHER_WALLET, OWN_OTHER)],
}
const item: Step = { from: POOL, to: ITEM, body: call(0xd5ecca2a).end() }

/** The account already has the other side, and asks for a position. */
function deposit(outcome: readonly Step[], answer: Partial<Step> = {}): Step {
  const payload = address(beginCell().storeUint(0x4468de77, 32), OTHER_WALLET).end()
  const asks = address(call(0x81702ef8).storeCoins(500n).storeCoins(500n), USER).storeUint(1000, 128)
  const mint: Step = { from: FUNDS, to: POOL, body: asks.end(), leads: outcome, ...answer }
  const add: Step = { from: POOL, to: FUNDS, body: call(0x3ebe5431).end(), leads: [mint] }
  const given = address(call(0x4468de77), USER).storeCoins(500n).storeCoins(0n).storeCoins(500n).storeCoins(500n)
  const terms = given.storeUint(1000, 128).storeInt(-61, 24).storeInt(60, 24)
  const fund: Step = { from: ROUTER, to: POOL, body: terms.end(), leads: [add] }
  const noticed: Step = { from: WALLET, to: ROUTER, body: noticeBody(500n, USER, payload), leads: [fund] }
  const moved: Step = { from: OWN_WALLET, to: WALLET, body: internalBody(500n, USER, payload), leads: [noticed] }
  return { from: USER, to: OWN_WALLET, body: transferBody(500n, ROUTER, USER, payload), leads: [moved] }
}

const excess = (asset: string) => ({ asset, amount: '500' })

test('has failed, and what came back is no transfer of its own', () => {
  const actions = actionsOf(deposit([refund]), facts)
  expect(typesOf(actions)).toEqual(['dex_deposit_liquidity failed'])
  expect(actions[0]?.details).toMatchObject({
    lp_tokens_minted: null,
    nft_address: null,
    vault_excesses: [excess(MASTER), excess(OTHER_MASTER)],
  })
})

test('stays given where a position is made of it, and until it is known what the pool does', () => {
  expect(typesOf(actionsOf(deposit([item, refund]), facts))).toEqual(['dex_deposit_liquidity'])
  expect(typesOf(actionsOf(deposit([{ ...item, isOnItsWay: true }]), facts))[0]).toBe('dex_deposit_liquidity')
  expect(typesOf(actionsOf(deposit([], { isOnItsWay: true }), facts))[0]).toBe('dex_deposit_liquidity')
  expect(typesOf(actionsOf(deposit([{ ...refund, isOnItsWay: true }]), facts))[0]).toBe('dex_deposit_liquidity')
})

test('what goes to somebody else is a transfer', () => {
  const elsewhere = { ...refund, leads: [back(WALLET, OWN_WALLET), back(OTHER_WALLET, STRANGERS, STRANGER)] }
  const actions = actionsOf(deposit([elsewhere]), { ...facts, [STRANGERS]: walletOfStranger })
  expect(typesOf(actions)).toEqual(['dex_deposit_liquidity failed', 'jetton_transfer'])
  expect(actions[0]?.details).toMatchObject({ vault_excesses: [excess(MASTER)] })
  expect(actions[1]?.details).toMatchObject({ receiver: STRANGER, amount: '500' })
})
