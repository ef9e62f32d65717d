// One computation for all who want its result: one runs, and one more begins after it for those who came meanwhile, as what the
// running one has read may be older than they are.

export class NextRun<T> {
  readonly #run: () => Promise<T>
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<T> | null = null

  constructor(run: () => Promise<T>) {
    this.#run = run
  }

  /** The result of a run that begins after this call. */
  next(): Promise<T> {
    if (this.#next !== null) return this.#next
    const next = this.#last.then(() => {
      this.#next = null
      return this.#run()
    })
    this.#next = next
    this.#last = next.catch(() => undefined)
    return next
  }
}
