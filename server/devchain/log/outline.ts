// What a start needs of each record, in a file next to the log: a start then need not read the log from its beginning. It is
// not synced, and only its part before a position that is known to be safe is used. Each sum continues the one before, so
// that no entry can be missing. Without a whole file the log is read.
//
//   8 magic | 8 log id, then entries:
//   u32 length of the brief | u32 length of the payload | u32 segment | u64 offset | u8 type | brief | u32 crc32c

import { join } from 'node:path'
import { crc32c } from '../../cell/index.ts'
import type { Files, LogFile } from './files.ts'
import { comparePositions, FRAME_BYTES, type LogPosition, type LogRecord, type NewRecord } from './logRecord.ts'
import { ID_BYTES } from './segment.ts'

export const OUTLINE_FILE = 'outline.list'
const MAGIC = Buffer.from('tonrpcLO')
const HEAD_BYTES = MAGIC.length + ID_BYTES
const ENTRY_HEAD_BYTES = 21
const SUM_BYTES = 4
const CHUNK_BYTES = 1024 * 1024
/** Entries are written together up to about this much. */
const WRITE_BYTES = 256 * 1024

/** The part of a record's payload that a start needs. */
export type Brief = (record: NewRecord) => Uint8Array

/** Entries that can be used. */
export interface OutlinePart {
  /** The last of them as the log has it. */
  readonly last: { readonly at: LogPosition; readonly type: number; readonly brief: Buffer }
  /** Behind the last one in the log, and in this file. */
  readonly end: LogPosition
  readonly size: number
  /** Of the last entry. */
  readonly sum: number
}

interface Entry {
  readonly at: LogPosition
  readonly type: number
  readonly length: number
  readonly brief: Buffer
  readonly sum: number
  readonly end: number
}

export class LogOutline {
  readonly #file: LogFile
  readonly #brief: Brief
  readonly #firstSum: number
  #end = HEAD_BYTES
  #sum: number
  #drafts: Buffer[] = []
  #draftBytes = 0
  #writing: Promise<void> = Promise.resolve()
  #isBroken = false

  private constructor(file: LogFile, brief: Brief, firstSum: number) {
    this.#file = file
    this.#brief = brief
    this.#firstSum = firstSum
    this.#sum = firstSum
  }

  /** Opens that of a log, or begins it; null when it cannot be used. */
  static async open(
    files: Files,
    folder: string,
    { id, brief }: { readonly id: Uint8Array; readonly brief: Brief },
  ): Promise<LogOutline | null> {
    let file: LogFile | null = null
    try {
      const names = await files.list(folder)
      file = await files.open(join(folder, OUTLINE_FILE), names.includes(OUTLINE_FILE) ? 'write' : 'create')
      const head = Buffer.concat([MAGIC, id])
      const found = Buffer.alloc(HEAD_BYTES)
      await file.read(found, 0)
      if (!found.equals(head)) {
        await file.truncate(0)
        await file.write(head, 0)
      }
      return new LogOutline(file, brief, crc32c(head))
    } catch {
      await file?.close().catch(() => undefined)
      return null
    }
  }

  /** The entries of records that end at or before a position; null without any. */
  async find(before: LogPosition): Promise<OutlinePart | null> {
    let part: OutlinePart | null = null
    for await (const { at, type, length, brief, sum, end: size } of this.#entries()) {
      const end = { segment: at.segment, offset: at.offset + FRAME_BYTES + length }
      if (comparePositions(end, before) > 0) break
      part = { last: { at, type, brief }, end, size, sum }
    }
    return part
  }

  /** Hands over the entries of a part, their briefs as payloads. What follows them is written again. */
  async replay(part: OutlinePart | null, take: (record: LogRecord) => void | Promise<void>): Promise<void> {
    if (part !== null) {
      for await (const { at, type, brief, end } of this.#entries()) {
        const pending = take({ at, type, payload: brief })
        if (pending !== undefined) await pending
        if (end >= part.size) break
      }
      ;[this.#end, this.#sum] = [part.size, part.sum]
    }
    await this.#attempt(() => this.#file.truncate(this.#end))
  }

  /** Whether a record of the log is the one its last entry is of: another log may be as long, or have gone another way. */
  isOf({ last }: OutlinePart, record: LogRecord | null): boolean {
    return record !== null && record.type === last.type && last.brief.equals(this.#brief(record))
  }

  /** Takes in records that are in the log, in its order. */
  add(at: LogPosition, record: NewRecord): void {
    if (this.#isBroken) return
    const brief = this.#brief(record)
    const entry = Buffer.allocUnsafe(ENTRY_HEAD_BYTES + brief.length + SUM_BYTES)
    entry.writeUInt32LE(brief.length)
    entry.writeUInt32LE(record.payload.length, 4)
    entry.writeUInt32LE(at.segment, 8)
    entry.writeBigUInt64LE(BigInt(at.offset), 12)
    entry.writeUInt8(record.type, 20)
    entry.set(brief, ENTRY_HEAD_BYTES)
    const sumAt = entry.length - SUM_BYTES
    this.#sum = crc32c(entry, 0, sumAt, this.#sum)
    entry.writeUInt32LE(this.#sum, sumAt)
    this.#drafts.push(entry)
    this.#draftBytes += entry.length
    if (this.#draftBytes >= WRITE_BYTES) this.flush()
  }

  /** Writes what was taken in, in the background. */
  flush(): void {
    if (this.#drafts.length === 0) return
    const bytes = Buffer.concat(this.#drafts)
    const at = this.#end
    this.#end += bytes.length
    this.#drafts = []
    this.#draftBytes = 0
    this.#writing = this.#writing.then(() => this.#attempt(() => this.#file.write(bytes, at)))
  }

  async close(): Promise<void> {
    this.flush()
    await this.#writing
    await this.#file.close()
  }

  /** After a failure no more is written: what is there stays whole. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!this.#isBroken) await work()
    } catch {
      this.#isBroken = true
    }
  }

  /** As far as they are whole. */
  async *#entries(): AsyncGenerator<Entry> {
    let bytes: Buffer = Buffer.alloc(0)
    let start = HEAD_BYTES
    let at = 0
    let sum = this.#firstSum
    for (;;) {
      const left = bytes.length - at
      const need = left < ENTRY_HEAD_BYTES ? ENTRY_HEAD_BYTES : sizeOf(bytes, at)
      if (left < need) {
        start += at
        const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, Math.min(need, await this.#file.size())))
        bytes = chunk.subarray(0, await this.#file.read(chunk, start))
        at = 0
        if (bytes.length < need) return
        continue
      }
      const entry = entryAt(bytes, at, { need, sum, end: start + at + need })
      if (entry === null) return
      yield entry
      sum = entry.sum
      at += need
    }
  }
}

const sizeOf = (bytes: Buffer, at: number): number => ENTRY_HEAD_BYTES + bytes.readUInt32LE(at) + SUM_BYTES

function entryAt(
  bytes: Buffer,
  at: number,
  { need, sum: before, end }: { readonly need: number; readonly sum: number; readonly end: number },
): Entry | null {
  const sumAt = at + need - SUM_BYTES
  const sum = crc32c(bytes, at, sumAt, before)
  if (sum !== bytes.readUInt32LE(sumAt)) return null
  return {
    at: { segment: bytes.readUInt32LE(at + 8), offset: Number(bytes.readBigUInt64LE(at + 12)) },
    type: bytes.readUInt8(at + 20),
    length: bytes.readUInt32LE(at + 4),
    brief: Buffer.from(bytes.subarray(at + ENTRY_HEAD_BYTES, sumAt)),
    sum,
    end,
  }
}
