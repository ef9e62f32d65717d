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
  /** Events that not all have seen, oldest first. */
  #open: Open[] = []
  #moment = 0

  /** `onSettled` is called with the newest event that all have seen, or were waited for long enough. */
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
    const unseen = new Set(processes.filter((number) => !this.#late.has(number)))
    let resolve = (): void => undefined
    const settled = new Promise<void>((done) => {
      resolve = done
    })
    // One turn later: a process that was busy reads what has arrived before it calls others late.
    setTimeout(() => setImmediate(() => this.#giveUp(unseen)), LONGEST_MS).unref()
    this.#open.push({ moment, unseen, settled, settle: resolve })
    this.#settle()
    return moment
  }

  /** Null when nothing has to be waited for. */
  settled(): Promise<void> | null {
    return this.#open.at(-1)?.settled ?? null
  }

  /** A process has seen this event, and all before it. */
  seen(number: number, moment: number): void {
    const late = this.#late.get(number)
    const isBack = late !== undefined && moment >= late
    if (isBack) this.#late.delete(number)
    for (const open of this.#open) {
      if (open.moment <= moment) open.unseen.delete(number)
      else if (isBack) open.unseen.add(number)
    }
    this.#settle()
  }

  /** A process has ended. */
  leave(number: number): void {
    this.#late.delete(number)
    this.#pass(number)
    this.#settle()
  }

  #giveUp(unseen: ReadonlySet<number>): void {
    for (const number of unseen) {
      this.#late.set(number, this.#moment)
      this.#pass(number)
    }
    this.#settle()
  }

  #pass(number: number): void {
    for (const { unseen } of this.#open) unseen.delete(number)
  }

  /** An answer waits for the events before it, and for none behind it. */
  #settle(): void {
    const first = this.#open.findIndex(({ unseen }) => unseen.size > 0)
    const over = this.#open.splice(0, first < 0 ? this.#open.length : first)
    for (const { settle } of over) settle()
    const newest = over.at(-1)
    if (newest !== undefined) this.#onSettled(newest.moment)
  }
}
