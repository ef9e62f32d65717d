// Proofs of one tree that are read one after the other: together they show what each of them shows, and nothing else is taken.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginCell,
  bytesKey,
  type Cell,
  CellKind,
  CellUsage,
  Dict,
  dictKind,
  emptyDict,
  graftProof,
  type KnownProof,
  loadProof,
  makeProof,
  readBocRoots,
  uintValue,
  writeBoc,
} from '../../../server/cell/index.ts'
import { cellTwins } from './randomCells.ts'

const KIND = dictKind(bytesKey(32), uintValue(32))
const LIMITS = { maxRoots: 2 }
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

function start(number: number) {
  const [first, second] = readBocRoots(bagOf(proofOf(number)))
  if (first === undefined || second === undefined) throw new Error('no roots')
  return { first, tree: loadProof(second), cuts: new Map<string, Cell>() }
}

/** Cells of the tree that are shown. */
function shown(cell: Cell): number {
  return cell.kind === CellKind.pruned ? 0 : cell.refs.reduce((sum, ref) => sum + shown(ref), 1)
}

/** All of it: kinds, hashes and depths. */
const outline = (cell: Cell): string =>
  `${cell.kind} ${cell.mask} ${cell.bits} ${cell.hashHex()} ${cell.depth()} ${Buffer.from(cell.data()).toString('hex')} ${cell.isVirtual} (${cell.refs.map(outline)})`

test('default: what all of them show, with the same hashes, and each time fewer new cells', () => {
  let known: KnownProof = start(0)
  expect(shown(known.tree)).toBeLessThan(shown(root) / 10)
  const added: number[] = []
  for (let i = 1; i < COUNT; i++) {
    const proof = proofOf(i)
    const grafted = graftProof(bagOf(proof), LIMITS, known)
    if (grafted === null) throw new Error('not taken')
    for (const tree of [grafted.tree, grafted.shown]) {
      expect(tree.hash()).toBe(root.hash())
      expect(tree.depth()).toBe(root.depth())
      expect(valueIn(tree, i)).toBe(i)
    }
    expect(outline(grafted.shown)).toBe(outline(loadProof(proof)))
    known = { ...known, tree: grafted.tree }
    added.push(grafted.added)
    for (let j = 0; j <= i; j++) expect(valueIn(known.tree, j)).toBe(j)
    const again = graftProof(bagOf(proof), LIMITS, known)
    expect(again?.tree).toBe(known.tree)
    expect(outline(again?.shown ?? root)).toBe(outline(loadProof(proof)))
    // Parts that are cut off for the first time.
    expect(graftProof(bagOf(proof), LIMITS, known)?.added).toBe(0)
  }
  expect(shown(known.tree)).toBe(shown(root))
  expect(Math.max(...added.slice(-20))).toBeLessThan(Math.min(...added.slice(0, 3)))
})

test('behavior: another tree, another first root, one root or three are not taken', () => {
  const known = start(0)
  const bag = bagOf(proofOf(1))
  expect(graftProof(bag, LIMITS, known)).not.toBeNull()
  expect(graftProof(bagOf(proofOf(1, other)), LIMITS, known)).toBeNull()
  expect(graftProof(bag, LIMITS, { ...known, first: proofOf(0) })).toBeNull()
  expect(graftProof(writeBoc(proofOf(1)), LIMITS, known)).toBeNull()
  expect(graftProof(writeBoc([proofOf(1), header]), LIMITS, known)).toBeNull()
  const three = writeBoc([header, proofOf(1), root])
  expect(graftProof(three, { maxRoots: 3 }, known)).toBeNull()
  expect(() => graftProof(bag.subarray(1), LIMITS, known)).toThrow(/no bag of cells/)
})

test('behavior: with any bit changed, what is taken is what a full reading of the same bytes takes', () => {
  const known = start(0)
  for (const number of [1, 2, 57]) {
    const bag = bagOf(proofOf(number))
    let taken = 0
    for (let bit = 0; bit < 8 * bag.length; bit++) {
      const changed = new Uint8Array(bag)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const whole = orNull(() => {
        const [one, second] = readBocRoots(changed, LIMITS)
        return one?.hash() === known.first.hash() && second ? loadProof(second, root.hash()) : null
      })
      const grafted = orNull(() => graftProof(changed, LIMITS, known))
      if (grafted === null) continue
      taken++
      expect(whole?.hash()).toBe(root.hash())
      expect(grafted.tree.hash()).toBe(root.hash())
      expect(outline(grafted.shown)).toBe(outline(whole ?? root))
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

test('behavior: a proof inside the tree, which one proof shows and the next cuts off, is shown by the first alone', () => {
  const tree = beginCell().storeRef(header).storeRef(root).end()
  const whole = makeProof(tree, (cell) => cell !== root)
  const cut = makeProof(tree, (cell) => cell === tree)
  const [first, second] = readBocRoots(bagOf(whole))
  if (first === undefined || second === undefined) throw new Error('no roots')
  const grafted = graftProof(bagOf(cut), LIMITS, { first, tree: loadProof(second), cuts: new Map() })
  expect(outline(grafted?.shown ?? root)).toBe(outline(loadProof(cut)))
  expect(outline(grafted?.tree ?? root)).toBe(outline(loadProof(whole)))
})

test('error: a chain of cells that is longer than the tree is deep', () => {
  const cut = loadProof(makeProof(root, () => false))
  const known = { first: beginCell().end(), tree: cut, cuts: new Map<string, Cell>() }
  for (const length of [1, 1_000, 60_000]) expect(graftProof(chainBag(length), LIMITS, known)).toBeNull()
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

test('behavior: any tree, cut in two ways', () => {
  fc.assert(
    fc.property(cellTwins(), fc.func(fc.boolean()), fc.func(fc.boolean()), ({ ours: one }, keep, keepOther) => {
      if (one.mask !== 0 || hasExotic(one)) return
      const cut = (by: (hash: string) => boolean) => makeProof(one, (cell) => cell === one || by(cell.hashHex()))
      const [before, next] = [cut(keep), cut(keepOther)]
      const [first, second] = readBocRoots(bagOf(before))
      if (first === undefined || second === undefined) throw new Error('no roots')
      const grafted = graftProof(bagOf(next), LIMITS, { first, tree: loadProof(second), cuts: new Map() })
      // Where a cell is referred to from several places, it may take too many comparisons.
      expect(grafted !== null || isShared(one)).toBe(true)
      if (grafted === null) return
      expect(grafted.tree.hash()).toBe(one.hash())
      expect(grafted.tree.depth()).toBe(one.depth())
      expect(outline(grafted.shown)).toBe(outline(loadProof(next)))
      const counts = [before, next].map((proof) => shown(loadProof(proof)))
      expect(shown(grafted.tree)).toBeGreaterThanOrEqual(Math.max(...counts))
      const both = cut((hash) => keep(hash) || keepOther(hash))
      expect(shown(grafted.tree)).toBeLessThanOrEqual(shown(loadProof(both)))
    }),
    { numRuns: 300 },
  )
})

function isShared(root: Cell): boolean {
  const hashes: string[] = []
  const visit = (cell: Cell): void => {
    hashes.push(cell.hash())
    for (const ref of cell.refs) visit(ref)
  }
  visit(root)
  return new Set(hashes).size < hashes.length
}

const hasExotic = (cell: Cell): boolean => cell.isExotic || cell.refs.some(hasExotic)
