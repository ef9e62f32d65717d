// Members of which a change is seen at once, and taken back where it cannot be kept, also while others change the same member.

interface Changed<T> {
  /** The last value that was kept. */
  kept: T | null
  /** The last change. */
  last: symbol
  /** Changes that may still fail. */
  open: number
}

export class UndoableMap<T> {
  readonly #values: Map<string, T>
  readonly #changed = new Map<string, Changed<T>>()

  constructor(values: Iterable<readonly [string, T]>) {
    this.#values = new Map(values)
  }

  get values(): ReadonlyMap<string, T> {
    return this.#values
  }

  /** Sets members, and removes those that are null. To be called back with whether that was kept. */
  change(members: readonly (readonly [string, T | null])[]): (isKept: boolean) => void {
    const own = Symbol()
    for (const [key, value] of members) {
      const changed = this.#changed.get(key) ?? { kept: this.#values.get(key) ?? null, last: own, open: 0 }
      changed.last = own
      changed.open++
      this.#changed.set(key, changed)
      this.#set(key, value)
    }
    return (isKept) => {
      for (const [key, value] of members) {
        const changed = this.#changed.get(key)
        if (changed === undefined) continue
        if (isKept) changed.kept = value
        else if (changed.last === own) this.#set(key, changed.kept)
        if (--changed.open === 0) this.#changed.delete(key)
      }
    }
  }

  #set(key: string, value: T | null): void {
    if (value === null) this.#values.delete(key)
    else this.#values.set(key, value)
  }
}
