import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BagCell,
  BagError,
  bytesOfText,
  hashOf,
  hexOfCell,
  readBag,
} from '../../../client/explorer/cell/readBag.ts'
import { beginCell, type Cell as ServerCell, writeBoc } from '../../../server/cell/index.ts'

const hexOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex')

/** Trees with bits of any number, and cells that occur twice. */
const trees = fc
  .array(
    fc.record({
      bits: fc.bigInt({ min: 0n, max: 2n ** 200n - 1n }),
      width: fc.nat({ max: 200 }),
      refs: fc.array(fc.nat(), { maxLength: 4 }),
    }),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((plan) => {
    const cells: ServerCell[] = []
    for (const { bits, width, refs } of plan) {
      const builder = beginCell()
      builder.storeUint(bits & (2n ** BigInt(width) - 1n), width)
      for (const ref of refs) {
        const target = cells[cells.length - 1 - (ref % Math.max(1, cells.length))]
        if (target !== undefined) builder.storeRef(target)
      }
      cells.push(builder.end())
    }
    return cells.at(-1) as ServerCell
  })

function same(mine: BagCell, theirs: ServerCell): void {
  expect(mine.bits).toBe(theirs.bits)
  expect(mine.refs.length).toBe(theirs.refs.length)
  mine.refs.forEach((ref, i) => {
    same(ref, theirs.refs[i] as ServerCell)
  })
}

describe('cells', () => {
  test('are those the service wrote, with their hashes', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.constantFrom(0, 1, 2, 3, 8, 31), async (tree, mode) => {
        const bag = readBag(writeBoc(tree, mode))
        expect(bag.roots).toHaveLength(1)
        same(bag.roots[0] as BagCell, tree)
        expect(hexOf(await hashOf(bag.roots[0] as BagCell))).toBe(Buffer.from(tree.hash(), 'latin1').toString('hex'))
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    [0n, 0, ''],
    [0x0f8a7ea5n, 32, '0F8A7EA5'],
    [5n, 3, 'B_'],
    [1n, 1, 'C_'],
    [0x1fn, 5, 'FC_'],
    [0xabcn, 12, 'ABC'],
  ])('%i in %i bits', (value, width, text) => {
    const cell = beginCell().storeUint(value, width).end()
    expect(hexOfCell(readBag(writeBoc(cell)).roots[0] as BagCell)).toBe(text)
  })
})

describe('refuses', () => {
  const whole = writeBoc(beginCell().storeUint(7n, 9).storeRef(beginCell().storeUint(1n, 40).end()).end())
  test('every shortened bag, and bytes that are none', () => {
    for (let length = 0; length < whole.length - 4; length++)
      expect(() => readBag(whole.subarray(0, length))).toThrow(BagError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 60 }), (noise, at) => {
        const bytes = new Uint8Array(whole)
        bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length))
        try {
          readBag(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(BagError)
        }
      }),
    )
  })

  test('counts that cannot be, before anything is allocated', () => {
    const claims = Buffer.from('b5ee9c72040400ffffff00000001000000000000000000', 'hex')
    expect(() => readBag(claims)).toThrow(/cells; 20000 at most/)
    expect(() => bytesOfText('hello!')).toThrow('This is neither base64 nor hex.')
    expect(() => bytesOfText(' ')).toThrow(/Paste/)
    expect(() => bytesOfText('a'.repeat(3 << 20))).toThrow(/1 MiB/)
  })
})
