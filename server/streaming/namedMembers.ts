// Members by the names they wait for, of which one member may have a hundred thousand.

const NONE: ReadonlySet<never> = new Set()

export class NamedMembers<K, T extends object> {
  /** Most names have one member: with a set for each, a name takes several times as long. */
  readonly #all = new Map<K, T | Set<T>>()

  get size(): number {
    return this.#all.size
  }

  has(name: K): boolean {
    return this.#all.has(name)
  }

  of(name: K): ReadonlySet<T> {
    const known = this.#all.get(name)
    if (known === undefined) return NONE
    return known instanceof Set ? known : new Set([known])
  }

  add(name: K, member: T): void {
    const known = this.#all.get(name)
    if (known === undefined) this.#all.set(name, member)
    else if (known instanceof Set) known.add(member)
    else if (known !== member) this.#all.set(name, new Set([known, member]))
  }

  remove(name: K, member: T): void {
    const known = this.#all.get(name)
    if (known instanceof Set) known.delete(member)
    if (known === member || (known instanceof Set && known.size === 0)) this.#all.delete(name)
  }
}
