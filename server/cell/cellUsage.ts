// Which cells a piece of work has looked into. Opening a cell reports it here, so that any reading code, written without
// a thought of proofs, can be run once to find out what a proof of its result must contain.

import type { Cell } from './cell.ts'

let current: Set<Cell> | null = null

/** Reports that a cell was opened; costs one comparison when nothing records. */
export function touch(cell: Cell): void {
  if (current !== null) current.add(cell)
}

/** A record of opened cells, over one or several runs. */
export class CellUsage {
  readonly visited: Set<Cell> = new Set()

  /** Runs synchronous work and records the cells it opens. An outer record gets them too. */
  run<T>(work: () => T): T {
    const outer = current
    current = this.visited
    try {
      return work()
    } finally {
      current = outer
      if (outer !== null) for (const cell of this.visited) outer.add(cell)
    }
  }

  /** Adds what another record has. */
  include({ visited }: CellUsage): void {
    for (const cell of visited) this.visited.add(cell)
  }

  has(cell: Cell): boolean {
    return this.visited.has(cell)
  }
}
