import { beginCell as beginCore, Dictionary } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Augmentation,
  augDictKind,
  beginCell,
  bigKey,
  buildDict,
  CellError,
  CellUsage,
  type Codec,
  coinsValue,
  Dict,
  dictBytesKey,
  dictHashKey,
  dictKind,
  emptyDict,
  intKey,
  loadDict,
  loadInlineDict,
  openCell,
  refValue,
  sliceValue,
  storeDict,
  storeInlineDict,
  uintKey,
  uintValue,
  unitValue,
} from '../../../server/cell/index.ts'

const dictError = (code: string) => expect.objectContaining({ name: 'DictError', code })
const hexOf = (dict: { root: { hashHex(): string } | null }): string | undefined => dict.root?.hashHex()

function coreHash<V>(dict: Dictionary<bigint, V>): string | undefined {
  if (dict.size === 0) return undefined
  return beginCore().storeDict(dict).endCell().refs[0]?.hash().toString('hex')
}

// Keys that share long prefixes as well as keys that share none, so that all kinds of labels occur.
const keyOf = (bits: number): fc.Arbitrary<bigint> =>
  fc.tuple(fc.nat(3), fc.bigInt(0n, 2n ** BigInt(bits) - 1n), fc.nat(15)).map(([form, wide, small]) => {
    const top = 2n ** BigInt(bits)
    return [wide, BigInt(small) % top, top - 1n - (BigInt(small) % top), (wide >> 2n) << 2n][form] ?? wide
  })

describe('against @ton/core', () => {
  test.each([1, 2, 3, 8, 13, 32, 64, 256, 264])('default: keys of %i bits, sets and deletes in any order', (bits) => {
    const kind = dictKind(bigKey(bits), coinsValue)
    const change = fc.tuple(keyOf(bits), fc.option(fc.bigInt(0n, 2n ** 100n), { freq: 3 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const core = Dictionary.empty(Dictionary.Keys.BigUint(bits), Dictionary.Values.BigVarUint(4))
        let ours = emptyDict(kind)
        for (const [key, value] of changes) {
          if (value === null) core.delete(key)
          else core.set(key, value)
          ours = value === null ? ours.delete(key) : ours.set(key, value)
        }
        expect(hexOf(ours)).toBe(coreHash(core))
        expect(hexOf(emptyDict(kind).update(changes))).toBe(coreHash(core))
        expect(hexOf(buildDict(kind, core))).toBe(coreHash(core))
        expect(ours.count()).toBe(core.size)
        const sorted = [...core].sort(([a], [b]) => (a < b ? -1 : 1))
        expect([...ours]).toEqual(sorted)
        expect([...ours.entries({ reverse: true })]).toEqual(sorted.reverse())
        for (const [key] of changes) expect(ours.get(key)).toBe(core.get(key))
      }),
      { numRuns: 60 },
    )
  })

  test('behavior: batches on a filled dictionary equal the same changes one by one', () => {
    const kind = dictKind(bigKey(16), coinsValue)
    const entries = fc.array(fc.tuple(keyOf(16), fc.bigInt(0n, 999n)), { maxLength: 60 })
    const changes = fc.array(fc.tuple(keyOf(16), fc.option(fc.bigInt(0n, 999n), { freq: 2 })), { maxLength: 40 })
    fc.assert(
      fc.property(entries, changes, (first, then) => {
        const start = buildDict(kind, first)
        const map = new Map(first)
        let single = start
        for (const [key, value] of then) {
          single = value === null ? single.delete(key) : single.set(key, value)
          if (value === null) map.delete(key)
          else map.set(key, value)
        }
        const before = hexOf(start)
        const batch = start.update(then)
        expect(hexOf(batch)).toBe(hexOf(single))
        expect(hexOf(batch)).toBe(hexOf(buildDict(kind, map)))
        expect(hexOf(start)).toBe(before)
      }),
      { numRuns: 300 },
    )
  })

  test('args: signed keys are stored and ordered as numbers', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { minLength: 1 }), (keys) => {
        const core = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Uint(32))
        for (const key of keys) core.set(key, Math.abs(key))
        const ours = buildDict(dictKind(intKey(32), uintValue(32)), core)
        const sorted = [...keys].sort((a, b) => a - b)
        expect(hexOf(ours)).toBe(beginCore().storeDict(core).endCell().refs[0]?.hash().toString('hex'))
        expect([...ours.keys()]).toEqual(sorted)
        expect(ours.min()?.[0]).toBe(sorted[0])
        expect(ours.max()?.[0]).toBe(sorted.at(-1))
      }),
    )
  })
})

describe('order', () => {
  const bySize = (keys: number[]): number[] => [...keys].sort((a, b) => a - b)

  test.each([
    ['unsigned', uintKey(12), fc.nat(4095)],
    ['signed', intKey(12), fc.integer({ min: -2048, max: 2047 })],
  ] as const)('default: neighbours and ranges of %s keys, present or not', (_, codec, key) => {
    fc.assert(
      fc.property(fc.uniqueArray(key), key, (keys, from) => {
        const dict = buildDict(
          dictKind(codec, unitValue),
          keys.map((k) => [k, true] as const),
        )
        const sorted = bySize(keys)
        const list = (options: object): number[] => [...dict.entries({ from, ...options })].map(([k]) => k)
        expect(list({})).toEqual(sorted.filter((k) => k >= from))
        expect(list({ inclusive: false })).toEqual(sorted.filter((k) => k > from))
        expect(list({ reverse: true })).toEqual(sorted.filter((k) => k <= from).reverse())
        expect(dict.next(from)?.[0]).toBe(sorted.find((k) => k > from))
        expect(dict.next(from, true)?.[0]).toBe(sorted.find((k) => k >= from))
        expect(dict.previous(from)?.[0]).toBe(sorted.findLast((k) => k < from))
        expect(dict.previous(from, true)?.[0]).toBe(sorted.findLast((k) => k <= from))
        expect(dict.has(from)).toBe(keys.includes(from))
      }),
      { numRuns: 200 },
    )
  })
})

describe('augmented', () => {
  // Sum of the values, and the greatest of them.
  interface Sum {
    readonly total: bigint
    readonly most: number
  }
  const sum: Augmentation<number, Sum> = {
    load: (slice) => ({ total: slice.loadCoins(), most: slice.loadUint(32) }),
    store: (builder, extra) => void builder.storeCoins(extra.total).storeUint(extra.most, 32),
    leaf: (value) => ({ total: BigInt(value), most: value }),
    combine: (a, b) => ({ total: a.total + b.total, most: Math.max(a.most, b.most) }),
    empty: { total: 0n, most: 0 },
  }
  const value: Codec<number> = uintValue(32)
  const kind = augDictKind(bigKey(40), value, sum)

  test('behavior: smallest first, of the keys with a prefix, without opening the rest', () => {
    const least: Augmentation<number, number> = {
      load: (slice) => slice.loadUint(32),
      store: (builder, extra) => void builder.storeUint(extra, 32),
      leaf: (v) => v,
      combine: Math.min,
      empty: 0,
    }
    const queue = augDictKind(dictBytesKey(24), value, least)
    const bytes = fc.array(fc.nat(255), { minLength: 2, maxLength: 2 })
    const entry = fc.record({ first: fc.nat(2), bytes, time: fc.nat(20) })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), fc.nat(2), (entries, prefix) => {
        const dict = buildDict(
          queue,
          entries.map((made) => [Uint8Array.of(made.first, ...made.bytes), made.time] as const),
        )
        const taken = [...dict.smallestFirst(Uint8Array.of(prefix), (a, b) => a - b)]
        const wanted = [...dict].filter(([key]) => key[0] === prefix)
        expect(taken.map(([, time]) => time)).toEqual(wanted.map(([, time]) => time).sort((a, b) => a - b))
        const names = (all: [Uint8Array, number][]) => all.map(([key]) => Buffer.from(key).toString('hex')).sort()
        expect(names(taken)).toEqual(names(wanted))
      }),
    )
    const many = buildDict(
      queue,
      Array.from({ length: 4096 }, (_, i) => [Uint8Array.of(0, i >> 8, i & 255), (i * 7919) % 4096] as const),
    )
    const usage = new CellUsage()
    const first = usage.run(() => many.smallestFirst(Uint8Array.of(0), (a, b) => a - b).next())
    expect(first.value?.[1]).toBe(0)
    expect(usage.visited.size).toBeLessThan(60)
  })

  test('default: extras add up, whatever the way the dictionary came about', () => {
    const change = fc.tuple(keyOf(40), fc.option(fc.nat(1_000_000), { freq: 3 }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 50 }), fc.array(change, { maxLength: 50 }), (first, then) => {
        const map = new Map<bigint, number>()
        let single = emptyDict(kind)
        for (const [key, v] of [...first, ...then]) {
          single = v === null ? single.delete(key) : single.set(key, v)
          if (v === null) map.delete(key)
          else map.set(key, v)
        }
        const batch = emptyDict(kind).update(first).update(then)
        const bulk = buildDict(kind, map)
        const values = [...map.values()]
        expect([hexOf(batch), hexOf(single)]).toEqual([hexOf(bulk), hexOf(bulk)])
        expect(single.extra).toEqual({
          total: values.reduce((a, b) => a + BigInt(b), 0n),
          most: Math.max(0, ...values),
        })
        for (const [key, v] of map) expect(batch.get(key)).toBe(v)
        const slice = openCell(storeDict(beginCell(), batch).end())
        const back = loadDict(slice, kind)
        slice.finish()
        expect([hexOf(back), back.extra]).toEqual([hexOf(batch), batch.extra])
        expect([...back].length).toBe(map.size)
      }),
      { numRuns: 150 },
    )
  })

  test('behavior: inline dictionaries leave what follows them to the next reader', () => {
    const follow = beginCell().storeUint(1, 1).end()
    for (const entries of [
      [[5n, 7]],
      [
        [5n, 7],
        [6n, 8],
        [2n ** 39n, 1],
      ],
    ] as const) {
      const dict = buildDict(kind, entries)
      const slice = openCell(storeInlineDict(beginCell().storeUint(3, 2), dict).storeUint(9, 7).storeRef(follow).end())
      slice.skip(2)
      const back = loadInlineDict(slice, kind)
      expect(hexOf(back)).toBe(hexOf(dict))
      expect([slice.loadUint(7), slice.loadRef()]).toEqual([9, follow])
      slice.finish()
    }
    expect(() => storeInlineDict(beginCell(), emptyDict(kind))).toThrow(dictError('empty'))
  })
})

describe('values and keys', () => {
  test('behavior: slices, references and byte keys', () => {
    const cell = beginCell().storeUint(0xabc, 12).end()
    const slices = emptyDict(dictKind(dictHashKey, sliceValue)).set(cell.hash(), openCell(cell))
    expect(slices.getSlice(cell.hash())?.loadUint(12)).toBe(0xabc)
    expect([...slices.keys()]).toEqual([cell.hash()])
    const refs = emptyDict(dictKind(dictBytesKey(20), refValue)).set(new Uint8Array([1, 2, 0x30]), cell)
    expect([...refs]).toEqual([[new Uint8Array([1, 2, 0x30]), cell]])
    expect([...refs.values()]).toEqual([cell])
    expect([refs.isEmpty, emptyDict(refs.kind).isEmpty]).toEqual([false, true])
  })

  test('behavior: a change that changes nothing gives the same dictionary', () => {
    const dict = buildDict(dictKind(uintKey(16), uintValue(8)), [
      [1, 1],
      [2, 2],
      [900, 3],
    ] as const)
    expect(dict.delete(3)).toBe(dict)
    expect(
      dict.update([
        [4, null],
        [901, null],
      ]),
    ).toBe(dict)
    expect(dict.delete(1).delete(2).delete(900).root).toBeNull()
  })

  test('error: keys that do not fit', () => {
    expect(() => emptyDict(dictKind(uintKey(8), unitValue)).set(256, true)).toThrow(dictError('key'))
    expect(() => emptyDict(dictKind(uintKey(8), unitValue)).get(-1)).toThrow(dictError('key'))
    expect(() => emptyDict(dictKind(intKey(8), unitValue)).get(128)).toThrow(dictError('key'))
    expect(() => emptyDict(dictKind(bigKey(8), unitValue)).get(-1n)).toThrow(dictError('key'))
    expect(() => emptyDict(dictKind(dictBytesKey(16), unitValue)).get(new Uint8Array(3))).toThrow(dictError('key'))
    expect(() => emptyDict(dictKind(dictHashKey, unitValue)).get('short')).toThrow(dictError('key'))
  })

  test('error: values that do not fit a cell', () => {
    const wide = openCell(beginCell().storeRepeat(1, 800).end())
    expect(() => emptyDict(dictKind(dictHashKey, sliceValue)).set('x'.repeat(32), wide)).toThrow(CellError)
  })

  test('args: a limit stops the count of a dictionary that a few cells blow up', () => {
    // Both sides of every fork are the same cell: 2^64 entries in 65 cells.
    let root = beginCell().storeUint(0, 2).storeUint(1, 8).end()
    for (let i = 0; i < 64; i++) root = beginCell().storeUint(0, 2).storeRef(root).storeRef(root).end()
    const dict = new Dict(dictKind(bigKey(64), uintValue(8)), root)
    expect(dict.count(1000)).toBe(1001)
    expect([dict.min(), dict.max()]).toEqual([
      [0n, 1],
      [2n ** 64n - 1n, 1],
    ])
    expect(
      buildDict(dictKind(uintKey(8), unitValue), [
        [1, true],
        [2, true],
      ] as const).count(2),
    ).toBe(2)
  })

  test('error: cells that are no dictionary are refused, whatever they hold', () => {
    const kind = dictKind(uintKey(16), uintValue(8))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat(7), fc.nat(2), fc.nat(65535), (bytes, spare, refs, key) => {
        const bits = Math.max(0, bytes.length * 8 - spare)
        let cell = beginCell().storeRange(bytes, 0, bits).end()
        for (let i = 0; i < refs; i++) cell = beginCell().storeRange(bytes, 0, bits).storeRef(cell).storeRef(cell).end()
        const dict = new Dict(kind, cell)
        for (const use of [
          () => dict.get(key),
          () => [...dict].length,
          () => dict.count(),
          () => dict.set(key, 1),
          () => dict.delete(key),
          () => dict.next(key),
        ]) {
          try {
            use()
          } catch (error) {
            expect(error).toBeInstanceOf(CellError)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
