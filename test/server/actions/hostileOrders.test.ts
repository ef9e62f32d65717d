// Requests a wallet refused, that order far more than they hold: what they would have sent is shown only when it is in
// proportion.

import { Address, beginCell as begin, type Cell as CoreCell, internal, storeMessageRelaxed } from '@ton/core'
import { expect, test } from 'vitest'
import { accountsToKnow } from '../../../server/actions/accountsToKnow.ts'
import { classifyTrace } from '../../../server/actions/index.ts'
import { type Cell, readBoc } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'

const WALLET = `0:${'A'.repeat(64)}`
const owner = Address.parse(`0:${'AB'.repeat(32)}`)
const comment = (text: string) => begin().storeUint(0, 32).storeStringTail(text).endCell()

const refusal = (body: Cell) =>
  transaction({ account: WALLET, aborted: true, in: message({ source: null, destination: WALLET, body }) })
const actionsOf = (body: Cell) => classifyTrace(trace(refusal(body)), new Map()).actions

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
  expect(actionsOf(request(withComment('paid'), 256))).toMatchObject([{ type: 'unknown' }])
})

test('messages are shown up to as many cells as a message may have', () => {
  // Of 64 cells each: the head, and words in 63 of 127 bytes, four of them for the operation.
  const most = 63 * 127 - 4
  expect(actionsOf(request(withComment('a'.repeat(most)), 128)).map(({ type }) => type)).toEqual(
    Array.from({ length: 128 }, () => 'ton_transfer'),
  )
  expect(actionsOf(request(withComment('a'.repeat(most + 1)), 128))).toMatchObject([{ type: 'unknown' }])
})

test('another operation of a wallet v4 than to send orders nothing', () => {
  const order = (operation: number) => {
    const head = begin().storeBuffer(Buffer.alloc(64)).storeUint(0, 96).storeUint(operation, 8)
    return readBoc(head.storeUint(3, 8).storeRef(withComment('paid')).endCell().toBoc())
  }
  expect(actionsOf(order(0))).toMatchObject([{ type: 'ton_transfer', details: { comment: 'paid' } }])
  expect(actionsOf(order(1))).toMatchObject([{ type: 'unknown' }])
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

test('whom a wallet was ordered to pay is read only in a trace that ends with its order', () => {
  const ordered = refusal(request(withComment('paid'), 1))
  const other = `0:${'C'.repeat(64)}`
  const next = transaction({ account: other, in: message({ source: WALLET, destination: other }) })
  expect([...accountsToKnow(trace(ordered))]).toEqual([WALLET, `0:${'AB'.repeat(32)}`])
  expect([...accountsToKnow(trace(ordered, next))]).toEqual([WALLET, other])
})
