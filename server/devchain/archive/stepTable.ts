// Reads the table of a step: binary searches in its bytes, without copying.

import { crc32 } from 'node:zlib'
import { ENTRY, ENTRY_BYTES, STEP_HEAD_BYTES } from './packStep.ts'

/** One block's part of the table. */
export interface BlockTable {
  /** The header's proof; empty where the step has no such block. */
  readonly header: Uint8Array
  readonly count: number
  /** Where its first entry begins. */
  readonly at: number
}

/** Where a transaction's text is, with the transaction as a bag in it. */
export interface StoredTransaction {
  /** From the start of the record. */
  readonly offset: number
  /** Of the bag's base64. */
  readonly length: number
  /** Bytes of the text before that. */
  readonly before: number
  /** Of all. */
  readonly size: number
  readonly sum: number
}

export class StepTable {
  readonly bytes: Buffer
  readonly master: BlockTable
  readonly shard: BlockTable

  private constructor(bytes: Buffer) {
    this.bytes = bytes
    this.master = partAt(bytes, STEP_HEAD_BYTES)
    this.shard = partAt(bytes, this.master.at + this.master.count * ENTRY_BYTES)
  }

  /** Null when the bytes are not the table of the step with this masterchain block. */
  static read(bytes: Buffer, rootHash: Uint8Array): StepTable | null {
    const length = bytes.readUInt32LE(0)
    if (length !== bytes.length - STEP_HEAD_BYTES) return null
    const sum = crc32(bytes.subarray(STEP_HEAD_BYTES), crc32(rootHash))
    return sum === bytes.readUInt32LE(4) ? new StepTable(copied(bytes)) : null
  }

  /** The entry of a transaction: where it begins in `bytes`, or -1. */
  find(part: BlockTable, account: Uint8Array, lt: bigint): number {
    const number = this.search(part, account, lt)
    const at = this.entryAt(part, number)
    return number < part.count && this.#compare(at, account, lt) === 0 ? at : -1
  }

  /** Index of the first entry at or after an account's logical time. */
  search(part: BlockTable, account: Uint8Array, lt: bigint): number {
    const start = startOf(account, 0)
    let low = 0
    let high = part.count
    while (low < high) {
      const middle = (low + high) >> 1
      const at = this.entryAt(part, middle)
      const order = startOf(this.bytes, at) - start
      if ((order === 0 ? this.#compare(at, account, lt) : order) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(at: number, account: Uint8Array, lt: bigint): number {
    const order = this.bytes.compare(account, 0, 32, at, at + 32)
    if (order !== 0) return order
    const own = this.lt(at)
    return own < lt ? -1 : own > lt ? 1 : 0
  }

  /** Where the entry of a number begins. */
  entryAt(part: BlockTable, number: number): number {
    return part.at + number * ENTRY_BYTES
  }

  account(at: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(at, at + 32))
  }

  lt(at: number): bigint {
    return this.bytes.readBigUInt64LE(at + ENTRY.lt)
  }

  previousLt(at: number): bigint {
    return this.bytes.readBigUInt64LE(at + ENTRY.previousLt)
  }

  /** Where the hash of an entry begins. */
  hashAt(at: number): number {
    return at + ENTRY.hash
  }

  hash(at: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(at + ENTRY.hash, at + ENTRY.hash + 32))
  }

  hasHash(at: number, hash: Uint8Array): boolean {
    return this.bytes.compare(hash, 0, 32, at + ENTRY.hash, at + ENTRY.hash + 32) === 0
  }

  /** Without a copy. */
  previousHash(at: number): Uint8Array {
    return this.bytes.subarray(at + ENTRY.previousHash, at + ENTRY.previousHash + 32)
  }

  /** What is stored for an entry. */
  stored(at: number): StoredTransaction {
    const { bytes } = this
    const length = bytes.readUInt32LE(at + ENTRY.length)
    const before = bytes.readUInt32LE(at + ENTRY.before)
    return {
      offset: bytes.length + bytes.readUInt32LE(at + ENTRY.offset),
      length,
      before,
      size: length + before + bytes.readUInt32LE(at + ENTRY.after),
      sum: bytes.readUInt32LE(at + ENTRY.sum),
    }
  }
}

/** In memory of its own: a small buffer is a part of one of 8 kB, all of which a cached table would keep. */
function copied(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** The first bytes of an account as a number, which decide most comparisons. */
const startOf = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0

function partAt(bytes: Buffer, at: number): BlockTable {
  const headerAt = at + 4
  const countAt = headerAt + bytes.readUInt32LE(at)
  return { header: bytes.subarray(headerAt, countAt), count: bytes.readUInt32LE(countAt), at: countAt + 4 }
}
