// Proofs of one tree that are read one after the other: together they show what each of them shows, and nothing else is taken.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginCell,
  type Cell,
  CellKind,
  CellUsage,
  Dict,
  dictBytesKey,
  dictKind,
  emptyDict,
  graftProof,
  type KnownProof,
  loadProof,
  makeProof,
  openCell,
  readBocRoots,
  uintValue,
  writeBoc,
} from '../../../server/cell/index.ts'

const KIND = dictKind(dictBytesKey(32), uintValue(32))
const LIMITS = { maxRoots: 2, isConstant: true } as const
const COUNT = 200

const keyOf = (number: number): Uint8Array =>
  Buffer.from(((number * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0'), 'hex')

function treeOf(count: number): Cell {
  let dict = emptyDict(KIND)
  for (let i = 0; i < count; i++) dict = dict.set(keyOf(i), i)
  if (dict.root === null) throw new Error('an empty tree')
  return dict.root
}

const valueIn = (tree: Cell, number: number): number | undefined => new Dict(KIND, tree).get(keyOf(number))

const root = treeOf(COUNT)
const other = treeOf(3)

function proofOf(number: number, of: Cell = root): Cell {
  const usage = new CellUsage()
  usage.run(() => valueIn(of, number))
  return makeProof(of, usage)
}

const header = makeProof(other, (cell) => cell === other)
/** Without a checksum, which would refuse nearly all that is altered. */
const bagOf = (proof: Cell): Uint8Array => writeBoc([header, proof], 0)

function knownFrom(bag: Uint8Array): KnownProof & { readonly first: Cell } {
  const [first, second] = readBocRoots(bag)
  if (first === undefined || second === undefined) throw new Error('no roots')
  return { first, tree: loadProof(second), parts: new Map() }
}

const start = (number: number) => knownFrom(bagOf(proofOf(number)))

/** What a bag is found to say of a number: undefined where it is not taken. */
function find(bag: Uint8Array, known: KnownProof, number: number): number | null | undefined {
  const grafted = graftProof(bag, LIMITS, known, { path: [], key: keyOf(number) })
  return grafted === null ? undefined : (grafted.leaf?.loadUint(32) ?? null)
}

test('default: what each of them shows, and each time fewer new cells', () => {
  const known = start(0)
  const added: number[] = []
  for (let i = 1; i < COUNT; i++) {
    const bag = bagOf(proofOf(i))
    const grafted = graftProof(bag, LIMITS, known, { path: [], key: keyOf(i) })
    added.push(grafted?.added ?? Number.NaN)
    expect(grafted?.leaf?.loadUint(32)).toBe(i)
    expect(find(bag, known, i)).toBe(i)
    expect(graftProof(bag, LIMITS, known, { path: [], key: keyOf(i) })?.added).toBe(0)
  }
  expect(Math.max(...added.slice(-20))).toBeLessThan(Math.min(...added.slice(0, 3)))
})

test('default: that there is none, in a part that is known and in one that is new', () => {
  const known = start(0)
  for (let i = COUNT; i < 2 * COUNT; i++) expect(find(bagOf(proofOf(i)), known, i)).toBe(null)
})

test('behavior: what only an earlier proof has shown is not found in a later one', () => {
  const known = start(0)
  expect(find(bagOf(proofOf(1)), known, 1)).toBe(1)
  const later = bagOf(proofOf(2))
  expect(find(later, known, 2)).toBe(2)
  expect(find(later, known, 1)).toBe(undefined)
  expect(find(later, known, 0)).toBe(undefined)
})

test('behavior: a dictionary below the root of the tree', () => {
  const tree = beginCell().storeRef(other).storeRef(beginCell().storeRef(root).end()).end()
  const proofIn = (number: number): Uint8Array => {
    const usage = new CellUsage()
    usage.run(() => valueIn(openCell(openCell(tree).skipRefs(1).loadRef()).loadRef(), number))
    return bagOf(makeProof(tree, usage))
  }
  const known = knownFrom(proofIn(0))
  const found = (path: readonly number[]) => graftProof(proofIn(7), LIMITS, known, { path, key: keyOf(7) })
  expect(found([1, 0])?.leaf?.loadUint(32)).toBe(7)
  for (const path of [[0], [2], [1, 1], [1, 0, 3]]) expect(found(path)).toBe(null)
})

test('behavior: another tree, another first root, one root or three are not taken', () => {
  const known = start(0)
  const bag = bagOf(proofOf(1))
  expect(find(bag, known, 1)).toBe(1)
  expect(find(bagOf(proofOf(1, other)), known, 1)).toBe(undefined)
  expect(find(bag, { ...known, first: proofOf(0) }, 1)).toBe(undefined)
  expect(find(writeBoc(proofOf(1)), known, 1)).toBe(undefined)
  expect(find(writeBoc([proofOf(1), header]), known, 1)).toBe(undefined)
  const three = writeBoc([header, proofOf(1), root])
  expect(graftProof(three, { ...LIMITS, maxRoots: 3 }, known, { path: [], key: keyOf(1) })).toBeNull()
  expect(() => find(bag.subarray(1), known, 1)).toThrow(/no bag of cells/)
})

test('behavior: a proof alone in its bag, where all bags are so', () => {
  const known = { ...start(0), first: null }
  for (let i = 1; i < COUNT; i++) {
    expect(find(bagOf(proofOf(i)), known, i)).toBe(undefined)
    expect(find(writeBoc(proofOf(i)), known, i)).toBe(i)
  }
  expect(find(writeBoc(proofOf(1, other)), known, 1)).toBe(undefined)
  expect(find(writeBoc(proofOf(1)), known, 2)).toBe(undefined)
})

test('behavior: with any bit changed, what is taken is what a full reading of the same bytes takes', () => {
  for (const number of [1, 2, 57]) {
    const bag = bagOf(proofOf(number))
    let taken = 0
    for (let bit = 0; bit < 8 * bag.length; bit++) {
      const known = start(0)
      const changed = new Uint8Array(bag)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const whole = orNull(() => {
        const [one, second] = readBocRoots(changed, LIMITS)
        return one?.hash() === known.first.hash() && second ? loadProof(second, root.hash()) : null
      })
      const found = orNull(() => find(changed, known, number))
      expect(known.parts.size).toBeLessThan(2)
      for (const [hash, part] of known.parts) expect(part.hash()).toBe(hash)
      if (found === null || found === undefined) continue
      taken++
      expect(whole?.hash()).toBe(root.hash())
      expect(whole && valueIn(whole, number)).toBe(found)
    }
    expect(taken).toBeLessThan(8)
  }
})

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

test('error: a chain of cells that is longer than the tree is deep', () => {
  const cut = loadProof(makeProof(root, () => false))
  const known = { first: beginCell().end(), tree: cut, parts: new Map<string, Cell>() }
  for (const length of [1, 1_000, 60_000]) expect(find(chainBag(length), known, 0)).toBe(undefined)
})

/** An empty cell, and a proof of the tree that has a chain in its place. */
function chainBag(length: number): Uint8Array {
  const depth = root.depth()
  const chain = Array.from({ length }, (_, i) => (i < length - 1 ? [1, 0, (i + 3) >> 8, (i + 3) & 255] : [0, 0]))
  const cells = [0, 0, 9, 70, CellKind.merkleProof, ...root.hashBytes(), depth >> 8, depth & 255, 0, 2, ...chain.flat()]
  const head = Buffer.alloc(6 + 6 + 3 + 4)
  head.writeUInt32BE(0xb5ee9c72)
  head.set([2, 3], 4)
  head.writeUInt16BE(length + 2, 6)
  head.writeUInt16BE(2, 8)
  head.writeUIntBE(cells.length, 12, 3)
  head.writeUInt16BE(1, 17)
  return Buffer.concat([head, Buffer.from(cells)])
}

test('behavior: any dictionary, cut in two ways: what is taken is what a full reading takes', () => {
  const numbers = fc.uniqueArray(fc.nat(400), { minLength: 2, maxLength: 30 })
  fc.assert(
    fc.property(numbers, fc.func(fc.boolean()), fc.func(fc.boolean()), fc.nat(400), (all, keep, keepOther, wanted) => {
      let dict = emptyDict(KIND)
      for (const number of all) dict = dict.set(keyOf(number), number)
      const { root: one } = dict
      if (one === null) throw new Error('an empty tree')
      const cut = (by: (hash: string) => boolean) => makeProof(one, (cell) => cell === one || by(cell.hashHex()))
      const known = knownFrom(bagOf(cut(keep)))
      const next = cut(keepOther)
      // Null where the proof cuts it off.
      const whole = orNull(() => valueIn(loadProof(next), wanted) ?? 'none')
      const found = find(bagOf(next), known, wanted)
      expect(found === null ? 'none' : (found ?? null)).toBe(whole)
    }),
    { numRuns: 300 },
  )
})
