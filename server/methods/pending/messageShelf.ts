// Messages by their normalised hash, oldest first, within bounds that callers share evenly.

import type { Cell } from '../../cell/index.ts'

export interface PendingMessage {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** Caller whose share of the TVM its emulation uses. */
  readonly share: string
  /** Milliseconds. */
  readonly since: number
  /** Whether another process sent it. */
  readonly isShared: boolean
}

export interface ShelfBounds {
  readonly messages: number
  readonly cells: number
}

interface Kept {
  readonly message: PendingMessage
  readonly cells: number
}

const ZERO: ShelfBounds = { messages: 0, cells: 0 }

/** Distinct cells of a message, counted no further than a bound. */
function cellsOf(root: Cell, most: number): number {
  const seen = new Set<Cell>([root])
  for (const cell of seen) {
    for (const ref of cell.refs) seen.add(ref)
    if (seen.size > most) break
  }
  return seen.size
}

const exceeds = (used: ShelfBounds, bounds: ShelfBounds): boolean =>
  used.messages > bounds.messages || used.cells > bounds.cells

const sum = (a: ShelfBounds, b: ShelfBounds): ShelfBounds => ({
  messages: a.messages + b.messages,
  cells: a.cells + b.cells,
})

export class MessageShelf {
  readonly #bounds: ShelfBounds
  readonly #perShare: ShelfBounds
  readonly #kept = new Map<string, Kept>()
  readonly #byShare = new Map<string, ShelfBounds>()
  #used = ZERO

  /** `perShare` bounds what one caller takes of it. */
  constructor(bounds: ShelfBounds, perShare: ShelfBounds = bounds) {
    this.#bounds = bounds
    this.#perShare = perShare
  }

  get size(): number {
    return this.#kept.size
  }

  get(name: string): PendingMessage | undefined {
    return this.#kept.get(name)?.message
  }

  all(): readonly PendingMessage[] {
    return [...this.#kept.values()].map(({ message }) => message)
  }

  /** Makes room; false for a message that is too large, or of a caller that has its part. */
  add(name: string, message: PendingMessage): boolean {
    const used = { messages: 1, cells: cellsOf(message.cell, this.#bounds.cells) }
    const own = sum(this.#byShare.get(message.share) ?? ZERO, used)
    if (exceeds(used, this.#bounds) || (this.#perShare !== this.#bounds && exceeds(own, this.#perShare))) return false
    this.#kept.set(name, { message, cells: used.cells })
    this.#byShare.set(message.share, own)
    this.#used = sum(this.#used, used)
    while (exceeds(this.#used, this.#bounds)) this.#dropOne()
    return this.#kept.has(name)
  }

  /** The oldest of the caller who has most: a flood of one does not drop what others have sent. */
  #dropOne(): void {
    const partOf = ({ messages, cells }: ShelfBounds) =>
      Math.max(messages / this.#bounds.messages, cells / this.#bounds.cells)
    const [largest] = [...this.#byShare].reduce((most, one) => (partOf(one[1]) > partOf(most[1]) ? one : most))
    for (const [name, { message }] of this.#kept) {
      if (message.share !== largest) continue
      this.remove(name)
      return
    }
  }

  remove(name: string): void {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    this.#kept.delete(name)
    const gone = { messages: -1, cells: -kept.cells }
    const { share } = kept.message
    const left = sum(this.#byShare.get(share) ?? ZERO, gone)
    if (left.messages > 0) this.#byShare.set(share, left)
    else this.#byShare.delete(share)
    this.#used = sum(this.#used, gone)
  }
}
