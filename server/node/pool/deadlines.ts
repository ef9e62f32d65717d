// Time limits of calls by one timer: nearly all calls end long before, and a timer for each of them costs more than all else that
// a pool does for it.

import type { Clock } from '../systemClock.ts'

/** Something with a time limit, linked to its neighbours while the limit holds. */
export interface Timed<Entry> {
  /** On the clock. */
  due: number
  isListed: boolean
  previous: Entry | null
  next: Entry | null
  /** The limit is over, and the entry is out of the list. */
  late(): void
}

/** A timer may fire this much early. */
const EARLY_MS = 0.5
/** The timer fires at least so often while there are entries. */
const LONGEST_MS = 60_000

export class Deadlines<Entry extends Timed<Entry>> {
  readonly #clock: Clock
  #first: Entry | null = null
  #last: Entry | null = null
  /** When the timer fires. It stays when its entry is removed, and is set anew for an earlier one. */
  #armedFor = Number.POSITIVE_INFINITY
  #isClosed = false
  #cancel = (): void => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `now` by the clock. */
  add(entry: Entry, now: number, ms: number): void {
    entry.isListed = true
    entry.previous = this.#last
    if (this.#last === null) this.#first = entry
    else this.#last.next = entry
    this.#last = entry
    this.renew(entry, now, ms)
  }

  /** An entry of the list has so long from now. */
  renew(entry: Entry, now: number, ms: number): void {
    entry.due = now + ms
    if (entry.due < this.#armedFor) this.#arm(now, ms)
  }

  /** Does nothing to an entry that is in no list. */
  remove(entry: Entry): void {
    if (!entry.isListed) return
    entry.isListed = false
    const { previous, next } = entry
    if (previous === null) this.#first = next
    else previous.next = next
    if (next === null) this.#last = previous
    else next.previous = previous
    entry.previous = null
    entry.next = null
  }

  /** The entries at this moment. */
  all(): Entry[] {
    const entries: Entry[] = []
    for (let entry = this.#first; entry !== null; entry = entry.next) entries.push(entry)
    return entries
  }

  /** No timer is left, and none is set any more. */
  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#armedFor = Number.POSITIVE_INFINITY
  }

  #arm(now: number, ms: number): void {
    if (this.#isClosed) return
    const wait = Math.min(ms, LONGEST_MS)
    this.#cancel()
    this.#armedFor = now + wait
    this.#cancel = this.#clock.after(wait, this.#fire)
  }

  readonly #fire = (): void => {
    const now = this.#clock.now()
    // Limits that ended later, while the process was busy, get a timer of their own: it reads what has arrived before they are late.
    const until = Math.min(this.#armedFor, now) + EARLY_MS
    this.#armedFor = Number.POSITIVE_INFINITY
    const late: Entry[] = []
    let next = Number.POSITIVE_INFINITY
    for (let entry = this.#first; entry !== null; entry = entry.next)
      if (entry.due < until) late.push(entry)
      else next = Math.min(next, entry.due)
    if (next !== Number.POSITIVE_INFINITY) this.#arm(now, Math.max(0, next - now))
    for (const entry of late) {
      // One that another one has removed is not late.
      if (!entry.isListed) continue
      this.remove(entry)
      entry.late()
    }
  }
}
