// Wakes a process that looks now and then how far the index is: another one says that it has a block.

/** The database that is read may be a replica, a moment behind. */
const AGAIN_MS = 25
const MOST_AGAIN = 10

export class LookBell {
  #wanted = -1
  #left = 0
  #wake: (() => void) | null = null

  /** A masterchain block is said to be indexed. */
  ring(seqno: number): void {
    this.#wanted = seqno
    this.#left = MOST_AGAIN
    this.#wake?.()
  }

  /** Resolves after the time or when the bell rings, but never within a moment of the last look; at once on an abort. */
  pause({ pollMs, seqno }: { readonly pollMs: number; readonly seqno: number }, signal: AbortSignal): Promise<void> {
    if (seqno === this.#wanted) this.#left = 0
    const isAgain = this.#left > 0
    if (isAgain) this.#left--
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#wake = null
        resolve()
      }
      const timer = setTimeout(end, isAgain ? Math.min(AGAIN_MS, pollMs) : pollMs)
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      else if (!isAgain) this.#wake = end
    })
  }
}
