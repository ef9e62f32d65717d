// Names of prepared statements, which the embedded database parses only once: that halves the time of a small one. It has one
// session and no pooler in front of it, so names are safe here, as they are not on a server.

/** A statement gets a name at its third use. */
const USES = 3
/** Each takes some tens of kilobytes of the database's memory. */
const MOST_NAMES = 256
const MOST_COUNTED = 4_096

export class StatementNames {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()

  /** The name of this text, or null while it has none. */
  nameOf(text: string): string | null {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (this.#names.size >= MOST_NAMES) return null
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < USES) {
      if (this.#uses.size >= MOST_COUNTED) this.#uses.clear()
      this.#uses.set(text, uses)
      return null
    }
    this.#uses.delete(text)
    const name = `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
