import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginCell,
  buildDict,
  type Cell,
  CellError,
  dictHashKey,
  dictKind,
  inOnePiece,
  openCell,
  refValue,
  sliceValue,
  uintKey,
} from '../../../../server/cell/index.ts'
import { loadingTokenContent, snakeBytes, utf8Text } from '../../../../server/tlb/index.ts'
import { chunked, keyOf, offchain, onchain, onchainCells, snake, snakeText } from '../../../setup/madeContents.ts'
import { cellTwins } from '../../cell/randomCells.ts'

const contentOf = (cell: Cell) => inOnePiece(loadingTokenContent(openCell(cell)))
const valuesOf = (entries: Record<string, Cell>) => contentOf(onchainCells(entries))

const text = fc.string({ unit: 'grapheme', maxLength: 700 })

describe('off-chain', () => {
  test('whatever is written as a snake is read', () => {
    fc.assert(
      fc.property(text, (uri) => {
        expect(contentOf(offchain(uri))).toEqual({ kind: 'offchain', uri })
      }),
    )
  })

  test('an address that begins with a byte order mark keeps it', () => {
    expect(contentOf(offchain('\ufeffx'))).toEqual({ kind: 'offchain', uri: '\ufeffx' })
  })

  test.each([
    ['bytes that are no UTF-8', snake(Uint8Array.of(0xff, 0xfe), [1])],
    ['bits that are no whole bytes', beginCell().storeUint(1, 8).storeUint(1, 3).end()],
    ['cells that branch', beginCell().storeUint(1, 8).storeRef(beginCell().end()).storeRef(beginCell().end()).end()],
    ['nothing at all', beginCell().end()],
    ['another tag', snakeText('https://example.org', [2])],
    ['no tag', snakeText('https://example.org')],
    ['a dictionary that is missing', beginCell().storeUint(0, 8).end()],
    ['a dictionary that is none', beginCell().storeUint(0, 8).storeBit(1).storeRef(beginCell().end()).end()],
  ])('error: %s', (_, cell) => {
    expect(() => contentOf(cell)).toThrow(CellError)
  })
})

const attributes = ['uri', 'name', 'description', 'image', 'symbol', 'decimals', 'amount_style', 'render_type']

describe('on-chain', () => {
  test('whatever is written, as a snake or in chunks, is read', () => {
    const size = fc.integer({ min: 1, max: 200 })
    const value = fc.tuple(text, fc.option(size, { nil: null }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...attributes), value), (given) => {
        const entries = Object.entries(given)
        const cells = entries.map(([name, [said, chunk]]) => [
          name,
          chunk === null ? snakeText(said, [0]) : chunked(Buffer.from(said), chunk),
        ])
        const values = Object.fromEntries(entries.map(([name, [said]]) => [name, said]))
        expect(valuesOf(Object.fromEntries(cells))).toEqual({ kind: 'onchain', values })
      }),
      { numRuns: 60 },
    )
  })

  test('no attributes', () => {
    expect(contentOf(onchain({}))).toEqual({ kind: 'onchain', values: {} })
  })

  test('semi-chain: where the rest lies is one of the values', () => {
    const values = { uri: 'https://example.org/usd.json', decimals: '6' }
    expect(contentOf(onchain(values))).toEqual({ kind: 'onchain', values })
  })

  test('bytes of an image become base64', () => {
    const image = Uint8Array.from({ length: 300 }, (_, i) => i)
    const values = { image_data: Buffer.from(image).toString('base64') }
    expect(valuesOf({ image_data: snake(image, [0]) })).toEqual({ kind: 'onchain', values })
    expect(valuesOf({ image_data: chunked(image, 100) })).toEqual({ kind: 'onchain', values })
  })

  test('keys without a known name, values of another form and other bytes than UTF-8 are left out', () => {
    const entries = {
      color: snakeText('red', [0]),
      name: snakeText('kept', [0]),
      symbol: snake(Uint8Array.of(0xc3), [0]),
      image: snakeText('https://example.org/x.png', [7]),
      uri: beginCell().end(),
      decimals: beginCell().storeUint(1, 8).storeBit(1).storeRef(beginCell().end()).end(),
    }
    expect(valuesOf(entries)).toEqual({ kind: 'onchain', values: { name: 'kept' } })
  })

  test('values in the leaf itself', () => {
    const kind = dictKind(dictHashKey, sliceValue)
    const long = 'd'.repeat(200)
    const { root } = buildDict(kind, [
      [keyOf('name'), openCell(snakeText('inline', [0]))],
      [keyOf('description'), openCell(snake(Buffer.from(long), [0], 60))],
    ])
    const cell = beginCell().storeUint(0, 8).storeMaybeRef(root).end()
    expect(contentOf(cell)).toEqual({ kind: 'onchain', values: { name: 'inline', description: long } })
  })
})

describe('hostile cells', () => {
  /** 2^depth entries in a few cells: every fork has the same cell on both sides. */
  function endless(leaf: Cell, keyBits: number): Cell {
    let node = leaf
    // Labels of no bits: `00`, which is a short one of length zero.
    for (let bit = 0; bit < keyBits; bit++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    return node
  }

  test('a dictionary of four thousand million chunks takes no time', () => {
    const empty = beginCell().storeUint(0, 2).storeRef(beginCell().end()).end()
    const full = beginCell()
      .storeUint(0, 2)
      .storeRef(snake(new Uint8Array(126)))
      .end()
    for (const leaf of [empty, full]) {
      const value = beginCell().storeUint(1, 8).storeBit(1).storeRef(endless(leaf, 32)).end()
      expect(valuesOf({ name: value, symbol: snakeText('S', [0]) })).toEqual({
        kind: 'onchain',
        values: { symbol: 'S' },
      })
    }
  })

  test('values that share their cells are read up to as many cells as an account can have', () => {
    const chunk = snake(new Uint8Array(400), [], 1)
    const leaf = beginCell().storeUint(6, 3).storeUint(22, 5).storeRef(chunk).end()
    const value = beginCell().storeUint(1, 8).storeBit(1).storeRef(endless(leaf, 10)).end()
    const all = Object.fromEntries(attributes.map((name) => [name, value]))
    expect(valuesOf({ ...all, symbol: snakeText('S', [0]) })).toEqual({ kind: 'onchain', values: { symbol: 'S' } })
  })

  test('a dictionary with all keys there are takes no time', () => {
    const leaf = beginCell()
      .storeUint(0, 2)
      .storeRef(snakeText('x', [0]))
      .end()
    const cell = beginCell().storeUint(0, 8).storeBit(1).storeRef(endless(leaf, 256)).end()
    expect(contentOf(cell)).toMatchObject({ kind: 'onchain', values: { name: 'x', decimals: 'x' } })
  })

  test('a value of over a million bytes is left out', () => {
    const parts = Array.from({ length: 400 }, (_, i) => [i, snake(new Uint8Array(3000).fill(65))] as const)
    const { root } = buildDict(dictKind(uintKey(32), refValue), parts)
    const value = beginCell().storeUint(1, 8).storeMaybeRef(root).end()
    expect(valuesOf({ description: value })).toEqual({ kind: 'onchain', values: {} })
  })

  test('any cells are content, or a CellError says that they are none', () => {
    fc.assert(
      fc.property(cellTwins(), fc.constantFrom(null, 0, 1), ({ ours }, tag) => {
        const cell = tag === null ? ours : beginCell().storeUint(tag, 8).storeBit(1).storeRef(ours).end()
        try {
          expect(['offchain', 'onchain']).toContain(contentOf(cell).kind)
        } catch (error) {
          expect(error).toBeInstanceOf(CellError)
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('bytes of a snake come back from any length of cells', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.integer({ min: 1, max: 127 }), (bytes, most) => {
      expect(snakeBytes(openCell(snake(bytes, [], most)))).toEqual(Buffer.from(bytes))
      if (bytes.length > 0) expect(snakeBytes(openCell(snake(bytes, [], most)), bytes.length - 1)).toBeNull()
    }),
  )
})

test('text is UTF-8 to the letter', () => {
  expect(utf8Text(Buffer.from('смарт 💎'))).toBe('смарт 💎')
  for (const hex of ['ff', 'c0af', 'eda080', 'f4908080', 'e282']) expect(utf8Text(Buffer.from(hex, 'hex'))).toBeNull()
})
