// Hashes of what was checked a moment ago: what has the same hash need not be checked again.

import type { BinaryHash } from '../../cell/index.ts'

export class RecentHashes {
  readonly #most: number
  #newer = new Set<BinaryHash>()
  #older = new Set<BinaryHash>()

  /** Keeps the newest `most`, and up to as many before them. */
  constructor(most: number) {
    this.#most = most
  }

  has(hash: BinaryHash): boolean {
    return this.#newer.has(hash) || this.#older.has(hash)
  }

  add(hash: BinaryHash): void {
    if (this.#newer.size >= this.#most) {
      this.#older = this.#newer
      this.#newer = new Set()
    }
    this.#newer.add(hash)
  }
}
