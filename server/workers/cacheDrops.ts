// Which processes have yet to drop what they cached before an event: an answer that is newer waits for them, so that no caller
// sees an earlier block after a later one, whichever process answers. The owner waits for its workers. A worker waits for the
// owner's word that all others have dropped theirs.

/** A process that takes longer is stuck: it is not waited for again until it has caught up. */
const LONGEST_MS = 1_000

interface Open {
  readonly moment: number
  readonly unseen: Set<number>
  readonly settled: Promise<void>
  readonly settle: () => void
}

export class CacheDrops {
  readonly #onSettled: (moment: number) => void
  /** Processes that were not in time, with the newest event then. */
  readonly #late = new Map<number, number>()
  #moment = 0
  #open: Open | null = null

  /** `onSettled` is called with the newest event once all have seen it, or were waited for long enough. */
  constructor(onSettled: (moment: number) => void = () => undefined) {
    this.#onSettled = onSettled
  }

  /** The newest event. */
  get moment(): number {
    return this.#moment
  }

  /** A new event, of which these processes are informed. */
  begin(processes: readonly number[], moment: number = this.#moment + 1): number {
    this.#moment = moment
    const earlier = this.#open
    const unseen = new Set(processes.filter((number) => !this.#late.has(number)))
    if (unseen.size === 0) {
      if (earlier === null) this.#onSettled(moment)
      return moment
    }
    let resolve = (): void => undefined
    const settled = new Promise<void>((done) => {
      resolve = done
    })
    const limit = setTimeout(() => {
      for (const number of unseen) this.#late.set(number, this.#moment)
      settle()
    }, LONGEST_MS)
    limit.unref()
    const settle = (): void => {
      clearTimeout(limit)
      resolve()
      earlier?.settle()
      if (this.#open !== open) return
      this.#open = null
      this.#onSettled(this.#moment)
    }
    const open: Open = { moment, unseen, settled, settle }
    this.#open = open
    return moment
  }

  /** Null when nothing has to be waited for. */
  settled(): Promise<void> | null {
    return this.#open?.settled ?? null
  }

  /** A process has seen this event, and all before it. */
  seen(number: number, moment: number): void {
    const late = this.#late.get(number)
    if (late !== undefined && moment >= late) this.#late.delete(number)
    if (this.#open !== null && moment >= this.#open.moment) this.#leaveOpen(number)
  }

  /** A process has ended. */
  leave(number: number): void {
    this.#late.delete(number)
    this.#leaveOpen(number)
  }

  #leaveOpen(number: number): void {
    const open = this.#open
    if (open === null) return
    open.unseen.delete(number)
    if (open.unseen.size === 0) open.settle()
  }
}
