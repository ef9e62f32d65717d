// Names of prepared statements, which a database parses only once: that halves the time of a small one. Names belong to one
// session, or to a pool whose sessions are its own, see `preparedStatements.ts`.

/** A statement gets a name at its third use. */
const USES = 3
const MOST_COUNTED = 4_096
/** Of all texts that are counted: one of a list by many accounts has 20,000, and there is another one for each filter. */
const MOST_CHARACTERS = 8 << 20
/** After so many uses counts are halved: what was used long ago says little. */
const HALVED_EACH = 16_384

export interface NamesOptions {
  /** Each takes some hundred kilobytes of the database's memory. */
  readonly most: number
  /** Whether a statement takes the place of one that is used less than half as often; otherwise the first ones keep theirs. */
  readonly replaces: boolean
}

export class StatementNames {
  readonly #options: NamesOptions
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #given = 0
  #counted = 0
  /** Of the texts in `#uses`. */
  #characters = 0

  constructor(options: NamesOptions) {
    this.#options = options
  }

  /** The name of this text, or null while it has none. */
  nameOf(text: string): string | null {
    const { most, replaces } = this.#options
    const known = this.#names.get(text)
    if (known !== undefined && !replaces) return known
    if (known === undefined && this.#names.size >= most && !replaces) return null
    const uses = this.#count(text)
    if (known !== undefined) return known
    if (uses < USES) return null
    if (this.#names.size >= most && !this.#giveUpOne(uses)) return null
    const name = `s${this.#given++}`
    this.#names.set(text, name)
    return name
  }

  /** Gives up all names; none of them is given again. */
  renew(): void {
    this.#names.clear()
  }

  #count(text: string): number {
    const known = this.#uses.get(text)
    if (known === undefined) {
      const isFull = this.#uses.size >= MOST_COUNTED || this.#characters + text.length > MOST_CHARACTERS
      if (isFull) this.#forget(({ isNamed }) => !isNamed)
      this.#characters += text.length
    }
    const uses = (known ?? 0) + 1
    this.#uses.set(text, uses)
    if (++this.#counted % HALVED_EACH === 0) {
      for (const [each, count] of this.#uses) this.#uses.set(each, count >> 1)
      this.#forget(({ isNamed, uses }) => uses === 0 && !isNamed)
    }
    return uses
  }

  #forget(which: (one: { readonly uses: number; readonly isNamed: boolean }) => boolean): void {
    for (const [text, uses] of this.#uses) {
      if (!which({ uses, isNamed: this.#names.has(text) })) continue
      this.#uses.delete(text)
      this.#characters -= text.length
    }
  }

  /** Gives up the name that is used least, unless it is used as often as a statement of so many uses. */
  #giveUpOne(uses: number): boolean {
    let rarest = ''
    let least = Number.POSITIVE_INFINITY
    for (const text of this.#names.keys()) {
      const count = this.#uses.get(text) ?? 0
      if (count < least) [rarest, least] = [text, count]
    }
    if (uses <= 2 * least) return false
    this.#names.delete(rarest)
    return true
  }
}
