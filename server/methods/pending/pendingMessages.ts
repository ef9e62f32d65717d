// Messages accepted here that are not indexed yet. Kept by their normalised hash, newest last, within bounds: a dropped one
// is only no longer listed.

import { type Cell, hashToBytes, openCell, readBoc } from '../../cell/index.ts'
import { loadMessage, normalizedHash } from '../../tlb/index.ts'

export interface PendingMessage {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** Caller whose share of the TVM its emulation uses. */
  readonly share: string
  /** Milliseconds. */
  readonly since: number
}

export interface PendingBounds {
  readonly messages: number
  readonly cells: number
  /** Milliseconds a message without a block is listed. */
  readonly lifetimeMs: number
}

const defaultMempoolBounds: PendingBounds = { messages: 1000, cells: 100_000, lifetimeMs: 30_000 }

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('base64')

/** Distinct cells of a message, counted no further than a bound. */
function cellsOf(root: Cell, most: number): number {
  const seen = new Set<Cell>([root])
  for (const cell of seen) {
    for (const ref of cell.refs) seen.add(ref)
    if (seen.size > most) break
  }
  return seen.size
}

interface Kept {
  readonly message: PendingMessage
  readonly cells: number
}

export class PendingMessages {
  readonly #bounds: PendingBounds
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()
  #cells = 0
  #version = 0

  constructor(bounds: Partial<PendingBounds> = {}, now: () => number = Date.now) {
    this.#bounds = { ...defaultMempoolBounds, ...bounds }
    this.#now = now
  }

  /** Adds a message the node accepted; a known one counts once. */
  add(boc: Uint8Array, share = ''): void {
    const cell = readBoc(boc, { maxDepth: 1024 })
    const hashNorm = hashToBytes(normalizedHash(loadMessage(openCell(cell))))
    const name = nameOf(hashNorm)
    if (this.#kept.has(name)) return
    const cells = cellsOf(cell, this.#bounds.cells)
    if (cells > this.#bounds.cells) return
    this.#kept.set(name, { message: { cell, hash: cell.hashBytes(), hashNorm, share, since: this.#now() }, cells })
    this.#cells += cells
    this.#version++
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#bounds.messages && this.#cells <= this.#bounds.cells) break
      this.#drop(oldest)
    }
  }

  /** Whether a message with this normalised hash is listed; one that has waited too long is not, and may be sent again. */
  has(hashNorm: Uint8Array): boolean {
    const name = nameOf(hashNorm)
    const kept = this.#kept.get(name)
    if (kept === undefined || !this.isExpired(kept.message)) return kept !== undefined
    this.#drop(name)
    return false
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0
  }

  /** Changes with every message. */
  get version(): number {
    return this.#version
  }

  /** In order of arrival. */
  all(): readonly PendingMessage[] {
    return [...this.#kept.values()].map(({ message }) => message)
  }

  isExpired({ since }: PendingMessage): boolean {
    return this.#now() - since > this.#bounds.lifetimeMs
  }

  remove({ hashNorm }: PendingMessage): void {
    this.#drop(nameOf(hashNorm))
  }

  #drop(name: string): void {
    this.#cells -= this.#kept.get(name)?.cells ?? 0
    this.#kept.delete(name)
  }
}
