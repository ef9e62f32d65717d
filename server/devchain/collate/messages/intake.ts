// How many messages from outside a block takes: as many as fit with what they lead to, as far as earlier blocks show. Then most
// traces are whole in one block, and blocks stay short for those that wait for them: senders, the index, readers of streams.

/** Transactions of messages from outside and of what they lead to in one block: half as many were no sooner seen, and fewer in all. */
const USUAL = 150
const FEWEST = 8
/** Before anything is known. */
const FIRST_RATIO = 3

export class Intake {
  /** Of the last blocks, each counting half as much as the next one. */
  #externals = 0
  #transactions = 0

  get most(): number {
    const ratio = this.#externals === 0 ? FIRST_RATIO : this.#transactions / this.#externals
    return Math.max(FEWEST, Math.floor(USUAL / Math.max(1, ratio)))
  }

  /** Takes note of a block. */
  took(externals: number, transactions: number): void {
    if (externals === 0) return
    this.#externals = this.#externals / 2 + externals
    this.#transactions = this.#transactions / 2 + transactions
  }
}
