// Distinct texts in the order they came, gathered for one list after another: most are of a handful, for which a set, or an
// array that grows, takes more than all the rest.

/** Looked through one by one up to here. */
const MOST_LOOKED_THROUGH = 16

export class Distinct {
  readonly #texts: string[] = []
  #count = 0
  #seen: Set<string> | null = null

  add(text: string | null | undefined): void {
    if (typeof text !== 'string' || this.#has(text)) return
    this.#texts[this.#count++] = text
    if (this.#seen !== null) this.#seen.add(text)
    else if (this.#count > MOST_LOOKED_THROUGH) this.#seen = new Set(this.#texts.slice(0, this.#count))
  }

  /** What was added since the last call. */
  take(): string[] {
    const taken = this.#texts.slice(0, this.#count)
    this.#count = 0
    this.#seen = null
    return taken
  }

  #has(text: string): boolean {
    if (this.#seen !== null) return this.#seen.has(text)
    for (let i = 0; i < this.#count; i++) if (this.#texts[i] === text) return true
    return false
  }
}
