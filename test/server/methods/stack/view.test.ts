// The stack on the wire: bounded whatever a contract left.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { intValue, NULL, type StackValue, tupleValue } from '../../../../server/contracts/index.ts'
import { toLegacyStack, toTypedStack } from '../../../../server/methods/view/stack.ts'
import { toPlainStack } from '../../../../server/methods/view/v3/stack.ts'

/** A few cells that write out as 2^n. */
function bomb(levels: number): Cell {
  let cell = beginCell().end()
  for (let i = 0; i < levels; i++) cell = beginCell().storeUint(i, 32).storeRef(cell).storeRef(cell).end()
  return cell
}

function nested(depth: number): StackValue {
  let value: StackValue = intValue(1n)
  for (let i = 0; i < depth; i++) value = tupleValue([value])
  return value
}

describe('toLegacyStack', () => {
  test('a cell whose last byte is not full keeps its unused bits zero', async () => {
    const [entry] = await toLegacyStack([{ kind: 'slice', cell: beginCell().storeUint(5, 3).end() }], {})
    expect(entry).toEqual([
      'cell',
      { bytes: expect.stringMatching(/^te6cck/), object: { data: { b64: 'oA==', len: 3 }, refs: [], special: false } },
    ])
  })

  test('behavior: a tree too large to write out is left to its bag of cells', async () => {
    const [entry] = await toLegacyStack([{ kind: 'cell', cell: bomb(60) }], {})
    expect(entry?.[1]).toEqual({ bytes: expect.any(String) })
  })

  test('builders and continuations are not shown', async () => {
    const builder = { kind: 'builder', cell: bomb(1) } as const
    expect(await toLegacyStack([builder, { kind: 'unsupported' }], {})).toEqual([
      ['unsupported', ''],
      ['unsupported', ''],
    ])
  })

  test('a pair that ends with null is a list', async () => {
    const pairs = [tupleValue([intValue(1n), NULL]), tupleValue([NULL, intValue(1n)])]
    expect((await toLegacyStack(pairs, {})).map(([type]) => type)).toEqual(['list', 'tuple'])
  })
})

test('v3 calls a slice on the stack itself a cell, as v2 does, and one inside of a tuple a slice', async () => {
  const slice: StackValue = { kind: 'slice', cell: beginCell().end() }
  const entry = { type: 'cell', value: expect.stringMatching(/^te6cck/) }
  const inner = [
    { ...entry, type: 'slice' },
    { type: 'num', value: '0x1' },
  ]
  expect(await toPlainStack([slice, tupleValue([slice, intValue(1n)])], {})).toEqual([
    entry,
    { type: 'tuple', value: inner },
  ])
})

test('v3 calls null an empty list, as v2 does, also inside of a tuple', async () => {
  const empty = { type: 'list', value: [] }
  const pair = { type: 'tuple', value: [empty, { type: 'num', value: '0x1' }] }
  expect(await toPlainStack([NULL, tupleValue([NULL, intValue(1n)])], {})).toEqual([empty, pair])
})

describe('bounds', () => {
  test.each([toLegacyStack, toTypedStack])('error: tuples nested a hundred deep', async (view) => {
    expect(await view([nested(100)], {})).toHaveLength(1)
    await expect(view([nested(101)], {})).rejects.toThrow('Result stack depth >= 100')
  })

  test.each([toLegacyStack, toTypedStack])('error: the same large cell over and over', async (view) => {
    let cell = beginCell().end()
    for (let i = 0; i < 400; i++) cell = beginCell().storeUint(i, 32).storeRepeat(1, 900).storeRef(cell).end()
    const value: StackValue = { kind: 'cell', cell }
    await expect(
      view(
        Array.from({ length: 1000 }, () => value),
        {},
      ),
    ).rejects.toThrow(/over \d+ bytes/)
  })
})
