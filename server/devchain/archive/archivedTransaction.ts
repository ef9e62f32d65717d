// A transaction as it is archived. It is parsed only where more than its text is needed.

import { crc32 } from 'node:zlib'
import { type Cell, MAX_DEPTH, readBoc } from '../../cell/index.ts'
import type { StepTable, StoredTransaction } from './stepTable.ts'

/** Bytes. A longer text stays as bytes: tens of megabytes take 10 ms to become a string, and the reply needs bytes again. */
const LONG_TEXT = 256 * 1024

/** The entry of a transaction in the table of its step, and what that says. */
interface Entry {
  readonly table: StepTable
  readonly at: number
  readonly stored: StoredTransaction
}

export class ArchivedTransaction {
  readonly #entry: Entry
  readonly #bytes: Buffer
  #cell: Cell | null = null

  private constructor(entry: Entry, bytes: Buffer) {
    this.#entry = entry
    this.#bytes = bytes
  }

  /** Null when the bytes are not what was written for this entry. */
  static open(entry: Entry, bytes: Buffer): ArchivedTransaction | null {
    return crc32(bytes) === entry.stored.sum ? new ArchivedTransaction(entry, bytes) : null
  }

  /** The transaction as a bag with a checksum, in base64. */
  get bag(): string {
    const { before, length } = this.#entry.stored
    return this.#bytes.toString('latin1', before, before + length)
  }

  get cell(): Cell {
    if (this.#cell === null) {
      const { table, at } = this.#entry
      this.#cell = readBoc(Buffer.from(this.bag, 'base64'), { maxDepth: MAX_DEPTH, isOwn: true })
      this.#cell.adoptHashes(table.bytes, table.hashAt(at))
    }
    return this.#cell
  }

  /** Its finished text, a long one as it is stored; null when none is kept. */
  get text(): string | readonly Buffer[] | null {
    const { length, size } = this.#entry.stored
    if (length === size) return null
    return size > LONG_TEXT ? [this.#bytes] : this.#bytes.toString('utf8')
  }
}
