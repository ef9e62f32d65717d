// Stakes with Hipo, in flows made by hand as its contracts send them.

import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../server/cell/index.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { account, actionsOf, address, call, comment, known, type Step, typesOf } from './madeFlows.ts'

const TREASURY: string = wellKnownAccounts.hipoTreasury.id
const USER = account('1')
const OTHER = account('2')
const PARENT = account('3')
const WALLET = account('4')
const COLLECTION = account('5')
const BILL = account('6')
const FACTS = { [WALLET]: known({ jettonWallet: { owner: USER, jetton: PARENT } }) }

const coin = 1_000_000_000n

/** Both amounts, and whose they are. */
const both = (opcode: number) => address(call(opcode).storeCoins(800n).storeCoins(coin), USER).end()
const one = (opcode: number, amount: bigint) => address(call(opcode).storeCoins(amount), USER).end()
const billed = (amount: bigint) =>
  address(address(call(0x4b2d7871).storeCoins(amount).storeBit(true), USER), PARENT)
    .storeCoins(0n)
    .end()

/** From the treasury by the parent to the wallet. */
const passed = (order: Cell, atWallet: number, leads: readonly Step[] = []): Step => ({
  from: TREASURY,
  to: PARENT,
  body: order,
  leads: [{ from: PARENT, to: WALLET, body: call(atWallet).end(), leads }],
})

const excess: Step = { from: WALLET, to: USER, body: call(0xd53276db).end() }
const minted = passed(both(0x5be57626), 0x5445efee, [excess])
const saved = passed(one(0x47daa10f, coin), 0x4cce0e74)
const returned = passed(one(0x32b67194, 800n), 0x1b77fd1a)
const payment: Step = { from: WALLET, to: USER, body: call(0xf0fa223b).end(), value: coin + 5n }
const paid = passed(both(0x4476fde0), 0x5b512e25, [payment])
const unpaid = passed(both(0x4476fde0), 0x5b512e25, [{ ...payment, aborted: true }])
const assigned: Step = { from: COLLECTION, to: BILL, body: call(0x3275dfc2).end() }
const bill = (amount: bigint): Step => ({ from: TREASURY, to: COLLECTION, body: billed(amount), leads: [assigned] })

const stake = { provider: 'hipo', stake_holder: USER, pool: TREASURY, asset: PARENT }

describe('a deposit', () => {
  const body = (coins: bigint, owner = USER) => address(call(0x3d3761a6), owner).storeCoins(coins).end()
  const deposit = (leads: readonly Step[], of: Partial<Step> = {}) =>
    actionsOf({ from: USER, to: TREASURY, body: body(coin), value: coin + 9n, leads, ...of }, FACTS)

  test('is of what the treasury took, and brings jettons', () => {
    const actions = deposit([minted])
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: String(coin), tokens_minted: '800' })
    expect(actions[0]?.roles).toMatchObject({ source: USER, sourceSecondary: WALLET, destination: TREASURY })
  })

  test.each(['d', 'D'])('by the comment %s', (text) => {
    const actions = deposit([minted], { body: comment(text) })
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toMatchObject({ ...stake, amount: String(coin), tokens_minted: '800' })
  })

  test('brings a bill until the end of the round', () => {
    const actions = deposit([saved, bill(coin)])
    expect(typesOf(actions)).toEqual(['stake_deposit', 'call_contract'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: String(coin), tokens_minted: null })
    expect(actions[0]?.accounts).toContain(COLLECTION)
  })

  test('for somebody else is theirs', () => {
    const request: Step = { from: OTHER, to: TREASURY, body: body(0n), value: coin + 9n, leads: [minted] }
    const [action] = actionsOf({ from: null, to: OTHER, leads: [request] }, FACTS)
    expect(action).toMatchObject({ type: 'stake_deposit', details: { stake_holder: USER, amount: String(coin) } })
    expect(action?.accounts).toEqual(expect.arrayContaining([USER, OTHER]))
  })

  test('that is refused, or that no wallet was credited with, has failed', () => {
    expect(typesOf(deposit([], { aborted: true }))).toEqual(['stake_deposit failed'])
    expect(typesOf(deposit([{ ...minted, aborted: true, leads: [] }]))).toEqual(['stake_deposit failed'])
  })

  test('of more than came is none, and neither is one with somebody else', () => {
    expect(typesOf(deposit([minted], { value: coin - 1n }))).not.toContain('stake_deposit')
    expect(typesOf(deposit([{ ...minted, from: OTHER }], { to: OTHER }))).not.toContain('stake_deposit')
    expect(typesOf(deposit([minted], { body: comment('dd') }))).not.toContain('stake_deposit')
  })
})

describe('a burn', () => {
  const burnt = (outcome: readonly Step[], { treasury = TREASURY, from = USER } = {}) => {
    const reserve: Step = { from: PARENT, to: treasury, body: call(0x386a358b).end(), leads: outcome }
    const forwarded: Step = { from: WALLET, to: PARENT, body: call(0x688b0213).end(), leads: [reserve] }
    const body = call(0x595f07bc).storeCoins(800n).end()
    return actionsOf({ from, to: WALLET, body, leads: [forwarded] }, FACTS)
  }

  test('is paid at once', () => {
    const actions = burnt([paid])
    expect(typesOf(actions)).toEqual(['stake_withdrawal'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: String(coin), tokens_burnt: '800', payout_nft: null })
    expect(typesOf(burnt([unpaid]))).toContain('stake_withdrawal failed')
  })

  test('is a request when a bill is made for it', () => {
    const actions = burnt([bill(800n)])
    expect(typesOf(actions)).toEqual(['stake_withdrawal_request', 'call_contract'])
    expect(actions[0]?.details).toEqual({ ...stake, tokens_burnt: '800', payout_nft: BILL })
    expect(typesOf(burnt([{ ...bill(800n), aborted: true, leads: [] }]))).toContain('stake_withdrawal_request failed')
  })

  test('stays one, which has failed, when the jettons are given back', () => {
    const actions = burnt([returned])
    expect(typesOf(actions)).toEqual(['jetton_burn failed'])
    expect(actions[0]?.details).toMatchObject({ owner: USER, owner_jetton_wallet: WALLET, amount: '800' })
  })

  test('stays one where another treasury pays', () => {
    expect(typesOf(burnt([{ ...paid, from: OTHER }], { treasury: OTHER }))[0]).toBe('jetton_burn')
  })

  test('of a stranger is none of the account that is named as the owner of what is given back', () => {
    expect(typesOf(burnt([returned], { from: OTHER }))).not.toContain('jetton_burn failed')
  })

  test('stays one while what is given back has not arrived', () => {
    expect(typesOf(burnt([{ ...returned, leads: [] }]))[0]).toBe('jetton_burn')
  })
})

describe('at the end of a round', () => {
  const settled = (opcode: number, outcome: readonly Step[], treasury = TREASURY) => {
    const settle: Step = { from: COLLECTION, to: treasury, body: one(opcode, 800n), leads: outcome }
    const burned: Step = { from: BILL, to: COLLECTION, body: call(0x840f6369).end(), leads: [settle] }
    return actionsOf({ from: COLLECTION, to: BILL, body: call(0x6f89f5e3).end(), leads: [burned] }, FACTS)
  }

  test('a deposit brings its jettons, and no TON a second time', () => {
    const actions = settled(0x42684479, [minted])
    expect(typesOf(actions)).toEqual(['stake_deposit'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: null, tokens_minted: '800' })
    expect(actions[0]?.accounts).toContain(BILL)
    expect(typesOf(settled(0x42684479, [{ ...minted, from: OTHER }], OTHER))).not.toContain('stake_deposit')
  })

  test('a withdrawal is paid for its bill', () => {
    const actions = settled(0x7cffe1ee, [paid])
    expect(typesOf(actions)).toEqual(['stake_withdrawal'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: String(coin), tokens_burnt: '800', payout_nft: BILL })
  })

  test('one that is put off is a request again, for another bill', () => {
    const actions = settled(0x7cffe1ee, [bill(800n)])
    expect(actions[0]).toMatchObject({ type: 'stake_withdrawal_request', details: { ...stake, payout_nft: BILL } })
  })

  test('one whose jettons are given back has failed', () => {
    const actions = settled(0x7cffe1ee, [returned])
    expect(typesOf(actions)).toEqual(['stake_withdrawal failed'])
    expect(actions[0]?.details).toEqual({ ...stake, amount: null, tokens_burnt: '800', payout_nft: BILL })
  })
})
