// Messages that an emulation has still to deliver, in the order a chain delivers them: smallest logical time first, then
// smallest hash, and those that cross to another workchain after all that do not.

import { type Cell, MinHeap } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import { fromCell, loadMessage } from '../../tlb/index.ts'

export interface Arrival {
  readonly cell: Cell
  /** Code of its state init; null without one. */
  readonly code: Cell | null
  readonly to: AccountId
  /** Logical time of its creation; 0 for one from outside. */
  readonly lt: bigint
  /** Messages between workchains before it. */
  readonly step: number
  readonly depth: number
}

/** Messages of a trace below its first one. */
const MOST_DEPTH = 32

/** A message as the emulation delivers it; null for one that leaves the chain or cannot be delivered. */
export function arrivalOf(cell: Cell, step: number, depth: number, from: number | null): Arrival | null {
  const { info, init } = fromCell(cell, loadMessage)
  if (info.kind === 'externalOut') return null
  const { dest } = info
  if (dest.kind !== 'std' || dest.anycast !== null) return null
  const to = { workchain: dest.workchain, hash: dest.hash }
  const lt = info.kind === 'internal' ? info.createdLt : 0n
  const isNear = from === null || from === to.workchain
  return { cell, code: init?.code ?? null, to, lt, step: isNear ? step : step + 1, depth }
}

function compareArrivals(a: Arrival, b: Arrival): number {
  if (a.lt !== b.lt) return a.lt < b.lt ? -1 : 1
  const one = a.cell.hash()
  const other = b.cell.hash()
  if (one === other) return 0
  return one < other ? -1 : 1
}

export class Arrivals {
  readonly #steps: MinHeap<Arrival>[] = []
  #step = 0
  wasTooDeep = false

  constructor(first: readonly (Arrival | null)[]) {
    for (const one of first) this.add(one)
  }

  add(arrival: Arrival | null): void {
    if (arrival === null) return
    if (arrival.depth >= MOST_DEPTH) {
      this.wasTooDeep = true
      return
    }
    const heap = this.#steps[arrival.step] ?? new MinHeap(compareArrivals)
    heap.push(arrival)
    this.#steps[arrival.step] = heap
  }

  next(): Arrival | undefined {
    for (let heap = this.#steps[this.#step]; heap !== undefined; heap = this.#steps[++this.#step]) {
      const next = heap.pop()
      if (next !== undefined) return next
    }
    return undefined
  }
}
