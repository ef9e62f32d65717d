// Jettons that a transaction of a wallet moved, by the message it received.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell, writeBoc } from '../../../server/cell/index.ts'
import { jettonsMoved } from '../../../server/methods/balance/moves.ts'
import type { MessageRow } from '../../../server/store/index.ts'
import { filledRows } from '../../setup/filler.ts'

const [rows] = filledRows({ transactions: 50 })
const some = rows?.messages.find(({ kind }) => kind === 'internal')
const row = rows?.transactions[0]

function moved(body: Cell, bounced: boolean): bigint {
  if (some === undefined || row === undefined) throw new Error('nothing was filled')
  const inMessage: MessageRow = { ...some, bounced, body: writeBoc(body) }
  return jettonsMoved({ row: { ...row, description: '{"aborted":false}' }, inMessage })
}

const sent = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(7n, 64).storeCoins(40n)
const TRANSFER = 0x178d4519
const BURN = 0x7bdd97de
const behind = (body: Cell) =>
  beginCell().storeUint(0xfffffffe, 32).storeRef(body).storeRef(beginCell().end()).storeUint(1, 8).end()

test.each([TRANSFER, BURN])('what came back is there again, in both forms of a bounce: %#', (opcode) => {
  expect(
    moved(
      beginCell()
        .storeUint(0xffffffff, 32)
        .storeSlice(openCell(sent(opcode).end()))
        .end(),
      true,
    ),
  ).toBe(40n)
  expect(moved(behind(sent(opcode).end()), true)).toBe(40n)
})

test('the words of both forms, in a message that nobody sent back, move nothing', () => {
  expect(moved(behind(sent(TRANSFER).end()), false)).toBe(0n)
  const old = beginCell()
    .storeUint(0xffffffff, 32)
    .storeSlice(openCell(sent(TRANSFER).end()))
  expect(moved(old.end(), false)).toBe(0n)
  expect(moved(beginCell().storeUint(0xfffffffe, 32).end(), true)).toBe(0n)
})
