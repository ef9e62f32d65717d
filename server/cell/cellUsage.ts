// Which cells a piece of work has looked into. Opening a cell reports it here, so that any reading code, written without
// a thought of proofs, can be run once to find out what a proof of its result must contain.

import type { Cell } from './cell.ts'

/** What cells are added to that are opened; null when nothing records. Only this file sets it. */
export let opened: Set<Cell> | null = null

/** A record of opened cells, over one or several runs. */
export class CellUsage {
  readonly visited: Set<Cell> = new Set()

  /** Runs synchronous work and records the cells it opens. An outer record gets them too. */
  run<T>(work: () => T): T {
    const outer = opened
    opened = this.visited
    try {
      return work()
    } finally {
      opened = outer
      if (outer !== null) for (const cell of this.visited) outer.add(cell)
    }
  }

  /** Adds what another record has. */
  include({ visited }: CellUsage): void {
    for (const cell of visited) this.visited.add(cell)
  }
}
