// What EVAA makes of a liquidation, message by message.

import { describe, expect, test } from 'vitest'
import { type Builder, beginCell, type Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, type Step, typesOf } from './madeFlows.ts'

const [LIQUIDATOR, MASTER, CONTRACT, BORROWER] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]
const ASSET = Buffer.alloc(32, 9)
const MOST = 2n ** 64n - 1n

/** A call to the contract of a user, behind its header. */
const userCall = (operation: number): Builder =>
  beginCell().storeCoins(1n).storeBit(false).storeUint(0, 2).storeUint(operation, 32).storeUint(0n, 64)

const asked = (debt: bigint): Cell => {
  const request = address(beginCell().storeBytes(ASSET).storeUint(1n, 64), LIQUIDATOR)
  return userCall(0x31)
    .storeBit(false)
    .storeBit(false)
    .storeRef(request.storeBytes(ASSET).storeUint(debt, 64).end())
    .end()
}

const answerOf = (operation: number, answer: Cell): Cell =>
  address(address(call(operation), BORROWER), LIQUIDATOR)
    .storeBytes(ASSET)
    .storeRef(answer)
    .end()

/** What of the debt is paid by it; the protocol keeps the rest of what came in. */
const agreed = (liquidated: bigint, gift: bigint, reward: bigint): Cell => {
  const loan = beginCell().storeUint(0n, 64).storeUint(liquidated, 64).storeUint(gift, 64).storeUint(0n, 64)
  return answerOf(0x311, loan.storeBytes(ASSET).storeUint(0n, 64).storeUint(reward, 64).end())
}

const refused = (debt: bigint, reason: number): Cell => {
  const answer = beginCell().storeUint(debt, 64).storeBytes(ASSET).storeUint(1n, 64).storeUint(0n, 64)
  return answerOf(0x31f, answer.storeRef(beginCell().end()).storeUint(reason, 32).end())
}

const liquidation = (debt: bigint, body: Cell | null, leads: readonly Step[] = []): Step => {
  const answer: Step[] = body === null ? [] : [{ from: CONTRACT, to: MASTER, body, leads }]
  return {
    from: LIQUIDATOR,
    to: MASTER,
    body: address(call(3), BORROWER).end(),
    leads: [{ from: MASTER, to: CONTRACT, body: asked(debt), leads: answer }],
  }
}

const word = (operation: number): Step => ({ from: MASTER, to: CONTRACT, body: userCall(operation).end() })
const paid = (value: bigint): Step => ({ from: MASTER, to: LIQUIDATOR, body: call(0x311d).end(), value })
const sentBack: Step = { from: MASTER, to: LIQUIDATOR, body: call(0x311f).end(), value: 50n }

describe('a liquidation in EVAA', () => {
  test.each([
    ['the contract of the borrower has not answered', liquidation(60n, null)],
    ['the master has not taken up the answer', liquidation(60n, agreed(60n, 0n, 90n))],
  ])('is a call while %s', (_, flow) => {
    expect(typesOf(actionsOf(flow)).filter((type) => type.includes('evaa'))).toEqual([])
  })

  test.each([
    { debt: 60n, liquidated: 60n, shown: '60' },
    { debt: 60n, liquidated: 40n, shown: '40' },
    { debt: 0n, liquidated: 0n, shown: '0' },
    { debt: MOST, liquidated: MOST, shown: String(MOST) },
    // A contract cannot pay more of a debt than came in.
    { debt: 60n, liquidated: MOST, shown: '60' },
  ])('of $debt pays $shown of the debt when the contract takes $liquidated', ({ debt, liquidated, shown }) => {
    const gift = debt > liquidated ? debt - liquidated : 0n
    const [done] = actionsOf(liquidation(debt, agreed(liquidated, gift, 90n), [word(0x311a), paid(100n)]))
    const details = { debt_amount: shown, amount: '90', fail_reason: null, borrower_contract: CONTRACT }
    expect(done).toMatchObject({ type: 'evaa_liquidate', success: true, details })
  })

  test.each([
    { reason: 0x31f2, name: 'not_liquidatable' },
    { reason: 0x30f1, name: 'master_liquidating_too_much' },
    { reason: 0x31fe, name: 'execution_crashed' },
    { reason: 0x7777, name: 'unknown' },
  ])('that is refused brings nothing, and says why: $name', ({ reason, name }) => {
    const [done] = actionsOf(liquidation(60n, refused(60n, reason), [sentBack]))
    const details = { debt_amount: '60', amount: '0', fail_reason: name, source: LIQUIDATOR, borrower: BORROWER }
    expect(done).toMatchObject({ type: 'evaa_liquidate', success: false, details })
  })

  test('that the master sends back at once has failed, and says so', () => {
    const request = address(address(call(3), BORROWER), LIQUIDATOR).storeBytes(ASSET)
    const more = beginCell().end()
    const body = request.storeUint(1n, 64).storeUint(0, 2).storeUint(60n, 64).storeRef(more).storeRef(more).end()
    const bounce: Step = { from: MASTER, to: LIQUIDATOR, body: call(0xffffffff).end() }
    const sent: Step = { from: LIQUIDATOR, to: MASTER, body, aborted: true, leads: [bounce] }
    const [done] = actionsOf(sent)
    const named = {
      source: LIQUIDATOR,
      borrower: BORROWER,
      borrower_contract: null,
      fail_reason: 'immediate_rejection',
    }
    const details = { ...named, debt_amount: '60', amount: '0', asset_id: `0x${ASSET.toString('hex')}` }
    expect(done).toMatchObject({ type: 'evaa_liquidate', success: false, details })
    // Later versions know the liquidator by the message.
    const newer = address(call(3), BORROWER).storeBytes(ASSET).storeUint(1n, 64).storeUint(0, 2).storeUint(60n, 64)
    expect(actionsOf({ ...sent, body: newer.storeRef(more).storeRef(more).end() })[0]).toMatchObject({
      type: 'evaa_liquidate',
      success: false,
      details,
    })
    // A call that only looks like one.
    expect(typesOf(actionsOf({ ...sent, body: call(3).end() }))[0]).toBe('call_contract failed')
    expect(typesOf(actionsOf({ ...sent, aborted: false }))[0]).toBe('call_contract')
  })

  test('brings nothing when the master has not enough of the collateral', () => {
    const [done] = actionsOf(liquidation(60n, agreed(60n, 0n, 90n), [word(0x311f), sentBack]))
    const details = { debt_amount: '60', amount: '0', fail_reason: 'master_not_enough_liquidity' }
    expect(done).toMatchObject({ type: 'evaa_liquidate', success: false, details })
  })
})
