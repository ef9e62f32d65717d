// The newest block of all servers, the rate of blocks, and a report of each new block.

import type { BlockIdExt } from '../blockId.ts'
import { type KnownHeads, toleranceAt } from './choice.ts'
import type { PoolMember } from './poolMember.ts'

const PACE_WEIGHT = 0.1
/** Until a second block of a server is known. */
const UNKNOWN_MS = 1_000
const RECENT = 256
/** Reported to a new listener: the last one may be that of a server that lags. */
const MOST_LAST = 16

/** A block of a server, and how long its blocks took so far. */
interface Pace {
  readonly seqno: number
  readonly at: number
  readonly blockMs: number
}

export class PoolHeads {
  readonly #members: () => readonly PoolMember[]
  readonly #listeners = new Set<(id: BlockIdExt) => void>()
  readonly #recent: string[] = []
  readonly #paces = new WeakMap<PoolMember, Pace>()
  #tolerance = toleranceAt(UNKNOWN_MS)
  /** What servers reported last. */
  readonly #last: BlockIdExt[] = []

  constructor(members: () => readonly PoolMember[]) {
    this.#members = members
  }

  read(): KnownHeads {
    // Of those that answer well, and of all where none does.
    let best = 0
    let bestOfAll = 0
    let isAnyHealthy = false
    for (const { isUsable, score, head } of this.#members()) {
      if (!isUsable) continue
      const seqno = head?.seqno ?? 0
      bestOfAll = Math.max(bestOfAll, seqno)
      if (score.isHigh) continue
      best = Math.max(best, seqno)
      isAnyHealthy = true
    }
    return { best: isAnyHealthy ? best : bestOfAll, tolerance: this.#tolerance }
  }

  heard(member: PoolMember, id: BlockIdExt, { now, wentBack }: { now: number; wentBack: boolean }): void {
    this.#measure(member, id.seqno, now)
    // What a server reports that fails is news when another one reports it too.
    if (member.score.isHigh && this.#members().some((one) => one.isUsable && !one.score.isHigh)) return
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

  #measure(member: PoolMember, seqno: number, at: number): void {
    const before = this.#paces.get(member)
    let blockMs = before?.blockMs ?? UNKNOWN_MS
    if (before !== undefined && seqno > before.seqno)
      blockMs += ((at - before.at) / (seqno - before.seqno) - blockMs) * PACE_WEIGHT
    this.#paces.set(member, { seqno, at, blockMs })
    this.#tolerance = toleranceAt(this.#usualMs())
  }

  /** Of the servers in the middle, and of two the slower one: seqnos that one of them makes up change nothing. */
  #usualMs(): number {
    const usable = this.#members().filter(({ isUsable }) => isUsable)
    const paces = usable.flatMap((member) => this.#paces.get(member)?.blockMs ?? []).sort((a, b) => b - a)
    return paces[(paces.length - 1) >> 1] ?? UNKNOWN_MS
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
