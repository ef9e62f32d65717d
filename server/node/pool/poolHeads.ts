// The newest block of all servers, the rate of blocks, and a report of each new block.

import type { BlockIdExt } from '../blockId.ts'
import { isNear, type KnownHeads, toleranceAt } from './choice.ts'
import type { PoolMember } from './poolMember.ts'

const PACE_WEIGHT = 0.1
const RECENT = 256
/** Reported to a new listener: the last one may be that of a server that lags. */
const MOST_LAST = 16

export class PoolHeads {
  readonly #members: () => readonly PoolMember[]
  readonly #listeners = new Set<(id: BlockIdExt) => void>()
  readonly #recent: string[] = []
  #blockMs = 1_000
  /** What servers reported last. */
  readonly #last: BlockIdExt[] = []
  #newest: { readonly seqno: number; readonly at: number } | null = null

  constructor(members: () => readonly PoolMember[]) {
    this.#members = members
  }

  read(): KnownHeads {
    // Of those that answer well, and of all where none does.
    let [best, bestOfAll, isAnyHealthy] = [0, 0, false]
    for (const { isUsable, score, head } of this.#members()) {
      if (!isUsable) continue
      const seqno = head?.seqno ?? 0
      bestOfAll = Math.max(bestOfAll, seqno)
      if (score.isHigh) continue
      best = Math.max(best, seqno)
      isAnyHealthy = true
    }
    return { best: isAnyHealthy ? best : bestOfAll, tolerance: toleranceAt(this.#blockMs) }
  }

  heard(member: PoolMember, id: BlockIdExt, { now, wentBack }: { now: number; wentBack: boolean }): void {
    const newest = this.#newest
    if (isNear(member, this.read()) && (newest === null || id.seqno > newest.seqno)) {
      if (newest !== null)
        this.#blockMs += ((now - newest.at) / (id.seqno - newest.seqno) - this.#blockMs) * PACE_WEIGHT
      this.#newest = { seqno: id.seqno, at: now }
    }
    // Each block is reported once, from the first server that has it. A false high seqno of one does not mute the others.
    const key = `${id.seqno}:${Buffer.from(id.rootHash).toString('base64')}`
    const isKnown = this.#recent.includes(key)
    // A server that went back may have undone blocks, so its block is reported again.
    if (isKnown && !wentBack) return
    if (!isKnown) this.#recent.push(key)
    if (this.#recent.length > RECENT) this.#recent.shift()
    this.#last.push(id)
    if (this.#last.length > MOST_LAST) this.#last.shift()
    for (const listener of this.#listeners) listener(id)
  }

  /** Starts with what was reported last: on a quiet chain the next block may take long. */
  listen(listener: (id: BlockIdExt) => void): () => void {
    this.#listeners.add(listener)
    queueMicrotask(() => {
      for (const id of [...this.#last]) if (this.#listeners.has(listener)) listener(id)
    })
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#listeners.clear()
  }
}
