// Wages that pay themselves, in a real TVM: when they are due, and when there is enough to pay them.

import { Address, loadStateInit } from '@ton/core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { wagesPayer } from '../../../../server/demo/contracts/index.ts'
import { stateInit } from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { Actor, core, exitCode, genesisTime, sent, startTvm, systemAddress } from '../../devchain/actor.ts'
import { coin, person, raw } from '../../devchain/contracts/network.ts'

const beneficiary = person(0x77)
const payer = wagesPayer({ beneficiary, amount: 3n * coin, period: 600, id: 5 })
let executor: Emulator
let actor: Actor

beforeAll(async () => {
  executor = await startTvm()
})
const withCoins = (balance: bigint) =>
  new Actor(executor, { ...payer, address: systemAddress(payer.address.hash), balance, tickTock: true })
beforeEach(() => {
  actor = withCoins(100n * coin)
})

/** What a tick sends. */
function tick(): ReturnType<typeof sent> {
  const transaction = actor.special('tick')
  expect(exitCode(transaction)).toBe(0)
  return sent(transaction)
}

test('default: one payment in each period', () => {
  const once = [expect.objectContaining({ to: raw(beneficiary), value: 3n * coin, bounce: false })]
  expect(tick()).toEqual(once)
  expect(tick()).toEqual([])
  actor.now = genesisTime + 599
  expect(tick()).toEqual([])
  actor.now = genesisTime + 600
  expect(tick()).toEqual(once)
  const wages = actor.get('get_wages_data')
  expect(wages.readAddress().toRawString()).toBe(raw(beneficiary))
  expect([0, 1, 2, 3].map(() => wages.readBigNumber())).toEqual([3n * coin, 600n, BigInt(genesisTime + 1200), 5n])
})

test('behavior: without TON nothing fails, and it is paid as soon as there is some', () => {
  actor = withCoins(3n * coin)
  expect(tick()).toEqual([])
  actor.receive({ from: Address.parse(raw(person(1))), value: coin })
  expect(tick()).toHaveLength(1)
})

test('default: what deploys it asks to be woken before the messages of a block', () => {
  const { special, code, data } = loadStateInit(core(stateInit(payer)).beginParse())
  expect(special).toEqual({ tick: true, tock: false })
  expect([code?.hash(), data?.hash()]).toEqual([core(payer.code).hash(), core(payer.data).hash()])
})
