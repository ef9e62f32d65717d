// Reads archived transactions from the archive's data file. The process that writes the archive uses it, and so do worker processes,
// which learn from that process where each record is.

import { LRUCache } from 'lru-cache'
import { ArchivedTransaction } from './archivedTransaction.ts'
import type { ArchivePlace } from './archiveFiles.ts'
import { type AtOnce, andThen } from './atOnce.ts'
import { type BlockTable, StepTable } from './stepTable.ts'

/** A step that is archived. */
export interface ArchivedStep {
  readonly seqno: number
  readonly place: ArchivePlace
  readonly table: StepTable
}

export interface ArchiveReading {
  /** Bytes of the data file; null when it does not have them. */
  readonly read: (at: number, length: number) => AtOnce<Buffer | null>
  /** Hash of masterchain block `seqno`; undefined when there is none. */
  readonly rootHash: (seqno: number) => Uint8Array | undefined
  /** A record is not what was written. */
  readonly onLost: (seqno: number) => void
  /** Most bytes of tables in memory. */
  readonly keptBytes: number
}

export class ArchiveReader {
  readonly #reading: ArchiveReading
  /** By seqno; holes are steps that are missing. */
  readonly #places: (ArchivePlace | undefined)[] = []
  readonly #steps: LRUCache<ArchivePlace, ArchivedStep>

  constructor(reading: ArchiveReading) {
    this.#reading = reading
    this.#steps = new LRUCache({
      maxSize: reading.keptBytes,
      sizeCalculation: ({ table }) => table.bytes.length + 256,
    })
  }

  place(seqno: number): ArchivePlace | undefined {
    return this.#places[seqno]
  }

  /** Records where a step was written, once all of it is in the file. */
  setPlace(seqno: number, place: ArchivePlace): void {
    this.#places[seqno] = place
  }

  /** Forgets every step after this one. */
  truncate(seqno: number): void {
    this.#places.length = Math.min(this.#places.length, seqno + 1)
  }

  /** A step as it is archived; null when it is not, or not readable. At once unless the disk is slow. */
  step(seqno: number): AtOnce<ArchivedStep | null> {
    const place = this.#places[seqno]
    if (place === undefined) return null
    const kept = this.#steps.get(place)
    if (kept !== undefined) return kept
    const rootHash = this.#reading.rootHash(seqno)
    if (rootHash === undefined) return null
    return andThen(this.#read(place.offset, place.tableBytes), (bytes) => {
      const table = bytes === null ? null : StepTable.read(bytes, rootHash)
      if (table === null) {
        this.#lose(seqno, place)
        return null
      }
      const step = { seqno, place, table }
      this.#steps.set(place, step)
      return step
    })
  }

  /** The transaction of an entry; null when it is not readable. */
  transaction({ seqno, place, table }: ArchivedStep, at: number): AtOnce<ArchivedTransaction | null> {
    const stored = table.stored(at)
    return andThen(this.#read(place.offset + stored.offset, stored.size), (bytes) => {
      const found = bytes === null ? null : ArchivedTransaction.open({ table, at, stored }, bytes)
      if (found === null) this.#lose(seqno, place)
      return found
    })
  }

  /** Some transactions of a block that follow each other, by the numbers of their entries; null as above. */
  async transactions(
    step: ArchivedStep,
    part: BlockTable,
    numbers: ArchiveRange,
  ): Promise<ArchivedTransaction[] | null> {
    const { seqno, place, table } = step
    const entries = Array.from({ length: numbers.to - numbers.from }, (_, i) => table.entryAt(part, numbers.from + i))
    const first = entries[0]
    const last = entries.at(-1)
    if (first === undefined || last === undefined) return []
    const start = table.stored(first).offset
    const end = table.stored(last)
    const bytes = await this.#read(place.offset + start, end.offset + end.size - start)
    const found: ArchivedTransaction[] = []
    for (const at of entries) {
      const stored = table.stored(at)
      const from = stored.offset - start
      const own = bytes?.subarray(from, from + stored.size)
      const one = own === undefined ? null : ArchivedTransaction.open({ table, at, stored }, own)
      if (one === null) {
        this.#lose(seqno, place)
        return null
      }
      found.push(one)
    }
    return found
  }

  /** Read errors are not fatal: the journal has the same data. */
  #read(at: number, length: number): AtOnce<Buffer | null> {
    try {
      const reading = this.#reading.read(at, length)
      return reading instanceof Promise ? reading.catch(() => null) : reading
    } catch {
      return null
    }
  }

  #lose(seqno: number, place: ArchivePlace): void {
    this.#steps.delete(place)
    if (this.#places[seqno] !== place) return
    this.#places[seqno] = undefined
    this.#reading.onLost(seqno)
  }
}

/** From one number to before another. */
export interface ArchiveRange {
  readonly from: number
  readonly to: number
}
