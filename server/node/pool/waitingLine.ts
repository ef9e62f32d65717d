// Calls that wait because every server is at its limit. Each new one would otherwise take the place of those that have waited
// longest, which then end without an answer. Reads of the index and of callers wait apart: an index that catches up always
// has more to read, and a caller would wait behind all of it.

import { FairQueue } from '../../fairness/index.ts'
import { bounded } from '../bounded.ts'
import { LiteError } from '../liteErrors.ts'
import { INDEX_SHARE } from '../liteServer.ts'
import type { Clock } from '../systemClock.ts'

interface Patience {
  readonly ms: number
  readonly signal?: AbortSignal | undefined
  readonly share?: string | undefined
}

/** While callers wait, they get three of four calls: the index goes on, and is behind for some time in any case. */
const INDEX_COST = 3

/** All callers together: which of them may have how many calls at once is decided where they come in. */
const CALLERS = 'callers'

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
    const share = patience.share === INDEX_SHARE ? INDEX_SHARE : CALLERS
    if (!(await this.#turn(share, patience))) return null
    try {
      return await work()
    } finally {
      this.#queue.charge(share, { cost: share === INDEX_SHARE ? INDEX_COST : 1 })
      this.#next()
    }
  }

  async #turn(share: string, { ms, signal }: Patience): Promise<boolean> {
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
    this.#queue.add(share, begin)
    const late = (): LiteError => new LiteError('timeout', 'timeout')
    await bounded({ clock: this.#clock, ms, signals: [signal], late }, () => turn).catch(() => undefined)
    if (!isFirst) this.#queue.delete(share, begin)
    return isFirst
  }

  #next(): void {
    const begin = this.#queue.take()
    this.#isTaken = begin !== undefined
    begin?.()
  }
}
