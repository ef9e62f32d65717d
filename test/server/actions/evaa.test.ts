// What EVAA makes of a liquidation, message by message.

import { describe, expect, test } from 'vitest'
import { type Builder, beginCell, type Cell } from '../../../server/cell/index.ts'
import { account, actionsOf, address, call, type Step, typesOf } from './madeFlows.ts'

const [LIQUIDATOR, MASTER, CONTRACT, BORROWER] = ['1', '2', '3', '4'].map((digit) => account(digit)) as [
  ...(readonly [string, string, string, string]),
]
const ASSET = Buffer.alloc(32, 9)

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

const liquidation = (debt: bigint, body: Cell | null, leads: readonly Step[] = []): Step => {
  const answer: Step[] = body === null ? [] : [{ from: CONTRACT, to: MASTER, body, leads }]
  return {
    ...{ from: LIQUIDATOR, to: MASTER, body: address(call(3), BORROWER).end() },
    leads: [{ from: MASTER, to: CONTRACT, body: asked(debt), leads: answer }],
  }
}

describe('a liquidation in EVAA', () => {
  test.each([
    ['the contract of the borrower has not answered', liquidation(60n, null)],
    ['the master has not taken up the answer', liquidation(60n, agreed(60n, 0n, 90n))],
  ])('is a call while %s', (_, flow) => {
    expect(typesOf(actionsOf(flow)).filter((type) => type.includes('evaa'))).toEqual([])
  })
})
