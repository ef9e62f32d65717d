// Callers who go on asking for what they are refused: counted for each socket, and kept from opening the next one for a
// while. A caller with a key is barred by its key alone, so that its neighbours behind one address are not.

/** Maximum number of blocked callers; beyond it the earliest are let in again. */
const MOST = 10_000

export class RefusalWindow {
  readonly #most: number
  readonly #ms: number
  #count = 0
  #began = 0

  constructor(most: number, ms: number) {
    this.#most = most
    this.#ms = ms
  }

  /** Counts one more; true when it is one too many. */
  isTooMany(now: number): boolean {
    if (now - this.#began >= this.#ms) {
      this.#began = now
      this.#count = 0
    }
    return ++this.#count > this.#most
  }
}

export class Barred {
  readonly #until = new Map<string, number>()

  add(subject: string, until: number): void {
    this.#until.delete(subject)
    this.#until.set(subject, until)
    const [earliest] = this.#until.keys()
    if (this.#until.size > MOST && earliest !== undefined) this.#until.delete(earliest)
  }

  /** Whole seconds until this caller may come again; 0 for at once. */
  secondsFor(subject: string, now: number): number {
    const until = this.#until.get(subject)
    if (until === undefined) return 0
    if (until > now) return Math.ceil((until - now) / 1000)
    this.#until.delete(subject)
    return 0
  }
}
