// The stack as cells: what is written is read back, by us and by the usual library.

import { Cell as CoreCell, parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, CellError, readBoc, writeBoc } from '../../../server/cell/index.ts'
import { ContractError } from '../../../server/contracts/contractError.ts'
import { readStack, writeStack } from '../../../server/contracts/stack/stackCells.ts'
import {
  intValue,
  listItems,
  listValue,
  NULL,
  type StackValue,
  tupleValue,
} from '../../../server/contracts/stack/stackValue.ts'

const cellWith = (value: number): Cell =>
  beginCell().storeUint(value, 32).storeRef(beginCell().storeUint(value, 32).end()).end()

const cell = fc.nat().map(cellWith)
const value: fc.Memo<StackValue> = fc.memo((depth) => {
  const flat: fc.Arbitrary<StackValue> = fc.oneof(
    fc.constant(NULL),
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map(intValue),
    fc.record({ kind: fc.constantFrom('cell', 'slice', 'builder'), cell }),
  )
  if (depth <= 1) return flat
  return fc.oneof(flat, fc.array(value(depth - 1), { maxLength: 6 }).map(tupleValue))
})

const shown = (one: StackValue): unknown => {
  if (one.kind === 'tuple') return one.items.map(shown)
  if (one.kind === 'int') return one.value
  return one.kind === 'null' || one.kind === 'unsupported' ? one.kind : [one.kind, one.cell.hashHex()]
}

const toCore = (one: StackValue): TupleItem => {
  const core = (of: Cell) => CoreCell.fromBoc(Buffer.from(writeBoc(of)))[0] ?? CoreCell.EMPTY
  if (one.kind === 'tuple') return { type: 'tuple', items: one.items.map(toCore) }
  if (one.kind === 'int') return { type: 'int', value: one.value }
  if (one.kind === 'null') return { type: 'null' }
  if (one.kind === 'unsupported') return { type: 'nan' }
  return { type: one.kind, cell: core(one.cell) }
}

const stacks = fc.array(value(4), { maxLength: 12 })

describe('writeStack and readStack', () => {
  test('give back what they were given', () => {
    fc.assert(
      fc.property(stacks, (values) => {
        expect(readStack(writeStack(values)).map(shown)).toEqual(values.map(shown))
      }),
      { numRuns: 200 },
    )
  })

  test('agree with the usual library in both directions', () => {
    fc.assert(
      fc.property(stacks, (values) => {
        const theirs = serializeTuple(values.map(toCore))
        expect(readStack(readBoc(theirs.toBoc())).map(shown)).toEqual(values.map(shown))
        const parsed = parseTuple(CoreCell.fromBoc(Buffer.from(writeBoc(writeStack(values))))[0] ?? CoreCell.EMPTY)
        expect(parsed.length).toBe(values.length)
        expect(serializeTuple(parsed).hash().equals(theirs.hash())).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('behavior: part of a cell becomes a cell of its own', () => {
    const whole = cellWith(0x01020304)
    const root = beginCell()
      .storeUint(1, 24)
      .storeRef(beginCell().end())
      .storeUint(4, 8)
      .storeRef(whole)
      .storeUint(8, 10)
      .storeUint(16, 10)
      .storeUint(0, 3)
      .storeUint(0, 3)
      .end()
    const [slice] = readStack(root)
    expect(slice).toMatchObject({ kind: 'slice' })
    expect(slice?.kind === 'slice' && slice.cell.hashHex()).toBe(beginCell().storeUint(2, 8).end().hashHex())
  })

  test('error: cells that are no stack', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(3), (bytes, refs) => {
        const builder = beginCell().storeBytes(bytes)
        for (let i = 0; i < refs; i++) builder.storeRef(cellWith(i))
        try {
          readStack(builder.end())
        } catch (error) {
          expect(error).toBeInstanceOf(CellError)
        }
      }),
    )
  })

  test('error: a few cells that claim more values than anybody could hold', () => {
    let bomb = beginCell().storeUint(0, 8).end()
    for (let i = 0; i < 100; i++)
      bomb = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(bomb).storeRef(bomb).end()
    const root = beginCell().storeUint(1, 24).storeRef(beginCell().end()).storeUint(3, 8).storeRef(bomb).end()
    expect(readStack(root)).toHaveLength(1)
    const tuple = beginCell().storeUint(1, 24).storeRef(beginCell().end()).storeUint(7, 8).storeUint(2, 16)
    expect(() => readStack(tuple.storeRef(bomb).storeRef(bomb).end())).toThrow(/over 8000/)
  })
})

describe('lists', () => {
  test('are pairs that end with null', () => {
    const items = [1n, 2n, 3n].map(intValue)
    expect(listItems(listValue(items))).toEqual(items)
    expect(listItems(NULL)).toEqual([])
  })

  test('are nothing else', () => {
    expect(listItems(tupleValue([]))).toBeNull()
    expect(listItems(tupleValue([NULL, intValue(1n)]))).toBeNull()
    expect(listItems(tupleValue([NULL, NULL, NULL]))).toBeNull()
    expect(listItems(intValue(0n))).toBeNull()
  })
})

test('error: a stack that is deeper than cells may be', () => {
  const numbers = Array.from({ length: 1100 }, (_, i) => intValue(BigInt(i)))
  for (const stack of [numbers, [listValue(numbers)]]) expect(() => writeStack(stack)).toThrow(ContractError)
  const whole = [listValue(numbers.slice(0, 1020))]
  expect(readStack(writeStack(whole)).map(shown)).toEqual(whole.map(shown))
})
