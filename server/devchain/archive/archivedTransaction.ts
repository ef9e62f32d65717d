// A transaction as it is archived. It is parsed only where more than its text is needed.

import { type Cell, crc32c, readBoc } from '../../cell/index.ts'
import type { StepTable } from './stepTable.ts'

const MAX_DEPTH = 1024

export class ArchivedTransaction {
  /** The transaction as a bag with a checksum. */
  readonly boc: Uint8Array
  readonly #texts: Buffer
  readonly #table: StepTable
  readonly #at: number
  #cell: Cell | null = null

  private constructor(table: StepTable, at: number, bytes: Buffer) {
    const { length } = table.stored(at)
    this.#table = table
    this.#at = at
    this.boc = bytes.subarray(0, length)
    this.#texts = bytes.subarray(length)
  }

  /** Null when the bytes are not what was written for this entry. */
  static open(table: StepTable, at: number, bytes: Buffer): ArchivedTransaction | null {
    return crc32c(bytes) === table.stored(at).sum ? new ArchivedTransaction(table, at, bytes) : null
  }

  get cell(): Cell {
    if (this.#cell === null) {
      this.#cell = readBoc(this.boc, { maxDepth: MAX_DEPTH, isOwn: true })
      this.#cell.adoptHashes(this.#table.bytes, this.#table.hashAt(this.#at))
    }
    return this.#cell
  }

  get lt(): bigint {
    return this.#table.lt(this.#at)
  }

  get previousLt(): bigint {
    return this.#table.previousLt(this.#at)
  }

  get hash(): Uint8Array {
    return this.#table.hash(this.#at)
  }

  get previousHash(): Uint8Array {
    return this.#table.previousHash(this.#at)
  }

  /** Its finished text; null when none is kept. */
  get text(): string | null {
    const { before } = this.#table.stored(this.#at)
    const texts = this.#texts
    if (texts.length === 0) return null
    const { buffer, byteOffset, length } = this.boc
    const bag = Buffer.from(buffer, byteOffset, length).toString('base64')
    return texts.toString('utf8', 0, before) + bag + texts.toString('utf8', before)
  }
}
