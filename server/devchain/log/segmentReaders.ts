// Open files of segments, for random reads. The ones used last stay open; a file is never closed while it is read.

import type { Files, LogFile } from './files.ts'
import { PromptReads } from './promptReads.ts'
import type { Segment } from './segment.ts'

const MOST_OPEN = 8

interface Open {
  readonly file: Promise<LogFile>
  readers: number
}

export class SegmentReaders {
  readonly #files: Files
  readonly #reads = new PromptReads()
  /** Least recently used first. */
  readonly #open = new Map<number, Open>()
  #most = MOST_OPEN

  constructor(files: Files) {
    this.#files = files
  }

  /** Runs `work` with the segment's file. */
  async use<T>(segment: Segment, work: (file: LogFile) => Promise<T>): Promise<T> {
    const one = this.#open.get(segment.number) ?? this.#begin(segment)
    this.#open.delete(segment.number)
    this.#open.set(segment.number, one)
    one.readers++
    try {
      return await work(await one.file)
    } finally {
      one.readers--
      await this.#shrink()
    }
  }

  #begin(segment: Segment): Open {
    const one: Open = { file: this.#openFile(segment), readers: 0 }
    // A failure passes, as where too many files are open: the next reader opens it again.
    one.file.catch(() => {
      if (this.#open.get(segment.number) === one) this.#open.delete(segment.number)
    })
    return one
  }

  async #openFile({ path }: Segment): Promise<LogFile> {
    const file = await this.#files.open(path, 'read')
    return { ...file, read: async (into, from) => await this.#reads.read(file, into, from) }
  }

  /** Closes all: those that are being read when their readers are done. */
  close(): Promise<void> {
    this.#most = 0
    return this.#shrink()
  }

  async #shrink(): Promise<void> {
    for (const [number, { file, readers }] of this.#open) {
      if (this.#open.size <= this.#most) return
      if (readers > 0) continue
      this.#open.delete(number)
      // A failure to open was reported to the reader.
      await file.then((opened) => opened.close()).catch(() => undefined)
    }
  }
}
