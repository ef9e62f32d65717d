// Proofs that are written without their cells: the same bytes as those of the cells.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginCell,
  bigKey,
  buildDict,
  type Cell,
  CellUsage,
  dictKind,
  loadInlineDict,
  loadProof,
  makeProof,
  makeUpdate,
  openCell,
  type PlannedProof,
  readBoc,
  storeInlineDict,
  uintValue,
  writeBoc,
} from '../../../server/cell/index.ts'
import { cellsOf } from '../../setup/cellTree.ts'
import { cellTwins } from './randomCells.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const fork = (...refs: Cell[]): Cell => refs.reduce((builder, ref) => builder.storeRef(ref), beginCell()).end()

const copyOf = (cell: Cell): Cell => readBoc(writeBoc(cell))

/** The cells of a tree that reading opens: each below one that is opened too. */
function openedIn(root: Cell, choose: () => boolean): Set<Cell> {
  const opened = new Set<Cell>()
  const go = (cell: Cell): void => {
    if (opened.has(cell)) return
    opened.add(cell)
    for (const ref of cell.refs) if (choose()) go(ref)
  }
  go(root)
  return opened
}

function planOf(root: Cell, shown: Iterable<Cell>): PlannedProof {
  const usage = new CellUsage()
  for (const cell of shown) usage.visited.add(cell)
  return { root, usage }
}

const madeOf = ({ root, usage }: PlannedProof): Cell => makeProof(root, usage)

function expectSame(plan: PlannedProof, ...before: Cell[]): void {
  for (const mode of [0, 1, 2, 3]) {
    const expected = writeBoc([...before, madeOf(plan)], mode)
    expect(Buffer.compare(writeBoc([...before, plan], mode), expected)).toBe(0)
  }
}

describe('planned proofs', () => {
  test('default: any choice of cells of any tree, alone and after other roots', () => {
    fc.assert(
      fc.property(cellTwins(40), cellTwins(10), fc.infiniteStream(fc.boolean()), ({ ours }, other, choices) => {
        const choose = () => choices.next().value === true
        for (const shown of [openedIn(ours, choose), [ours, ...cellsOf(ours).filter(choose)]]) {
          const plan = planOf(ours, shown)
          expectSame(plan)
          expectSame(plan, other.ours)
          expectSame(plan, ours)
          expectSame(plan, makeProof(other.ours, choose))
          expectSame(plan, makeProof(ours, choose))
          expectSame(plan, madeOf(plan))
          // Of a larger tree, in which it is cut in the same way, or in another one.
          const larger = fork(ours, fork(leaf(9)))
          expectSame(plan, makeProof(larger, planOf(larger, [larger, ...shown]).usage))
          expectSame(plan, makeProof(larger, choose))
        }
      }),
      { numRuns: 200 },
    )
  })

  test('behavior: the state after a block behind the proof of the block that has its hash', () => {
    const kind = dictKind(bigKey(256), uintValue(32))
    const entries = Array.from({ length: 300 }, (_, i) => [BigInt(i * i), i] as const)
    const before = fork(buildDict(kind, entries).root ?? leaf(0), leaf(1))
    const dict = buildDict(kind, [...entries, [7n, 7]])
    const after = fork(dict.root ?? leaf(0), leaf(2))
    const update = makeUpdate(before, after)
    const block = fork(leaf(3), fork(leaf(4), fork(leaf(5))), update)
    const head = makeProof(block, (cell) => cell === block || cell === update)
    for (const key of [0n, 7n, 9n, 10n, 250n * 250n, 299n * 299n]) {
      const usage = new CellUsage()
      usage.visited.add(after)
      usage.run(() => dict.get(key))
      expectSame({ root: after, usage }, head)
    }
  })

  test('edge: a cell that is shown in one place is shown in all, whichever object stands for it', () => {
    const part = fork(leaf(1), fork(leaf(2), leaf(3)))
    const copy = readBoc(writeBoc(part))
    for (const root of [fork(part, fork(copy)), fork(copy, fork(part)), fork(fork(copy), part), fork(part, copy)]) {
      expectSame(planOf(root, [root, part]))
      expectSame(planOf(root, [root, ...root.refs, part]))
      // What was opened is a cell of another tree.
      expectSame(planOf(root, [root, ...root.refs, readBoc(writeBoc(part))]))
      const cut = makeProof(fork(part, leaf(9)), () => false)
      expectSame(
        planOf(root, [root, part]),
        makeProof(fork(part, leaf(9)), (cell) => cell.refs[0] === part),
        cut,
      )
    }
  })

  test('edge: a dictionary that stands inside a cell, whose root is made to be read', () => {
    const kind = dictKind(bigKey(64), uintValue(32))
    const dict = buildDict(
      kind,
      [1n, 2n, 3n, 1n << 40n].map((key) => [key, Number(key % 7n)] as const),
    )
    const holder = storeInlineDict(beginCell().storeUint(5, 8), dict)
      .storeRef(fork(leaf(6)))
      .end()
    const inside = dict.root ?? leaf(0)
    // Next to it, where the tree has the root as a cell too, that one is shown as well.
    for (const root of [
      fork(holder, fork(leaf(7))),
      fork(holder, inside),
      fork(inside, holder),
      fork(fork(inside), holder),
    ]) {
      const usage = new CellUsage()
      usage.run(() => {
        openCell(root)
        return loadInlineDict(openCell(holder).skip(8), kind).get(2n)
      })
      expect([...usage.visited].some((cell) => cell !== inside && cell.equals(inside))).toBe(true)
      expectSame({ root, usage })
    }
  })

  test('edge: behind a pruned branch of one of its cells that was made up, with another depth', () => {
    const part = fork(leaf(1))
    const root = fork(part, leaf(2))
    const made = (depth: number): Cell =>
      beginCell().storeUint(1, 8).storeUint(1, 8).storeHash(part.hash()).storeUint(depth, 16).end(true)
    for (const depth of [0, 1, 2]) expectSame(planOf(root, [root]), fork(made(depth)))
    expectSame(planOf(root, [root]), fork(made(5), made(1)), fork(made(2)))
  })

  test('edge: what was opened is cut off in another tree, and has the hash of a cell of this one', () => {
    const part = fork(leaf(1))
    const root = fork(part, leaf(2))
    const [cut] = loadProof(makeProof(root, (cell) => cell === root)).refs
    expect(cut?.hash()).toBe(part.hash())
    // Alone, and next to an opened cell that the tree has twice.
    for (const tree of [root, fork(fork(part), root), fork(root, fork(copyOf(root)))])
      expectSame(planOf(tree, [...cellsOf(tree).filter((cell) => cell !== part), ...(cut === undefined ? [] : [cut])]))
  })

  test('edge: Merkle cells in the tree, a tree of one cell, a root that is not shown', () => {
    const inner = makeProof(fork(leaf(1), fork(leaf(2))), (cell) => cell.depth() === 2)
    const root = fork(inner, fork(leaf(3)))
    expectSame(planOf(root, [root, inner, ...inner.refs]))
    expectSame(planOf(root, [root]))
    expectSame(planOf(leaf(1), []))
    expectSame(planOf(leaf(1), [leaf(1)]), leaf(1))
    expectSame(planOf(root, []))
  })

  test('edge: after many proofs that cut one tree, each in another way', () => {
    const part = fork(leaf(1), fork(leaf(2), leaf(3)))
    const tree = fork(...[0, 1, 2, 3].map((i) => fork(fork(leaf(4 * i), part), fork(leaf(4 * i + 1), leaf(i)))))
    const inner = cellsOf(tree).filter((cell) => cell.refs.length > 0 && cell !== tree)
    const cuts = Array.from({ length: 80 }, (_, i) => {
      const hidden = new Set(inner.filter((_cell, k) => ((i + 1) & (1 << k)) !== 0))
      return makeProof(tree, (cell) => !hidden.has(cell))
    })
    for (const shown of [[tree], [tree, ...tree.refs]]) expectSame(planOf(tree, shown), ...cuts)
  })

  test('error: planned proofs are not written in modes with hashes or cache bits', () => {
    const root = fork(leaf(1))
    for (const mode of [17, 31, 32]) expect(() => writeBoc(planOf(root, [root]), mode)).toThrow(/planned/)
  })
})
