import { expect, test } from 'vitest'
import { beginCell, type Cell, CellUsage, openAny, openCell } from '../../../server/cell/index.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const tree = beginCell()
  .storeRef(leaf(1))
  .storeRef(beginCell().storeRef(leaf(2)).end())
  .end()

test('default: opened cells are recorded, over several runs, and nothing outside of them', () => {
  const usage = new CellUsage()
  openCell(tree)
  expect(usage.run(() => openCell(tree).loadRef())).toBe(tree.refs[0])
  expect([...usage.visited]).toEqual([tree])
  usage.run(() => openAny(tree.refs[1] ?? tree))
  openCell(leaf(3))
  expect([...usage.visited]).toEqual([tree, tree.refs[1]])
  expect([usage.visited.has(tree), usage.visited.has(leaf(3))]).toEqual([true, false])
})

test('behavior: an inner record is part of the outer one, not the other way round', () => {
  const outer = new CellUsage()
  const inner = new CellUsage()
  outer.run(() => {
    openCell(tree)
    inner.run(() => openCell(leaf(9)))
  })
  expect([outer.visited.size, inner.visited.size]).toEqual([2, 1])
})

test('behavior: a failure ends the record', () => {
  const usage = new CellUsage()
  expect(() =>
    usage.run(() => {
      throw new Error('stop')
    }),
  ).toThrow('stop')
  openCell(tree)
  expect(usage.visited.size).toBe(0)
})
