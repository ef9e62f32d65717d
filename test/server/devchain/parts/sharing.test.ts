// States of accounts over the cells of their earlier states, also of trees with more paths than can be walked.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { CellSharing } from '../../../../server/devchain/collate/index.ts'

/** As many cells as levels, and 4 to the power of that many paths. */
function ladder(leaf: number, levels: number): Cell {
  let cell = beginCell().storeUint(leaf, 32).end()
  for (let level = 0; level < levels; level++)
    cell = beginCell().storeUint(level, 16).storeRef(cell).storeRef(cell).storeRef(cell).storeRef(cell).end()
  return cell
}

function distinct(cell: Cell, seen = new Set<Cell>()): number {
  if (!seen.has(cell)) {
    seen.add(cell)
    for (const ref of cell.refs) distinct(ref, seen)
  }
  return seen.size
}

describe('a state whose cells refer to each other several times', () => {
  test('behavior: is taken over cell by cell, not path by path', () => {
    const sharing = new CellSharing()
    const before = beginCell().storeUint(1, 8).end()
    const deployed = sharing.adopt(ladder(1, 400), before)
    expect(deployed.hash()).toBe(ladder(1, 400).hash())
    expect(distinct(deployed)).toBeLessThan(410)
    const changed = sharing.adopt(ladder(2, 400), deployed)
    expect(changed.hash()).toBe(ladder(2, 400).hash())
    expect(distinct(changed)).toBeLessThan(410)
  })

  test('behavior: what did not change is the cell of before', () => {
    const sharing = new CellSharing()
    const code = ladder(3, 100)
    const account = (data: number, of: Cell) =>
      beginCell().storeRef(of).storeRef(beginCell().storeUint(data, 32).end()).end()
    const before = account(1, code)
    const after = sharing.adopt(account(2, ladder(3, 100)), before)
    expect(after.refs[0]).toBe(code)
    expect(after.hash()).toBe(account(2, code).hash())
  })
})
