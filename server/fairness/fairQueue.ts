/** What waits, by caller. Callers are served in turn, one item each; the items of one caller in the order they came. */
export class FairQueue<T> {
  /** In the order of their turns: who was served goes to the end. */
  readonly #callers = new Map<string, Set<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(subject: string): number {
    return this.#callers.get(subject)?.size ?? 0
  }

  add(subject: string, item: T): void {
    const own = this.#callers.get(subject)
    if (own === undefined) this.#callers.set(subject, new Set([item]))
    else if (own.has(item)) return
    else own.add(item)
    this.#size++
  }

  /** False when it does not wait any more. */
  delete(subject: string, item: T): boolean {
    const own = this.#callers.get(subject)
    if (!own?.delete(item)) return false
    this.#size--
    if (own.size === 0) this.#callers.delete(subject)
    return true
  }

  /** The next item of the next caller that `mayRun` lets pass. */
  take(mayRun: (subject: string) => boolean = always): T | undefined {
    for (const [subject, own] of this.#callers) {
      if (!mayRun(subject)) continue
      this.#callers.delete(subject)
      const [item] = own as Set<T>
      own.delete(item as T)
      if (own.size > 0) this.#callers.set(subject, own)
      this.#size--
      return item
    }
    return undefined
  }
}

const always = (): boolean => true
