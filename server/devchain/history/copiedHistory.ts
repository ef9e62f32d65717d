// The history of the embedded chain in a worker process: a copy of the owner's index of blocks, and the owner's archive file. Each
// record of the file is checked against a hash in the index, so a half-written record, or one of another chain, is not found.

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
  /** Only the owner reads whole blocks. */
  readonly steps: HistoryParts['steps'] = { block: () => Promise.reject(NOT_HERE) }

  constructor(data: Pick<ArchiveData, 'read'>) {
    this.archive = new ArchiveReader({
      read: (at, length) => data.read(at, length),
      rootHash: (seqno) => this.index.masterHash(seqno),
      // The call goes on to the owner, which finds the damage too and writes the step again.
      onLost: () => undefined,
      keptBytes: KEPT_BYTES,
    })
  }

  /** Call it with every `HistoryNews`, in order. True: steps are missing here, query the owner for those after `index.length`. */
  take({ from, before, steps, places, length }: HistoryNews): boolean {
    // Steps between these and the newest one here are missing: the owner sends all of them later. `places` may be about steps that
    // are here already, and the owner sends these once only.
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
