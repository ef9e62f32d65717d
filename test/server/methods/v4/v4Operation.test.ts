// What v4 says a message asks for, of bodies that wallets write and of those that strangers do.

import { Address, beginCell, type Cell, comment, toNano } from '@ton/core'
import { expect, test } from 'vitest'
import { readBoc } from '../../../../server/cell/index.ts'
import { bodyOfV4, operationOf } from '../../../../server/methods/v4/operation.ts'

const OWN = Address.parse(`0:${'11'.repeat(32)}`).toString()
const OTHER = Address.parse(`0:${'22'.repeat(32)}`)
const ton = { kind: 'ton', amount: '5' }

const read = (cell: Cell) => bodyOfV4(readBoc(cell.toBoc()))
const operation = (cell: Cell) => operationOf(OWN, 5n, read(cell))

const named = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7, 64)

const transfer = (payload: Cell) =>
  named(0x0f8a7ea5)
    .storeCoins(1000n)
    .storeAddress(OTHER)
    .storeAddress(null)
    .storeBit(0)
    .storeCoins(1n)
    .storeMaybeRef(payload)
    .endCell()

const notification = (sender: Address | null) =>
  named(0x7362d09c).storeCoins(1000n).storeAddress(sender).storeMaybeRef(comment('for you')).endCell()

const token = { kind: 'token', amount: '1000' }

test.each([
  ['a comment', comment('hello'), { address: OWN, comment: 'hello', items: [ton] }],
  ['a comment over several cells', comment('x'.repeat(300)), { address: OWN, comment: 'x'.repeat(300), items: [ton] }],
  [
    'a transfer of jettons',
    transfer(comment('rent')),
    { address: OTHER.toString(), comment: 'rent', items: [token, ton], op: { type: 'jetton::transfer' } },
  ],
  [
    'jettons that came',
    notification(OTHER),
    {
      address: OTHER.toString(),
      comment: 'for you',
      items: [token, ton],
      op: { type: 'jetton::transfer_notification' },
    },
  ],
  [
    'jettons from no one',
    notification(null),
    { address: OWN, comment: 'for you', items: [token, ton], op: { type: 'airdrop' } },
  ],
  ['change', named(0xd53276db).endCell(), { address: OWN, items: [ton], op: { type: 'jetton::excesses' } }],
  ['a deposit', named(0x7bcd1fef).endCell(), { address: OWN, items: [ton], op: { type: 'deposit' } }],
  [
    'a withdrawal of a part',
    named(0xda803efd).storeCoins(0n).storeCoins(toNano('1.05')).endCell(),
    { address: OWN, items: [ton], op: { type: 'withdraw', options: { coins: '1.05' } } },
  ],
  [
    'a withdrawal of all',
    named(0xda803efd).storeCoins(0n).storeCoins(0n).endCell(),
    { address: OWN, items: [ton], op: { type: 'withdraw::all' } },
  ],
  ['an operation without a name', named(0x12345678).endCell(), { address: OWN, items: [ton] }],
  ['a transfer that is cut off', named(0x0f8a7ea5).endCell(), { address: OWN, items: [ton] }],
  ['an empty body', beginCell().endCell(), { address: OWN, items: [ton] }],
])('%s', (_, cell, expected) => {
  expect(operation(cell)).toEqual(expected)
})

test('a comment of cells that share their tail is bounded', () => {
  let tail = beginCell().storeBuffer(Buffer.alloc(127, 'x')).endCell()
  for (let depth = 0; depth < 500; depth++)
    tail = beginCell().storeBuffer(Buffer.alloc(127, 'x')).storeRef(tail).endCell()
  expect(read(beginCell().storeUint(0, 32).storeRef(tail).endCell())).toMatchObject({ type: 'comment' })
  for (let depth = 0; depth < 20; depth++)
    tail = beginCell().storeBuffer(Buffer.alloc(127, 'x')).storeRef(tail).endCell()
  const long = beginCell().storeUint(0, 32).storeRef(tail).endCell()
  expect(bodyOfV4(readBoc(long.toBoc(), { maxDepth: 1024 }))).toBeNull()
})
