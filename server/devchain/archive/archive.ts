// The archive of a chain: answers from its files, and brings them up to date in the background, the newest step first.

import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { sameBytes } from '../../cell/index.ts'
import { ArchivedTransaction } from './archivedTransaction.ts'
import type { ArchiveFiles, ArchivePlace } from './archiveFiles.ts'
import { type AtOnce, andThen } from './atOnce.ts'
import { packArchiveStep, type StepRoots } from './packStep.ts'
import { type BlockTable, StepTable } from './stepTable.ts'
import type { TransactionTexts } from './transactionTexts.ts'

/** Bytes of tables kept in memory: those of some 250,000 transactions. */
const KEPT_BYTES = 24 * 1024 * 1024
/** Milliseconds of packing between two pauses, and of a pause while older steps are packed. */
const SLICE_MS = 4
const PAUSE_MS = 4

/** What is archived: the steps of a chain. */
export interface ArchiveSource {
  /** Hash of masterchain block `seqno`; undefined when there is none. */
  rootHash(seqno: number): Uint8Array | undefined
  roots(seqno: number): Promise<StepRoots>
  /** Those the files were opened for. */
  readonly texts: TransactionTexts
  /** Seqno of the newest masterchain block. */
  readonly length: number
}

/** A step that is archived. */
export interface ArchivedStep {
  readonly seqno: number
  readonly place: ArchivePlace
  readonly table: StepTable
}

type Warn = (line: string, facts: Readonly<Record<string, unknown>>) => void

export class Archive {
  readonly #files: ArchiveFiles
  readonly #source: ArchiveSource
  readonly #warn: Warn
  /** By seqno; holes are steps that are missing. */
  readonly #places: (ArchivePlace | undefined)[] = []
  readonly #steps = new LRUCache<ArchivePlace, ArchivedStep>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ table }) => table.bytes.length + 256,
  })
  /** Steps to be packed, the next one last. */
  #missing: number[] = []
  #packing: Promise<void> | null = null
  #closed = false

  constructor(files: ArchiveFiles, source: ArchiveSource, warn: Warn) {
    this.#files = files
    this.#source = source
    this.#warn = warn
    for (const { seqno, offset, tableBytes, rootHash } of files.listed) {
      const known = source.rootHash(seqno)
      if (known !== undefined && sameBytes(known, rootHash)) this.#places[seqno] = { offset, tableBytes }
    }
    for (let seqno = 1; seqno <= source.length; seqno++)
      if (this.#places[seqno] === undefined) this.#missing.push(seqno)
  }

  /** How many steps are to be packed yet. */
  get missing(): number {
    return this.#missing.length
  }

  /** Packs what is missing, in the background. */
  start(): void {
    if (this.#closed || this.#packing !== null || this.#missing.length === 0) return
    this.#packing = this.#packAll().finally(() => {
      this.#packing = null
    })
  }

  /** Takes in a step that was just made. */
  add(seqno: number): void {
    this.#missing.push(seqno)
    this.start()
  }

  /** Forgets every step after this one. */
  truncate(seqno: number): void {
    this.#places.length = Math.min(this.#places.length, seqno + 1)
    this.#missing = this.#missing.filter((one) => one <= seqno)
  }

  /** A step as it is archived; null when it is not, or not readable. At once unless the disk is slow. */
  step(seqno: number): AtOnce<ArchivedStep | null> {
    const place = this.#places[seqno]
    if (place === undefined) return null
    const kept = this.#steps.get(place)
    if (kept !== undefined) return kept
    const rootHash = this.#source.rootHash(seqno)
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
    const [first, last] = [entries[0], entries.at(-1)]
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

  /** Ends what is going on; what is missing then is packed after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#packing
    await this.#files.close()
  }

  /** Read errors are not fatal: the journal has the same data. */
  #read(at: number, length: number): AtOnce<Buffer | null> {
    try {
      const reading = this.#files.read(at, length)
      return reading instanceof Promise ? reading.catch(() => null) : reading
    } catch {
      return null
    }
  }

  /** A record that is not what was written is written again. */
  #lose(seqno: number, place: ArchivePlace): void {
    this.#steps.delete(place)
    if (this.#closed || this.#places[seqno] !== place) return
    this.#warn('archive: a step is damaged and made again', { seqno })
    this.#places[seqno] = undefined
    this.add(seqno)
  }

  async #packAll(): Promise<void> {
    const newest = this.#source.length
    for (let seqno = this.#missing.pop(); seqno !== undefined && !this.#closed; seqno = this.#missing.pop())
      try {
        await this.#pack(seqno, seqno >= newest ? 0 : PAUSE_MS)
      } catch (error) {
        // The chain was reverted meanwhile, or the disk is full. The next start tries again.
        if (this.#source.rootHash(seqno) !== undefined)
          this.#warn('archive: a step could not be written', { seqno, error: String(error) })
      }
  }

  async #pack(seqno: number, pauseMs: number): Promise<void> {
    const rootHash = this.#source.rootHash(seqno)
    if (rootHash === undefined || this.#places[seqno] !== undefined) return
    let since = performance.now()
    const pieces = await packArchiveStep(await this.#source.roots(seqno), this.#source.texts, async () => {
      if (performance.now() - since < SLICE_MS) return
      await pause(pauseMs)
      since = performance.now()
    })
    const place = await this.#files.append(seqno, rootHash, pieces)
    const now = this.#source.rootHash(seqno)
    if (now !== undefined && sameBytes(now, rootHash)) this.#places[seqno] = place
    await pause(pauseMs)
  }
}

/** From one number to before another. */
export interface ArchiveRange {
  readonly from: number
  readonly to: number
}
