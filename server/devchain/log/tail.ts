// Bytes after the last complete record of a log: a torn write, which was never acknowledged, or damage.

import type { LogFile } from './files.ts'
import { FRAME_BYTES, isMark, RECORD_HEAD_BYTES, readHead } from './logRecord.ts'
import { type LogSpan, readRecord } from './scan.ts'
import type { Segment } from './segment.ts'

const CHUNK_BYTES = 1024 * 1024
/** The smallest piece a disk writes. */
const SECTOR = 512
const ZEROS = Buffer.alloc(SECTOR)

export type TailVerdict = 'torn' | 'damaged'

/**
 * Classifies the bytes from `from`, where no complete record begins, to the end of the last segment. Complete records after
 * them mean damage, with one exception: after a loss of power the pages that were not synced may be on the disk in any
 * order, the missing ones as zeros. That is a torn write too, as long as no mark follows that states it was synced.
 */
export async function judgeTail(file: LogFile, segment: Segment, { from, to }: LogSpan): Promise<TailVerdict> {
  const end = await trimZeros(file, { from, to })
  let first: number | null = null
  for (let at = from + 1; at < end; ) {
    const found = await findRecord(file, segment, { from: at, to: end })
    if (found === null) break
    if (found.isMark) return 'damaged'
    first ??= found.offset
    at = found.end
  }
  return first === null || (await hasHole(file, { from, to: first })) ? 'torn' : 'damaged'
}

/** The end of what is not zero: files may be longer than what was written, by preallocation or loss of power. */
async function trimZeros(file: LogFile, { from, to }: LogSpan): Promise<number> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  for (let end = to; end > from; ) {
    const start = Math.max(from, end - CHUNK_BYTES)
    const bytes = chunk.subarray(0, end - start)
    await file.read(bytes, start)
    let last = bytes.length - 1
    while (last >= 0 && bytes[last] === 0) last--
    if (last >= 0) return start + last + 1
    end = start
  }
  return from
}

interface Found {
  readonly offset: number
  readonly end: number
  readonly isMark: boolean
}

/** The first whole record that begins within a span, looked for at every byte. */
async function findRecord(file: LogFile, segment: Segment, { from, to }: LogSpan): Promise<Found | null> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES + RECORD_HEAD_BYTES)
  for (let start = from; start < to; start += CHUNK_BYTES) {
    const filled = await file.read(chunk, start)
    const stop = Math.min(CHUNK_BYTES, to - start, filled - RECORD_HEAD_BYTES + 1)
    for (let at = 0; at < stop; at++) {
      if (readHead(chunk, at, segment.seed, start + at) === null) continue
      const record = await readRecord(file, segment, start + at)
      if (record === null) continue
      const end = start + at + FRAME_BYTES + record.payload.length
      return { offset: start + at, end, isMark: isMark(record) }
    }
  }
  return null
}

/** Whether a whole sector of a span is zero, or the rest of its first one: that one was written before the record began in it. */
async function hasHole(file: LogFile, { from, to }: LogSpan): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const rest = Math.ceil(from / SECTOR) * SECTOR - from
  if (rest >= RECORD_HEAD_BYTES && from + rest <= to) {
    const filled = await file.read(chunk.subarray(0, rest), from)
    if (filled === rest && chunk.compare(ZEROS, 0, rest, 0, rest) === 0) return true
  }
  for (let start = Math.ceil(from / SECTOR) * SECTOR; start + SECTOR <= to; start += CHUNK_BYTES) {
    const filled = await file.read(chunk.subarray(0, Math.min(CHUNK_BYTES, to - start)), start)
    for (let at = 0; at + SECTOR <= filled; at += SECTOR)
      if (chunk.compare(ZEROS, 0, SECTOR, at, at + SECTOR) === 0) return true
  }
  return false
}
