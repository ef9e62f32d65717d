// Calls that wait because every server is at its limit. Each new one would otherwise take the place of those that have waited
// longest, which then end without an answer. Reads of the index and of callers wait apart: an index that catches up always
// has more to read, and a caller would wait behind all of it. Callers share what they get evenly.

import { FairQueue, ownerOfSignal } from '../../fairness/index.ts'
import { boundedCall } from '../bounded.ts'
import { LiteError } from '../liteErrors.ts'
import { INDEX_SHARE } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'

/** Whose a call is: a share, or else the caller who owns its signal. */
interface Owned {
  readonly signal?: AbortSignal | undefined
  readonly share?: string | undefined
}

interface Patience extends Owned {
  readonly ms: number
}

/** Where it waits in the queue. */
interface Place {
  readonly subject: string
  readonly kind: string
}

/** While callers wait, they get three of four calls: the index goes on, and is behind for some time in any case. */
const INDEX_COST = 3

const CALLERS = 'callers'

function placeOf({ share, signal }: Owned): Place {
  if (share === INDEX_SHARE) return { subject: INDEX_SHARE, kind: '' }
  return { subject: CALLERS, kind: share ?? ownerOfSignal(signal) ?? '' }
}

export class WaitingLine {
  readonly #clock: Pick<Clock, 'after'>
  readonly #queue = new FairQueue<() => void>()
  #isTaken = false

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return !this.#isTaken
  }

  /** Runs the work when it is first in line; resolves to null when it was not in time. */
  async first<T>(patience: Patience, work: () => Promise<T>): Promise<T | null> {
    const place = placeOf(patience)
    if (!(await this.#turn(place, patience))) return null
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  /** Calls that were made, whether they waited in line or not. */
  charge(owned: Owned, calls: number): void {
    if (calls <= 0 || this.#queue.size === 0) return
    const { subject, kind } = placeOf(owned)
    this.#queue.charge(subject, { cost: subject === INDEX_SHARE ? INDEX_COST * calls : calls, kind })
  }

  async #turn({ subject, kind }: Place, { ms, signal }: Patience): Promise<boolean> {
    if (!this.#isTaken) {
      this.#isTaken = true
      return true
    }
    let isFirst = false
    let begin: () => void = () => undefined
    const turn = new Promise<void>((resolve) => {
      begin = () => {
        isFirst = true
        resolve()
      }
    })
    this.#queue.add(subject, begin, kind)
    const late = (): LiteError => new LiteError('timeout', 'timeout')
    await boundedCall({ clock: this.#clock, ms, signals: [signal], late }, () => turn).catch(() => undefined)
    if (!isFirst) this.#queue.delete(subject, begin)
    return isFirst
  }

  #next(): void {
    const begin = this.#queue.take()
    this.#isTaken = begin !== undefined
    begin?.()
  }
}
