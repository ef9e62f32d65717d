import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LayoutTree, layout, listed, walk } from '../../../client/explorer/trace/treeLayout.ts'

/** A tree whose node `i + 1` has the parent `parents[i]`, taken from the nodes before it. */
function treeOf(parents: readonly number[]): LayoutTree<number> {
  const nodes: { value: number; children: LayoutTree<number>[] }[] = [{ value: 0, children: [] }]
  for (const [i, parent] of parents.entries()) {
    const node = { value: i + 1, children: [] }
    nodes[parent % nodes.length]?.children.push(node)
    nodes.push(node)
  }
  return nodes[0] ?? { value: 0, children: [] }
}

const trees = fc.array(fc.nat(), { maxLength: 80 }).map(treeOf)

describe('places', () => {
  test('no two nodes of a depth are closer than a row, siblings keep their order, parents are in their middle', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const placed = layout(tree)
        expect(placed.length).toBe([...walk(tree)].length)
        expect(Math.min(...placed.map(({ row }) => row))).toBe(0)
        const depths = new Map<number, number[]>()
        for (const { depth, row } of placed) depths.set(depth, [...(depths.get(depth) ?? []), row])
        for (const rows of depths.values())
          for (const [i, row] of rows.entries()) expect(i === 0 || row - (rows[i - 1] ?? 0) >= 1 - 1e-9).toBe(true)
        for (const [at, { row }] of placed.entries()) {
          const children = placed.filter(({ parent }) => parent === at)
          if (children.length > 0)
            expect(((children[0]?.row ?? 0) + (children.at(-1)?.row ?? 0)) / 2).toBeCloseTo(row, 6)
        }
      }),
    )
  })

  test('what is closed says how many are below', () => {
    fc.assert(
      fc.property(trees, fc.nat({ max: 4 }), (tree, most) => {
        const placed = layout(tree, { isClosed: (_, depth) => depth >= most })
        const hidden = placed.reduce((sum, one) => sum + one.hidden, 0)
        expect(placed.length + hidden).toBe([...walk(tree)].length)
        expect(placed.every(({ depth }) => depth <= most)).toBe(true)
      }),
    )
  })

  test('a list has the same nodes in the same order', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const placed = layout(tree).map(({ value, parent, depth }) => ({ value, parent, depth }))
        expect(listed(tree)).toEqual(placed)
      }),
    )
  })

  test('a list of a very long chain takes one step for each message', () => {
    // With its places, which grow with the square, it would not end.
    const chain = listed(treeOf(Array.from({ length: 300_000 }, (_, i) => i)))
    expect(chain.at(-1)).toMatchObject({ parent: 299_999, depth: 300_000 })
  })

  test('a chain of thousands of messages has one row', () => {
    const placed = layout(treeOf(Array.from({ length: 5000 }, (_, i) => i)))
    expect(placed).toHaveLength(5001)
    expect(placed.every(({ row }) => row === 0)).toBe(true)
    expect(placed.at(-1)?.depth).toBe(5000)
  })
})
