import { Address, beginCell as beginCore, ExternalAddress as CoreExternal } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginCell,
  CellError,
  CellOverflow,
  CellUnderflow,
  loadAddress,
  loadExternalAddress,
  loadInternalAddress,
  type MessageAddress,
  openCell,
  stdAddress,
  storeAddress,
} from '../../../server/cell/index.ts'

const bigBits = fc
  .integer({ min: 1, max: 256 })
  .chain((bits) => fc.tuple(fc.constant(bits), fc.bigInt(0n, 2n ** BigInt(bits) - 1n)))

describe('integers', () => {
  test('default: every unsigned value at any bit offset is stored as @ton/core does and read back', () => {
    fc.assert(
      fc.property(fc.array(bigBits, { maxLength: 5 }), fc.nat(7), (values, shift) => {
        const used = values.filter((_, i) => values.slice(0, i + 1).reduce((sum, [bits]) => sum + bits, shift) <= 1023)
        const ours = beginCell().storeUint(0, shift)
        const core = beginCore().storeUint(0, shift)
        for (const [bits, value] of used) {
          ours.storeUint(value, bits)
          core.storeUint(value, bits)
        }
        const cell = ours.end()
        expect(cell.hashHex()).toBe(core.endCell().hash().toString('hex'))
        const slice = openCell(cell).skip(shift)
        for (const [bits, value] of used) {
          if (bits <= 53) expect(BigInt(slice.preloadUint(bits))).toBe(value)
          expect(slice.loadUintBig(bits)).toBe(value)
        }
        slice.finish()
      }),
      { numRuns: 500 },
    )
  })

  test('behavior: numbers and bigints of the same value give the same bits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 53 }), fc.nat(7), fc.maxSafeNat(), (bits, shift, seed) => {
        const value = seed % 2 ** bits
        const signed = value - 2 ** (bits - 1)
        const cell = beginCell().storeUint(0, shift).storeUint(value, bits).storeInt(signed, bits).end()
        const big = beginCell().storeUint(0n, shift).storeUint(BigInt(value), bits).storeInt(BigInt(signed), bits).end()
        expect(cell.equals(big)).toBe(true)
        const slice = openCell(cell).skip(shift)
        expect(slice.loadUint(bits)).toBe(value)
        expect(slice.clone().loadIntBig(bits)).toBe(BigInt(signed))
        expect(slice.loadInt(bits)).toBe(signed)
      }),
      { numRuns: 500 },
    )
  })

  test('args: 257-bit signed values, the widest of the machine', () => {
    const low = -(2n ** 256n)
    const high = 2n ** 256n - 1n
    const slice = openCell(beginCell().storeInt(low, 257).storeInt(high, 257).end())
    expect([slice.loadIntBig(257), slice.loadIntBig(257)]).toEqual([low, high])
  })

  test('args: a small number in a wide field', () => {
    expect(openCell(beginCell().storeUint(5, 200).storeInt(-5, 100).end()).skip(200).loadIntBig(100)).toBe(-5n)
  })

  test.each([
    ['too large', () => beginCell().storeUint(256, 8)],
    ['too large for 32 bits', () => beginCell().storeUint(2 ** 32, 32)],
    ['negative', () => beginCell().storeUint(-1, 8)],
    ['no integer', () => beginCell().storeUint(1.5, 8)],
    ['not a number', () => beginCell().storeUint(Number.NaN, 40)],
    ['a large bigint', () => beginCell().storeUint(2n ** 64n, 64)],
    ['a negative bigint', () => beginCell().storeUint(-1n, 64)],
    ['a signed value one too high', () => beginCell().storeInt(128, 8)],
    ['a signed value one too low', () => beginCell().storeInt(-129n, 8)],
    ['any value in no bits', () => beginCell().storeInt(1, 0)],
    ['no integer in many bits', () => beginCell().storeInt(1.5, 100)],
    ['not even finite', () => beginCell().storeUint(Number.POSITIVE_INFINITY, 100)],
    ['more than 257 bits', () => beginCell().storeUint(1n, 258)],
  ])('error: %s', (_, store) => {
    expect(store).toThrow(expect.objectContaining({ name: 'CellError', code: 'range' }))
  })
})

describe('variable integers', () => {
  test('default: coins are stored as @ton/core does', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 120n - 1n), fc.nat(7), (value, shift) => {
        const cell = beginCell()
          .storeUint(1, shift + 1)
          .storeCoins(value)
          .end()
        expect(cell.hashHex()).toBe(
          beginCore()
            .storeUint(1, shift + 1)
            .storeCoins(value)
            .endCell()
            .hash()
            .toString('hex'),
        )
        expect(
          openCell(cell)
            .skip(shift + 1)
            .loadCoins(),
        ).toBe(value)
      }),
    )
  })

  test('error: too large, negative, cut short, or with a length its type does not have', () => {
    expect(() => beginCell().storeCoins(2n ** 120n)).toThrow(CellError)
    expect(() => beginCell().storeCoins(-1n)).toThrow(CellError)
    expect(() => openCell(beginCell().storeUint(3, 4).storeUint(1, 16).end()).loadCoins()).toThrow(CellUnderflow)
    expect(() => openCell(beginCell().storeUint(7, 3).storeUint(1, 56).end()).loadVarUint(7)).toThrow(
      expect.objectContaining({ code: 'value' }),
    )
  })
})

describe('bits, bytes and references', () => {
  test('default: bytes at any offset come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(31), (bytes, shift) => {
        const cell = beginCell().storeUint(0, shift).storeBytes(bytes).end()
        expect(openCell(cell).skip(shift).loadBytes(bytes.length)).toEqual(bytes)
      }),
    )
  })

  test('behavior: hashes, bit strings, repeated bits and whole slices come back', () => {
    const inner = beginCell().storeUint(9, 4).end()
    const hash = inner.hash()
    const part = openCell(beginCell().storeUint(0x5a5, 12).storeRef(inner).end()).skip(3)
    const cell = beginCell()
      .storeBit(true)
      .storeHash(hash)
      .storeBits({ bytes: new Uint8Array([0xff, 0x80]), bits: 9 })
      .storeRepeat(1, 45)
      .storeRepeat(0, 3)
      .storeSlice(part)
      .storeMaybeRef(null)
      .storeMaybeRef(inner)
      .end()
    const slice = openCell(cell)
    expect(slice.loadBit()).toBe(true)
    expect(slice.loadHash()).toBe(hash)
    expect(slice.loadBits(9)).toEqual({ bytes: new Uint8Array([0xff, 0x80]), bits: 9 })
    expect(slice.loadUintBig(48)).toBe((2n ** 45n - 1n) << 3n)
    const again = slice.loadSlice(9, 1)
    expect(again.loadUint(9)).toBe(0x1a5)
    expect(again.loadRef()).toBe(inner)
    expect([slice.loadMaybeRef(), slice.loadMaybeRef()]).toEqual([null, inner])
    slice.finish()
    expect(part.remainingBits).toBe(9)
  })

  test('behavior: a builder inside a builder, and what a slice has left', () => {
    const inner = beginCell().storeUint(5, 7).storeRef(beginCell().end())
    const slice = openCell(beginCell().storeUint(1, 2).storeBuilder(inner).end())
    slice.skip(2)
    const rest = slice.loadRest()
    expect([slice.isEmpty, rest.remainingBits, rest.remainingRefs]).toEqual([true, 7, 1])
    expect(beginCell().storeSlice(rest).end().equals(inner.end())).toBe(true)
  })

  test('error: more than 1023 bits or four references, and nothing is lost by trying', () => {
    const builder = beginCell().storeRepeat(0, 1000)
    expect(() => builder.storeUint(0, 24)).toThrow(CellOverflow)
    expect(() => builder.storeUint(0, -1)).toThrow(CellOverflow)
    expect(() => builder.storeRepeat(0, -1)).toThrow(CellOverflow)
    expect(builder.bits).toBe(1000)
    const ref = beginCell().end()
    for (let i = 0; i < 4; i++) builder.storeRef(ref)
    expect(() => builder.storeRef(ref)).toThrow(CellOverflow)
    expect(() => builder.storeSlice(openCell(beginCell().storeRef(ref).end()))).toThrow(CellOverflow)
    expect(builder.storeUint(0, 23).end().bits).toBe(1023)
  })

  test('error: a builder that has ended takes nothing more', () => {
    const builder = beginCell().storeUint(1, 8)
    const cell = builder.end()
    expect(() => builder.storeBit(1)).toThrow(CellOverflow)
    expect(() => builder.storeRef(cell)).toThrow(CellOverflow)
    expect(() => builder.end()).toThrow(CellOverflow)
    expect([...cell.data()]).toEqual([1])
  })

  test('error: reading past the end throws and does not move', () => {
    const slice = openCell(beginCell().storeUint(5, 5).end())
    for (const read of [
      () => slice.loadUint(6),
      () => slice.loadUintBig(300),
      () => slice.loadBytes(1),
      () => slice.loadHash(),
      () => slice.loadBits(6),
      () => slice.skip(-1),
      () => slice.loadRef(),
      () => slice.skipRefs(1),
      () => slice.loadSlice(1, 1),
      () => slice.loadSlice(9, 0),
    ])
      expect(read).toThrow(CellUnderflow)
    expect(slice.loadUint(5)).toBe(5)
    expect(() => openCell(beginCell().storeBit(1).end()).loadMaybeRef()).toThrow(CellUnderflow)
    expect(() => openCell(beginCell().storeBit(1).end()).finish()).toThrow(
      expect.objectContaining({ code: 'leftover' }),
    )
    expect(() => slice.loadUint(54)).toThrow(expect.objectContaining({ code: 'range' }))
  })
})

describe('addresses', () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const bitString = fc
    .tuple(fc.integer({ min: 0, max: 511 }), fc.uint8Array({ minLength: 64, maxLength: 64 }))
    .map(([bits, bytes]) => openCell(beginCell().storeRange(bytes, 0, bits).end()).loadBits(bits))
  const anycast = fc.option(
    fc
      .integer({ min: 1, max: 30 })
      .chain((depth) => fc.record({ depth: fc.constant(depth), prefix: fc.nat(2 ** depth - 1) })),
  )
  const address: fc.Arbitrary<MessageAddress> = fc.oneof(
    fc.constant(null),
    fc.record({ kind: fc.constant('std' as const), anycast, workchain: fc.integer({ min: -128, max: 127 }), hash }),
    fc.record({ kind: fc.constant('var' as const), anycast, workchain: fc.integer(), address: bitString }),
    fc.record({ kind: fc.constant('external' as const), address: bitString }),
  )

  test('default: every form comes back as it was', () => {
    fc.assert(
      fc.property(address, (value) => {
        const slice = openCell(storeAddress(beginCell(), value).end())
        expect(loadAddress(slice)).toEqual(value)
        slice.finish()
      }),
    )
  })

  test('behavior: standard and external ones are stored as @ton/core does', () => {
    fc.assert(
      fc.property(
        hash,
        fc.integer({ min: -128, max: 127 }),
        fc.bigInt(0n, 2n ** 64n - 1n),
        (id, workchain, external) => {
          const ours = storeAddress(beginCell(), stdAddress(workchain, id))
          storeAddress(ours, {
            kind: 'external',
            address: openCell(beginCell().storeUint(external, 64).end()).loadBits(64),
          })
          const core = beginCore().storeAddress(new Address(workchain, Buffer.from(id)))
          core.storeAddress(new CoreExternal(external, 64))
          expect(ours.end().hashHex()).toBe(core.endCell().hash().toString('hex'))
        },
      ),
    )
  })

  test('error: the wrong class of address, a bad anycast, an account id of another length', () => {
    const none = openCell(storeAddress(beginCell(), null).end())
    const std = openCell(storeAddress(beginCell(), stdAddress(0, new Uint8Array(32))).end())
    expect(loadExternalAddress(none.clone())).toBeNull()
    expect(() => loadInternalAddress(none)).toThrow(expect.objectContaining({ code: 'value' }))
    expect(() => loadExternalAddress(std)).toThrow(expect.objectContaining({ code: 'value' }))
    const anycast = openCell(beginCell().storeUint(0b101, 3).storeUint(31, 5).storeRepeat(0, 300).end())
    expect(() => loadAddress(anycast)).toThrow(expect.objectContaining({ code: 'value' }))
    expect(() => storeAddress(beginCell(), stdAddress(0, new Uint8Array(31)))).toThrow(CellError)
    expect(() => storeAddress(beginCell(), stdAddress(128, new Uint8Array(32)))).toThrow(CellError)
  })
})
