// Reports each new, reverted or archived step of the chain to worker processes, which then read archived steps by themselves.

import type { HistoryNews } from '../../node/index.ts'
import type { Archive } from '../archive/index.ts'
import type { BlockIndex } from './blockIndex.ts'

type Listener = (news: HistoryNews) => void

export class HistoryFeed {
  readonly #index: BlockIndex
  readonly #archive: Pick<Archive, 'reader' | 'onArchived'>
  readonly #listeners = new Set<Listener>()

  constructor(index: BlockIndex, archive: Pick<Archive, 'reader' | 'onArchived'>) {
    this.#index = index
    this.#archive = archive
    archive.onArchived((seqno) => this.#notify(() => this.#news(index.length, [seqno])))
  }

  /** The steps after a seqno, at most as many as one message holds. */
  after(seqno: number): HistoryNews {
    return this.#news(Math.max(0, Math.min(seqno, this.#index.length)), null)
  }

  /** Calls back with every change, in order, until the returned function is called. */
  onNews(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** To be called when a step was made, or when steps were reverted, which `isUndone` says. */
  changed(isUndone: boolean): void {
    this.#notify(() => this.after(this.#index.length - (isUndone ? 0 : 1)))
  }

  #notify(news: () => HistoryNews): void {
    if (this.#listeners.size === 0) return
    const one = news()
    for (const listener of this.#listeners) listener(one)
  }

  /** `archived`: the steps whose places it includes; null for the places of all steps in it. */
  #news(after: number, archived: readonly number[] | null): HistoryNews {
    const { length } = this.#index
    const { records, count } = this.#index.recordsAfter(after)
    const seqnos = archived ?? Array.from({ length: count }, (_, i) => after + 1 + i)
    return {
      from: after + 1,
      before: this.#index.masterHash(after) ?? null,
      steps: records,
      places: seqnos.flatMap((seqno) => {
        const place = this.#archive.reader.place(seqno)
        return place === undefined ? [] : [seqno, place.offset, place.tableBytes]
      }),
      length,
    }
  }
}
