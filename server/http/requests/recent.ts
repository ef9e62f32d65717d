// A cache of parsed request texts: a caller that polls sends the same text again and again, and parsing it costs more
// than answering it. Two generations instead of an order of use: when the young one is full it replaces the old one.

/** Texts of one generation. */
const MOST = 500
/** Longest text kept. */
const LONGEST = 1024

export class Recent<T> {
  #young = new Map<string, T>()
  #old = new Map<string, T>()

  get(text: string): T | undefined {
    if (text.length > LONGEST) return undefined
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return
    if (this.#young.size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, value)
  }
}
