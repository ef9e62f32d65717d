// Requests a wallet refused, that order far more than they hold: what they would have sent is shown only when it is in
// proportion.

import { Address, beginCell as begin, type Cell as CoreCell, internal, storeMessageRelaxed } from '@ton/core'
import { expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { type Cell, readBoc } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'

const WALLET = `0:${'A'.repeat(64)}`
const owner = Address.parse(`0:${'AB'.repeat(32)}`)
const comment = (text: string) => begin().storeUint(0, 32).storeStringTail(text).endCell()

const actionsOf = (body: Cell) => {
  const refused = { account: WALLET, aborted: true, in: message({ source: null, destination: WALLET, body }) }
  return classifyTrace(trace(transaction(refused)), new Map()).actions
}

/** A request of a wallet v5 that sends the same message `count` times over. */
function request(sent: CoreCell, count: number): Cell {
  let list = begin().endCell()
  for (let i = 0; i < count; i++)
    list = begin().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(sent).endCell()
  const head = begin().storeUint(0x7369676e, 32).storeUint(0, 96).storeMaybeRef(list).storeBit(0)
  return readBoc(head.storeBuffer(Buffer.alloc(64)).endCell().toBoc())
}

const withComment = (text: string) =>
  begin()
    .store(storeMessageRelaxed(internal({ to: owner, value: 1n, body: comment(text) })))
    .endCell()

test('as many messages as a wallet may send, with short words each, are shown one by one', () => {
  const actions = actionsOf(request(withComment('paid'), 255))
  expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(255)
  expect(actions[7]).toMatchObject({ type: 'ton_transfer', success: false, details: { comment: 'paid' } })
})

test('the same long words in each of 255 messages are not shown 255 times', () => {
  expect(actionsOf(request(withComment('a'.repeat(20_000)), 255))).toMatchObject([{ type: 'unknown', details: {} }])
})

test('a message that claims an amount of every currency there could be is not believed', () => {
  let currencies = begin().storeUint(0, 2).storeUint(0, 5).endCell()
  for (let i = 0; i < 32; i++) currencies = begin().storeUint(0, 2).storeRef(currencies).storeRef(currencies).endCell()
  const head = begin().storeUint(0b010000, 6).storeAddress(owner).storeCoins(1).storeMaybeRef(currencies)
  expect(actionsOf(request(head.storeUint(0, 106).endCell(), 2))).toMatchObject([{ type: 'unknown' }])
})
