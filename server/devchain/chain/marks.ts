// Named states to revert to. Reverting to one removes it and all later ones.

import type { MarkRecord } from '../journal/index.ts'

export class Marks {
  readonly #marks = new Map<string, MarkRecord>()
  #last = 0

  /** Never given before, not even on a branch that was undone. */
  nextName(): string {
    return `0x${(this.#last + 1).toString(16)}`
  }

  get size(): number {
    return this.#marks.size
  }

  get all(): readonly MarkRecord[] {
    return [...this.#marks.values()]
  }

  /** By name or label. */
  find(given: string): MarkRecord | undefined {
    return this.#marks.get(given) ?? this.all.find(({ label }) => label === given)
  }

  add(mark: MarkRecord): void {
    this.#last = Math.max(this.#last, Number(mark.name))
    this.#marks.set(mark.name, mark)
  }

  get(name: string): MarkRecord | undefined {
    return this.#marks.get(name)
  }

  dropFrom(name: string): void {
    const names = [...this.#marks.keys()]
    const from = names.indexOf(name)
    if (from >= 0) for (const later of names.slice(from)) this.#marks.delete(later)
  }
}
