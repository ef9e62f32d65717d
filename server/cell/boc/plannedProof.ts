// Proofs that go into a bag without cells of their own: what would be made of each cell of the tree is noted next to it.

import type { Cell } from '../cell.ts'
import type { CellUsage } from '../cellUsage.ts'
import { CellKind } from '../exotic.ts'
import { CellForm, FoundCells, firstPlaceOf, isKnownByKey } from './found.ts'

/** A Merkle proof of a tree that shows what was opened. It is written without making its cells. */
export interface PlannedProof {
  readonly root: Cell
  readonly usage: CellUsage
}

export class FoundWithPlan extends FoundCells {
  /** Of the planned proof: how many cells with references it shows, and whether its cells need not be made. */
  private shown = 0
  private isPlain = true

  /**
   * Takes in a planned proof, after all other roots, and returns the number of its root. -1 where its cells have to be made: with
   * Merkle cells inside, with equal cells of which one is shown and the other is not, and where cells are compared by their hashes.
   */
  addPlanned({ root, usage: { visited } }: PlannedProof): number {
    if (this.isExact || root.mask !== 0 || root.isVirtual) return -1
    this.shown = 0
    this.isPlain = true
    const tree = this.addShown(root, visited)
    for (const cell of visited) if (cell.refs.length > 0 || cell.isVirtual) this.shown--
    if (this.shown !== 0) this.lookAtOthers(visited)
    if (!this.isPlain || this.findAs(root, CellForm.proof) >= 0) return -1
    return this.enter(root, tree, 0, 0, 0, CellForm.proof, 1)
  }

  /**
   * Cells that were opened and are not part of the tree, such as the root of a dictionary inside a cell, which is made to be read. They
   * do not change the proof, unless the tree has a cell of the same hash that is cut off.
   */
  private lookAtOthers(visited: ReadonlySet<Cell>): void {
    for (const cell of visited) {
      if (cell.isVirtual) this.isPlain = false
      else if (cell.refs.length > 0) this.findAs(cell, CellForm.cut)
    }
  }

  private addShown(cell: Cell, visited: ReadonlySet<Cell>): number {
    const { refs } = cell
    // Leaves are not cut off.
    if (refs.length === 0) return this.add(cell)
    const isShown = visited.has(cell)
    const known = this.findAs(cell, isShown ? CellForm.cut : CellForm.pruned)
    if (known >= 0) {
      if (!isShown) this.forms[known] = CellForm.pruned
      return known
    }
    if (!isShown) return this.enter(cell, 0, 0, 0, 0, CellForm.pruned, 0)
    this.shown++
    if (cell.isExotic) this.isPlain = false
    let first = 0
    let second = 0
    let third = 0
    let fourth = 0
    let isCut = false
    for (let i = 0; i < refs.length; i++) {
      const ref = refs[i]
      if (ref === undefined) continue
      const number = this.addShown(ref, visited)
      const form = this.forms[number]
      if (form === CellForm.pruned || form === CellForm.cut) isCut = true
      if (i === 0) first = number
      else if (i === 1) second = number
      else if (i === 2) third = number
      else fourth = number
    }
    const whole = isCut ? -1 : this.findAs(cell, CellForm.shown)
    if (whole >= 0) {
      this.forms[whole] = CellForm.shown
      return whole
    }
    return this.enter(cell, first, second, third, fourth, isCut ? CellForm.cut : CellForm.shown)
  }

  /** The number of what is written for a cell of the planned proof; -1 while there is nothing. */
  private findAs(cell: Cell, form: CellForm): number {
    const { places, keys } = this
    const key = cell.hash()
    const mask = places.length - 1
    let found = -1
    // Up to the end, as what is there may rule out a proof without cells.
    for (let at = firstPlaceOf(key) & mask; ; at = (at + 1) & mask) {
      const number = (places[at] ?? 0) - 1
      if (number < 0) return found
      if (keys[number] === key && this.isWrittenAs(number, cell, form)) found = number
    }
  }

  /** Whether what has the same key as a cell of the planned proof is what would be written for that. */
  private isWrittenAs(number: number, cell: Cell, form: CellForm): boolean {
    const known = this.forms[number]
    const other = this.cells[number]
    if (other === undefined) return false
    const { kind, mask } = other
    if (form === CellForm.proof)
      return known === CellForm.proof || (known === CellForm.whole && kind === CellKind.merkleProof)
    if (form === CellForm.shown) return known === CellForm.whole && isKnownByKey(other)
    const isShown = known === CellForm.cut || known === CellForm.shown
    if (form === CellForm.pruned) {
      if (isShown) this.isPlain = false
      if (known === CellForm.pruned) return true
      // One of another root may be made up, with any depth.
      return known === CellForm.whole && kind === CellKind.pruned && mask === 1 && other.depth(0) === cell.depth(0)
    }
    // A cell that another proof shows may be cut in the same way: their hashes would tell.
    if (known === CellForm.pruned || (known === CellForm.whole && mask !== 0 && kind === CellKind.ordinary))
      this.isPlain = false
    return isShown
  }
}
