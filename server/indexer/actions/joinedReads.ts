// Reads that several callers request in the same turn of the event loop become one.

/** Reads values by their names. */
type ReadByName<T> = (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, T>>

export class JoinedReads<T> {
  readonly #read: ReadByName<T>
  #next: { readonly names: Set<string>; readonly values: Promise<ReadonlyMap<string, T>> } | null = null

  constructor(read: ReadByName<T>) {
    this.#read = read
  }

  /** The values of these names. The read begins after the code that runs now, so that others can add their names. */
  async read(names: ReadonlySet<string>): Promise<readonly (readonly [string, T])[]> {
    if (names.size === 0) return []
    this.#next ??= this.#begin()
    const { values, names: all } = this.#next
    for (const name of names) all.add(name)
    const found = await values
    return [...names].flatMap((name) => {
      const value = found.get(name)
      return value === undefined ? [] : [[name, value] as const]
    })
  }

  #begin() {
    const names = new Set<string>()
    const values = Promise.resolve().then(() => {
      this.#next = null
      return this.#read(names)
    })
    return { names, values }
  }
}
