// The data file of an archive, to be read: by the process that writes it, and by others.

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

  /** Null when it does not have the bytes. Waits for the disk only where it has to. */
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
