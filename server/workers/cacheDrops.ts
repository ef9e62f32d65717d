// Which workers have yet to drop what they cached before an event: a result that is newer waits for them, so that no caller
// sees an earlier block after a later one.

/** A worker that takes longer is not waited for. */
const LONGEST_MS = 250

interface Open {
  readonly moment: number
  readonly unseen: Set<number>
  readonly settled: Promise<void>
  readonly settle: () => void
}

export class CacheDrops {
  #moment = 0
  #open: Open | null = null

  /** A new event, of which these workers are informed. */
  begin(workers: readonly number[]): number {
    this.#moment++
    const earlier = this.#open
    if (workers.length === 0) return this.#moment
    let resolve = (): void => undefined
    const settled = new Promise<void>((done) => {
      resolve = done
    })
    const limit = setTimeout(() => settle(), LONGEST_MS)
    limit.unref()
    const open: Open = { moment: this.#moment, unseen: new Set(workers), settled, settle: () => settle() }
    const settle = (): void => {
      clearTimeout(limit)
      if (this.#open === open) this.#open = null
      resolve()
      earlier?.settle()
    }
    this.#open = open
    return this.#moment
  }

  /** Null when nothing has to be waited for. */
  settled(): Promise<void> | null {
    return this.#open?.settled ?? null
  }

  /** A worker has seen this event, and all before it. */
  seen(worker: number, moment: number): void {
    if (this.#open === null || moment < this.#open.moment) return
    this.leave(worker)
  }

  /** A worker has ended. */
  leave(worker: number): void {
    const open = this.#open
    if (open === null) return
    open.unseen.delete(worker)
    if (open.unseen.size === 0) open.settle()
  }
}
