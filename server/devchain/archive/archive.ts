// Writes the archive of a chain in the background, the newest step first, and reads it.

import { setTimeout as pause } from 'node:timers/promises'
import { sameBytes } from '../../cell/index.ts'
import type { Warn } from '../warn.ts'
import type { ArchiveFiles } from './archiveFiles.ts'
import { ArchiveReader } from './archiveReader.ts'
import { packArchiveStep, type StepRoots } from './packStep.ts'
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

export class Archive {
  readonly reader: ArchiveReader
  readonly #files: ArchiveFiles
  readonly #source: ArchiveSource
  readonly #warn: Warn
  readonly #listeners = new Set<(seqno: number) => void>()
  /** Steps to be packed, the next one last. */
  #missing: number[] = []
  #packing: Promise<void> | null = null
  #closed = false

  constructor(files: ArchiveFiles, source: ArchiveSource, warn: Warn) {
    this.#files = files
    this.#source = source
    this.#warn = warn
    this.reader = new ArchiveReader({
      read: (at, length) => files.data.read(at, length),
      rootHash: (seqno) => source.rootHash(seqno),
      onLost: (seqno) => this.#lose(seqno),
      keptBytes: KEPT_BYTES,
    })
    for (const { seqno, offset, tableBytes, rootHash } of files.takeListed()) {
      const known = source.rootHash(seqno)
      if (known !== undefined && sameBytes(known, rootHash)) this.reader.setPlace(seqno, { offset, tableBytes })
    }
    for (let seqno = 1; seqno <= source.length; seqno++)
      if (this.reader.place(seqno) === undefined) this.#missing.push(seqno)
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
    this.reader.truncate(seqno)
    this.#missing = this.#missing.filter((one) => one <= seqno)
  }

  /** Calls back with each step that is archived from now on. */
  onArchived(listener: (seqno: number) => void): void {
    this.#listeners.add(listener)
  }

  /** Ends what is going on; what is missing then is packed after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#packing
    await this.#files.close()
  }

  /** A record that is not what was written is written again. */
  #lose(seqno: number): void {
    if (this.#closed) return
    this.#warn('archive: a step is damaged and made again', { seqno })
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
    if (rootHash === undefined || this.reader.place(seqno) !== undefined) return
    let since = performance.now()
    const pieces = await packArchiveStep(await this.#source.roots(seqno), this.#source.texts, async () => {
      if (performance.now() - since < SLICE_MS) return
      await pause(pauseMs)
      since = performance.now()
    })
    const place = await this.#files.append(seqno, rootHash, pieces)
    const now = this.#source.rootHash(seqno)
    if (now !== undefined && sameBytes(now, rootHash)) {
      this.reader.setPlace(seqno, place)
      for (const listener of this.#listeners) listener(seqno)
    }
    await pause(pauseMs)
  }
}
