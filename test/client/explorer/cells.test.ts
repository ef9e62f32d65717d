// Bodies that are composed, dictionaries and the network configuration, held against what the service reads.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BagBuilder, bagOf, EMPTY_CELL } from '../../../client/explorer/cell/build.ts'
import { CellEnd, CellReader, dictionary } from '../../../client/explorer/cell/cellReader.ts'
import { commentCell, opcodeBody } from '../../../client/explorer/cell/commentCell.ts'
import { guessesOf } from '../../../client/explorer/cell/guesses.ts'
import { type BagCell, readBag } from '../../../client/explorer/cell/readBag.ts'
import { paramFields } from '../../../client/explorer/config/paramFields.ts'
import {
  beginCell,
  dictKind,
  emptyDict,
  openCell,
  readBoc,
  type Cell as ServerCell,
  uintKey,
  uintValue,
  writeBoc,
} from '../../../server/cell/index.ts'

const read = (cell: ServerCell): BagCell => readBag(writeBoc(cell)).roots[0] as BagCell
/** As the service reads what the page writes. */
const sent = (cell: BagCell): ServerCell => readBoc(Buffer.from(bagOf(cell), 'base64'))

function sizeOf(root: BagCell): number {
  const found = new Set([root])
  for (const cell of found) for (const ref of cell.refs) found.add(ref)
  return found.size
}

describe('composed bodies', () => {
  test('a bag of any cells is read back as it was, a cell that occurs twice once', () => {
    const widths = fc.array(fc.nat({ max: 90 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(widths, (list) => {
        const cells: BagCell[] = []
        for (const width of list) {
          const builder = new BagBuilder().uint((1n << BigInt(width)) - 1n, width)
          for (const back of [1, 1, 2 + (width % 5)]) {
            const ref = cells.at(-back)
            if (ref !== undefined) builder.ref(ref)
          }
          cells.push(builder.end())
        }
        const root = cells.at(-1) ?? EMPTY_CELL
        const bag = readBag(Buffer.from(bagOf(root), 'base64'))
        expect(bag.cells).toBe(sizeOf(root))
        expect(writeBoc(sent(root))).toEqual(writeBoc(sent(bag.roots[0] ?? EMPTY_CELL)))
      }),
    )
  })

  test('comments of any length are what the service reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (text) => {
        const root = sent(commentCell(text))
        const parts: Buffer[] = []
        for (let cell: ServerCell | undefined = root; cell !== undefined; cell = cell.refs[0]) {
          const slice = openCell(cell)
          parts.push(Buffer.from(slice.loadBytes(cell.bits / 8)))
        }
        expect(Buffer.concat(parts).subarray(4).toString()).toBe(Buffer.from(text).toString())
      }),
    )
    expect(() => commentCell('a'.repeat(30_000))).toThrow(/longer than/)
  })

  test('an opcode and a query id', () => {
    const cell = sent(opcodeBody('0x7e8764ef') ?? EMPTY_CELL)
    expect([cell.bits, Number(openCell(cell).loadUint(32))]).toEqual([96, 0x7e8764ef])
    expect([opcodeBody('hello'), opcodeBody('0x123456789')]).toEqual([null, null])
  })
})

test('dictionaries have the entries the service put into them', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.nat({ max: 2 ** 20 }).map(String), fc.nat({ max: 2 ** 15 })), (entries) => {
      let dict = emptyDict(dictKind(uintKey(32), uintValue(16)))
      for (const [key, value] of Object.entries(entries)) dict = dict.set(Number(key), value)
      if (dict.root === null) return
      const found = dictionary(read(dict.root), 32).map(({ key, value }) => [Number(key), Number(value.uint(16))])
      const expected = Object.entries(entries).map(([key, value]) => [Number(key), value])
      expect(found.sort(([a = 0], [b = 0]) => a - b)).toEqual(expected.sort(([a = 0], [b = 0]) => a - b))
    }),
  )
})

test('a cell that ends early is said to end, whatever is read', () => {
  const short = read(beginCell().storeUint(1, 7).end())
  expect(() => new CellReader(short).uint(8)).toThrow(CellEnd)
  expect(() => new CellReader(short).ref()).toThrow(CellEnd)
  expect(() => dictionary(short, 32)).toThrow(CellEnd)
})

test('prices and debts of the configuration that are nanotons are read as those', () => {
  const forward = beginCell()
  for (const [value, width] of [
    [0xea, 8],
    [400_000, 64],
    [65_536, 64],
    [65_536, 64],
    [98_304, 32],
    [1, 16],
    [1, 16],
  ] as const)
    forward.storeUint(value, width)
  expect(paramFields(25, read(forward.end()))?.[0]).toEqual(['Price of a message', { nanotons: 400_000n }])
  const gas = beginCell().storeUint(0xd1, 8).storeUint(100, 64).storeUint(40_000, 64).storeUint(0xde, 8)
  for (const value of [65_536, 1, 2, 3, 4, 100_000_000, 1_000_000_000]) gas.storeUint(value, 64)
  expect(paramFields(21, read(gas.end()))?.slice(-2)).toEqual([
    ['Debt that freezes', { nanotons: 100_000_000n }],
    ['Debt that deletes', { nanotons: 1_000_000_000n }],
  ])
})

describe('guesses', () => {
  const names = (cell: ServerCell) => Object.fromEntries(guessesOf(read(cell)).map(({ name, text }) => [name, text]))
  test.each([
    ['a comment', sent(commentCell('Hello, Мир! '.repeat(30))), { Comment: 'Hello, Мир! '.repeat(30) }],
    ['an opcode', beginCell().storeUint(0x0f8a7ea5, 32).end(), { Opcode: '0x0f8a7ea5' }],
    ['a number', beginCell().storeUint(1000, 17).end(), { Number: '1000' }],
    ['nothing', beginCell().end(), {}],
  ])('%s', (_, cell, expected) => expect(names(cell)).toMatchObject(expected))

  test('bytes that are no text are not shown as text', () => {
    expect(names(beginCell().storeUint(0xff00ff00n, 32).end())).not.toHaveProperty('Text')
  })
})
