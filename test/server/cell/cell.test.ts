import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beginCell,
  type Cell,
  CellError,
  CellKind,
  hashFromHex,
  prune,
  wrapProof,
  wrapUpdate,
} from '../../../server/cell/index.ts'
import { plainHashes } from './nodeHashes.ts'
import { cellTwins } from './randomCells.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const fork = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(7, 5)).end()

function expectNodeHashes(cell: Cell): void {
  const plain = plainHashes(cell)
  expect(cell.mask).toBe(plain.mask)
  for (let level = 0; level <= 3; level++) {
    expect(cell.hashHex(level)).toBe(plain.hashes[level]?.toString('hex'))
    expect(cell.depth(level)).toBe(plain.depths[level])
  }
  for (const ref of cell.refs) expectNodeHashes(ref)
}

test('default: the empty cell has its well-known hash', () => {
  const empty = beginCell().end()
  expect(empty.hashHex()).toBe('96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7')
  expect([empty.bits, empty.refs.length, empty.depth(), empty.level]).toEqual([0, 0, 0, 0])
})

test('behavior: hashes and depths of random trees are those of @ton/core', () => {
  fc.assert(
    fc.property(cellTwins(), ({ ours, core }) => {
      expect(ours.hashHex()).toBe(core.hash().toString('hex'))
      expect(ours.depth()).toBe(core.depth())
    }),
    { numRuns: 300 },
  )
})

test('behavior: a pruned branch keeps hash and depth of what it replaces, at every Merkle depth', () => {
  fc.assert(
    fc.property(cellTwins(), fc.nat(2), ({ ours }, merkleDepth) => {
      const cut = prune(ours, merkleDepth)
      expectNodeHashes(cut)
      if (ours.refs.length === 0) {
        expect(cut).toBe(ours)
        return
      }
      expect(cut.mask).toBe(1 << merkleDepth)
      expect(cut.bits).toBe(288)
      for (let level = 0; level <= merkleDepth; level++) expect(cut.hash(level)).toBe(ours.hash())
      expect(cut.depth(0)).toBe(ours.depth())
    }),
  )
})

test('behavior: masks 1 to 7 of pruned branches and the cells over them follow the rule of the node', () => {
  const tree = fork(leaf(1), fork(leaf(2)))
  for (let mask = 1; mask <= 7; mask++) {
    const levels = [1, 2, 4].filter((bit) => mask & bit).length
    const builder = beginCell().storeUint(1, 8).storeUint(mask, 8)
    for (let i = 0; i < levels; i++) builder.storeHash(leaf(100 + i).hash())
    for (let i = 0; i < levels; i++) builder.storeUint(10 * i + 3, 16)
    const branch = builder.end(true)
    expect(branch.mask).toBe(mask)
    expectNodeHashes(fork(branch, tree, fork(branch)))
    expectNodeHashes(wrapProof(fork(branch, tree)))
    expectNodeHashes(wrapUpdate(fork(branch, tree), fork(tree, prune(tree, 0))))
    expectNodeHashes(wrapProof(fork(wrapUpdate(branch, prune(tree, 1)), prune(tree, 0))))
  }
})

test('behavior: a proof cut through an update gives mask 3, and mask 2 where nothing was pruned before', () => {
  const before = fork(leaf(1), fork(leaf(2)))
  const after = fork(leaf(3), fork(leaf(2)))
  const whole = wrapUpdate(before, after)
  const cutWhole = wrapProof(fork(wrapUpdate(prune(before, 1), prune(after, 1))))
  expect(whole.mask).toBe(0)
  expect(cutWhole.refs[0]?.refs[0]?.refs[0]?.mask).toBe(2)
  expect(cutWhole.refs[0]?.hash(0)).toBe(fork(whole).hash())
  const shared = fork(leaf(1), prune(fork(leaf(2)), 0))
  const cutAgain = prune(shared, 1)
  expect(cutAgain.mask).toBe(3)
  expect(cutAgain.bits).toBe(16 + 2 * 272)
  expect(wrapProof(fork(wrapUpdate(cutAgain, cutAgain))).refs[0]?.hash(0)).toBe(fork(wrapUpdate(shared, shared)).hash())
  expectNodeHashes(wrapProof(fork(wrapUpdate(cutAgain, prune(after, 1)))))
})

test('behavior: a library reference has level 0 and the hash of its own bits', () => {
  const library = beginCell()
    .storeUint(2, 8)
    .storeHash(hashFromHex('ab'.repeat(32)))
    .end(true)
  expect([library.kind, library.level, library.bits]).toEqual([CellKind.library, 0, 264])
  expectNodeHashes(fork(library))
})

test('behavior: data is a copy, so a cell cannot be changed from outside', () => {
  const cell = beginCell().storeUint(0b101, 3).end()
  const data = cell.data()
  expect([...data]).toEqual([0b10100000])
  data[0] = 0
  expect([...cell.data()]).toEqual([0b10100000])
})

test('error: exotic cells that have not the form of their kind are refused', () => {
  const child = fork(leaf(1))
  const bad: (() => Cell)[] = [
    () => beginCell().end(true),
    () => beginCell().storeUint(0, 8).end(true),
    () => beginCell().storeUint(5, 8).end(true),
    () => beginCell().storeUint(1, 8).storeUint(0, 8).end(true),
    () => beginCell().storeUint(1, 8).storeUint(8, 8).storeUint(0, 250).end(true),
    () => beginCell().storeUint(1, 8).storeUint(1, 8).storeHash(child.hash()).end(true),
    () =>
      beginCell().storeUint(1, 8).storeUint(1, 8).storeHash(child.hash()).storeUint(1, 16).storeRef(child).end(true),
    () => beginCell().storeUint(2, 8).storeHash(child.hash()).storeRef(child).end(true),
    () => beginCell().storeUint(3, 8).storeHash(leaf(2).hash()).storeUint(1, 16).storeRef(child).end(true),
    () => beginCell().storeUint(3, 8).storeHash(child.hash()).storeUint(2, 16).storeRef(child).end(true),
    () => beginCell().storeUint(4, 8).storeHash(child.hash()).storeUint(1, 16).storeRef(child).end(true),
  ]
  for (const make of bad) expect(make).toThrow(expect.objectContaining({ name: 'CellError', code: 'exotic' }))
})

test('error: a tree deeper than 1024 is refused', () => {
  let cell = leaf(0)
  for (let i = 0; i < 1024; i++) cell = fork(cell)
  expect(cell.depth()).toBe(1024)
  expect(cell.hash()).toHaveLength(32)
  expect(() => fork(cell)).toThrow(CellError)
})
