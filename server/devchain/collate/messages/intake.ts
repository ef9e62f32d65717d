// How many messages from outside a block takes: as many as fit with what they lead to, as far as earlier blocks show. Then most
// traces are whole in one block, and blocks stay short for those that wait for them: senders, the index, readers of streams.

/** Transactions of messages from outside and of what they lead to in one block: half as many were no sooner seen, and fewer in all. */
const USUAL = 150
const FEWEST = 8
/** Before anything is known. */
const FIRST_RATIO = 3
/** What a block counts, next to the sums of all blocks before it. */
const WEIGHT = 1 / 2
/** One that had to leave messages to a later block led to more than it shows: it makes the ratio smaller only slowly. */
const WEIGHT_OF_CUT = 1 / 16

export class Intake {
  /** Means over the last blocks, newer ones counting more. */
  #externals = 0
  #transactions = 0

  get #ratio(): number {
    return this.#externals === 0 ? FIRST_RATIO : this.#transactions / this.#externals
  }

  get most(): number {
    return Math.max(FEWEST, Math.floor(USUAL / Math.max(1, this.#ratio)))
  }

  /** Takes note of a block; `isWhole`: everything its messages from outside led to is in it. */
  took(externals: number, transactions: number, isWhole: boolean): void {
    if (externals === 0) return
    const weight = isWhole || transactions > externals * this.#ratio ? WEIGHT : WEIGHT_OF_CUT
    this.#transactions = this.#transactions * (1 - weight) + transactions * weight
    this.#externals = this.#externals * (1 - weight) + externals * weight
  }
}
