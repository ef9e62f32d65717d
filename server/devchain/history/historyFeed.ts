// Tells other processes of the blocks of the chain, so that they can read what is archived of them.

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
    archive.onArchived((seqno) => this.#tell(() => this.#news(index.length, [seqno])))
  }

  /** The steps behind one, as many as one message should hold. */
  after(seqno: number): HistoryNews {
    return this.#news(Math.max(0, Math.min(seqno, this.#index.length)), null)
  }

  /** Calls back with what changes, in order, until the returned function is called. */
  onNews(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A step was made, or those behind the newest one were undone. */
  changed(isUndone: boolean): void {
    this.#tell(() => this.after(this.#index.length - (isUndone ? 0 : 1)))
  }

  #tell(news: () => HistoryNews): void {
    if (this.#listeners.size === 0) return
    const told = news()
    for (const listener of this.#listeners) listener(told)
  }

  /** `archived` are the steps whose places are told; null for those that follow. */
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
