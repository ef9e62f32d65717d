// The reverts that a process has noticed, for readers that each have heard of some of them.

/** At least so many of the newest are kept. A reader that is further behind may go back further than it has to. */
const KEPT = 1_000

export class Reverts {
  /** The last block that stayed, only of those that are lower than all later ones, with the number of the revert. Ascending. */
  readonly #kept: { readonly number: number; readonly seqno: number }[] = []
  #count = 0

  /** How many there were. */
  get count(): number {
    return this.#count
  }

  /** By the last block that stayed. */
  add(seqno: number): void {
    while ((this.#kept.at(-1)?.seqno ?? -1) >= seqno) this.#kept.pop()
    this.#kept.push({ number: this.#count++, seqno })
    if (this.#kept.length <= 2 * KEPT) return
    const [lowest] = this.#kept
    const last = this.#kept[KEPT - 1]
    if (lowest !== undefined && last !== undefined) this.#kept.splice(0, KEPT, { ...last, seqno: lowest.seqno })
  }

  /** The lowest block that stayed in all reverts but the first so many; null when there were no more. */
  lowestSince(count: number): number | null {
    let from = 0
    let to = this.#kept.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#kept[middle]?.number ?? count) < count) from = middle + 1
      else to = middle
    }
    return this.#kept[from]?.seqno ?? null
  }
}
