// Distinct texts in the order they came.

/** Looked through one by one up to here: most actions have a handful, for which a set takes more than all the rest. */
const MOST_LOOKED_THROUGH = 16

export class Distinct {
  readonly list: string[] = []
  #seen: Set<string> | null = null

  add(text: string): void {
    if (this.#seen?.has(text) ?? this.list.includes(text)) return
    this.list.push(text)
    if (this.#seen !== null) this.#seen.add(text)
    else if (this.list.length > MOST_LOOKED_THROUGH) this.#seen = new Set(this.list)
  }

  addKnown(text: string | null | undefined): void {
    if (typeof text === 'string') this.add(text)
  }
}
