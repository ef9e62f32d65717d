// Reads the data file of an archive, in the process that writes it and in worker processes.

import { join } from 'node:path'
import { diskFiles, type Files, type LogFile, PromptReads } from '../log/index.ts'
import type { AtOnce } from './atOnce.ts'

export const DATA_FILE = 'transactions.data'

export class ArchiveData {
  readonly #file: LogFile
  readonly #reads = new PromptReads()

  constructor(file: LogFile) {
    this.#file = file
  }

  /** For a process that does not write it. Rejects when there is no such file. */
  static async open(folder: string, files: Files = diskFiles): Promise<ArchiveData> {
    return new ArchiveData(await files.open(join(folder, DATA_FILE), 'read'))
  }

  /** Null when the file is shorter. Synchronous unless the disk is slow. */
  read(at: number, length: number): AtOnce<Buffer | null> {
    const bytes = Buffer.allocUnsafe(length)
    const whole = (filled: number): Buffer | null => (filled === length ? bytes : null)
    const filled = this.#reads.read(this.#file, bytes, at)
    return typeof filled === 'number' ? whole(filled) : filled.then(whole)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
