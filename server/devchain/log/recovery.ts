// What happens when a log is opened: every record from a given position on is verified and handed over, the end of a
// write that was cut short is taken off, and anything else that is wrong is refused.

import type { Files, LogFile } from './files.ts'
import { LogDamaged, strayPosition } from './logErrors.ts'
import { FRAME_BYTES, isMark, type LogPosition, type LogRecord } from './logRecord.ts'
import { type LogSpan, scanSegment } from './scan.ts'
import { HEADER_BYTES, type LogFiles, type Segment } from './segment.ts'
import { judgeTail } from './tail.ts'

const CHUNK_BYTES = 1024 * 1024

export type ReplayRecord = (record: LogRecord) => void | Promise<void>

/** What opening found. */
export interface Recovery {
  /** Records handed over. */
  readonly records: number
  /** Bytes of a torn write that was never acknowledged, and their position. */
  readonly dropped: number
  readonly droppedAt: LogPosition | null
}

/** The last segment, open for writing, and where the next record goes. */
export interface Recovered extends Recovery {
  readonly segment: Segment
  readonly file: LogFile
  readonly end: number
  /** Whether the log ends with a mark, so that the next record needs none before it. */
  readonly marked: boolean
}

/**
 * Verifies the log from `from` on and hands its records to `replay` one after the other. Throws LogDamaged where bytes
 * that were safe are not what was written, a LogError `position` when `from` is beyond the end.
 */
export async function recoverLog(
  files: Files,
  { segments }: LogFiles,
  { from, replay }: { from: LogPosition; replay: ReplayRecord },
): Promise<Recovered> {
  const last = segments.at(-1)
  const rest = segments.slice(from.segment - 1)
  if (last === undefined || rest[0]?.number !== from.segment)
    throw strayPosition(from, `the log ends with segment ${last?.number ?? 0}`)
  let records = 0
  for (const segment of rest) {
    const file = await files.open(segment.path, segment === last ? 'write' : 'read')
    try {
      const size = await file.size()
      const start = segment.number === from.segment ? from.offset : HEADER_BYTES
      if (start > size || start < HEADER_BYTES) throw strayPosition(from, `the segment ends at ${size}`)
      const seen = await replaySegment(file, segment, { from: start, to: size }, replay)
      records += seen.records
      if (segment !== last) {
        if (seen.end < size) throw new LogDamaged(segment.path, seen.end, 'this is not what was written')
        await file.close()
        continue
      }
      const dropped = await cutTail(file, segment, { from: seen.end, to: size })
      await writeAgain(file, { from: seen.safe, to: seen.end })
      const droppedAt = dropped > 0 ? { segment: segment.number, offset: seen.end } : null
      return { records, dropped, droppedAt, segment, file, end: seen.end, marked: seen.marked }
    } catch (error) {
      await file.close()
      throw error
    }
  }
  throw strayPosition(from, 'there is no segment')
}

interface Seen {
  readonly records: number
  /** Behind the last whole record. */
  readonly end: number
  /** Behind the last mark: up to here all was safe before. */
  readonly safe: number
  /** Whether nothing follows the last mark, or the header. */
  readonly marked: boolean
}

async function replaySegment(file: LogFile, segment: Segment, span: LogSpan, replay: ReplayRecord): Promise<Seen> {
  const scan = scanSegment(file, segment, span)
  let records = 0
  let safe = span.from
  let marked = span.from === HEADER_BYTES
  for (;;) {
    const { value, done } = await scan.next()
    if (done) return { records, end: value, safe, marked }
    for (const record of value) {
      marked = isMark(record)
      if (marked) {
        safe = record.at.offset + FRAME_BYTES
        continue
      }
      records++
      const pending = replay(record)
      if (pending !== undefined) await pending
    }
  }
}

async function cutTail(file: LogFile, segment: Segment, { from, to }: LogSpan): Promise<number> {
  if (from === to) return 0
  if ((await judgeTail(file, segment, { from, to })) === 'damaged')
    throw new LogDamaged(segment.path, from, 'whole records follow bytes that are not what was written')
  await file.truncate(from)
  return to - from
}

/**
 * Writes the bytes of a span to the disk once more. They were read, but perhaps from memory: the system reports a failed
 * write once, and afterwards treats the same pages as clean.
 */
async function writeAgain(file: LogFile, { from, to }: LogSpan): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - from))
  for (let at = from; at < to; at += chunk.length) {
    const bytes = chunk.subarray(0, to - at)
    await file.read(bytes, at)
    await file.write(bytes, at)
  }
  await file.sync()
}
