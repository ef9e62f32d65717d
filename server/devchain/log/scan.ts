// Reading a segment from end to end through one buffer of fixed size; only a record larger than that is given memory of
// its own, and only after the sum of its head has vouched for the length.

import type { LogFile } from './files.ts'
import { FRAME_BYTES, isWhole, type LogRecord, RECORD_HEAD_BYTES, readHead } from './logRecord.ts'
import type { Segment } from './segment.ts'

const CHUNK_BYTES = 1024 * 1024
/** Bytes of the first read of one record, whose size is not known yet. */
const READ_BYTES = 16 * 1024

export interface LogSpan {
  readonly from: number
  /** End of the span, exclusive. */
  readonly to: number
}

/**
 * Yields the complete records of a span in batches, including marks, and returns the position of the first incomplete one,
 * or `to`.
 */
export async function* scanSegment(
  file: LogFile,
  segment: Segment,
  { from, to }: LogSpan,
): AsyncGenerator<readonly LogRecord[], number> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(to - from, 0)))
  let offset = from
  while (to - offset >= FRAME_BYTES) {
    const filled = await file.read(chunk.subarray(0, to - offset), offset)
    const bunch: LogRecord[] = []
    const { used, need } = takeWhole(chunk.subarray(0, filled), segment, offset, bunch)
    if (bunch.length > 0) yield bunch
    offset += used
    if (need === 0 || need > to - offset) return offset
    if (used > 0) continue
    const record = need > chunk.length ? await readLarge(file, segment, offset, need) : null
    if (record === null) return offset
    yield [record]
    offset += need
  }
  return offset
}

/**
 * Takes the complete records from the start of `bytes`. `need` is the length of the incomplete record after them, as far as
 * its head says; 0 when no record follows.
 */
function takeWhole(
  bytes: Buffer,
  segment: Segment,
  offset: number,
  bunch: LogRecord[],
): { used: number; need: number } {
  let used = 0
  for (;;) {
    const left = bytes.length - used
    if (left < FRAME_BYTES) return { used, need: FRAME_BYTES }
    const head = readHead(bytes, used, segment.seed, offset + used)
    if (head === null) return { used, need: 0 }
    const size = FRAME_BYTES + head.length
    if (size > left) return { used, need: size }
    if (!isWhole(bytes, used, head)) return { used, need: 0 }
    const payload = Buffer.from(bytes.subarray(used + RECORD_HEAD_BYTES, used + RECORD_HEAD_BYTES + head.length))
    bunch.push({ at: { segment: segment.number, offset: offset + used }, type: head.type, payload })
    used += size
  }
}

/** One record of known size, or null when it is not whole. */
async function readLarge(file: LogFile, segment: Segment, offset: number, size: number): Promise<LogRecord | null> {
  const bytes = Buffer.allocUnsafe(size)
  if ((await file.read(bytes, offset)) < size) return null
  const head = readHead(bytes, 0, segment.seed, offset)
  if (head === null || head.length !== size - FRAME_BYTES || !isWhole(bytes, 0, head)) return null
  const payload = bytes.subarray(RECORD_HEAD_BYTES, RECORD_HEAD_BYTES + head.length)
  return { at: { segment: segment.number, offset }, type: head.type, payload }
}

/** For first reads, where no other one is using it: to be given new memory takes longer than most of them. */
let spare: Buffer | null = Buffer.allocUnsafeSlow(READ_BYTES)

/** What `work` makes of the first bytes at an offset; it may not refer to them. */
async function withStart<T>(file: LogFile, offset: number, work: (start: Buffer) => T): Promise<Awaited<T>> {
  const start = spare ?? Buffer.allocUnsafe(READ_BYTES)
  spare = null
  try {
    const filled = await file.read(start, offset)
    return await work(start.subarray(0, filled))
  } finally {
    spare = start
  }
}

/** The first bytes of the payload of the record at `offset`, for which no sum vouches; null when none begins there. */
export async function readStart(file: LogFile, segment: Segment, offset: number): Promise<LogRecord | null> {
  return await withStart(file, offset, (start) => {
    const head = start.length < FRAME_BYTES ? null : readHead(start, 0, segment.seed, offset)
    if (head === null) return null
    const payload = Buffer.from(start.subarray(RECORD_HEAD_BYTES, RECORD_HEAD_BYTES + head.length))
    return { at: { segment: segment.number, offset }, type: head.type, payload }
  })
}

/** The record at `offset`, with one read when it is small; null when there is no complete one. */
export async function readRecord(file: LogFile, segment: Segment, offset: number): Promise<LogRecord | null> {
  const found = await withStart(file, offset, (start): LogRecord | number | null => {
    const head = start.length < FRAME_BYTES ? null : readHead(start, 0, segment.seed, offset)
    if (head === null) return null
    const size = FRAME_BYTES + head.length
    if (size > start.length) return size
    const bunch: LogRecord[] = []
    takeWhole(start.subarray(0, size), segment, offset, bunch)
    return bunch[0] ?? null
  })
  if (typeof found !== 'number') return found
  // A head may vouch for more than the file holds; that must not cost the memory.
  const isThere = found < CHUNK_BYTES || found <= (await file.size()) - offset
  return isThere ? readLarge(file, segment, offset, found) : null
}
