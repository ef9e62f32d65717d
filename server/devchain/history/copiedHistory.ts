// The history of a chain in a process that does not own it: the index of blocks as the owner tells it, and the archive, whose
// file is read here. Everything that is read is checked against a hash of the index, so that what was never written whole, or
// was written for another chain, is not found.

import { sameBytes } from '../../cell/index.ts'
import { type HistoryNews, NOT_HERE } from '../../node/index.ts'
import { type ArchiveData, ArchiveReader } from '../archive/index.ts'
import type { HistoryParts } from './accountTransactions.ts'
import { BlockIndex } from './blockIndex.ts'

/** Bytes of tables kept in memory: those of some 80,000 transactions. */
const KEPT_BYTES = 8 * 1024 * 1024

export class CopiedHistory implements HistoryParts {
  readonly index = new BlockIndex()
  readonly archive: ArchiveReader
  /** Whole blocks are the owner's. */
  readonly steps: HistoryParts['steps'] = { block: () => Promise.reject(NOT_HERE) }

  constructor(data: Pick<ArchiveData, 'read'>) {
    this.archive = new ArchiveReader({
      read: (at, length) => data.read(at, length),
      rootHash: (seqno) => this.index.masterHash(seqno),
      // The owner is asked for it, and writes it again.
      onLost: () => undefined,
      keptBytes: KEPT_BYTES,
    })
  }

  /** To be called with all news, in order. Returns whether there are steps that were not told yet. */
  take({ from, before, steps, places, length }: HistoryNews): boolean {
    // With a gap in between they are told again, but for where those are that are known here.
    if (from > this.index.length + 1) {
      this.#place(places)
      return this.index.length < length
    }
    if (!this.#follows(from, before)) {
      this.#truncate(0)
      return length > 0
    }
    this.#truncate(from - 1)
    this.index.addRecords(steps)
    this.#place(places)
    return this.index.length < length
  }

  #place(places: HistoryNews['places']): void {
    for (let i = 0; i < places.length; i += 3) {
      const [seqno = 0, offset = 0, tableBytes = 0] = places.slice(i, i + 3)
      if (seqno <= this.index.length) this.archive.setPlace(seqno, { offset, tableBytes })
    }
  }

  #follows(from: number, before: Uint8Array | null): boolean {
    const own = this.index.masterHash(from - 1)
    return own === undefined || before === null ? from === 1 : sameBytes(own, before)
  }

  #truncate(seqno: number): void {
    this.index.truncate(seqno)
    this.archive.truncate(seqno)
  }
}
