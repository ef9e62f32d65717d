// The texts that were added last, so many of them.

const MOST = 10_000

export class RecentSet {
  readonly #all = new Set<string>()

  has(text: string): boolean {
    return this.#all.has(text)
  }

  add(text: string): void {
    this.#all.delete(text)
    this.#all.add(text)
    const [oldest] = this.#all
    if (this.#all.size > MOST && oldest !== undefined) this.#all.delete(oldest)
  }

  delete(text: string): boolean {
    return this.#all.delete(text)
  }

  clear(): void {
    this.#all.clear()
  }
}
