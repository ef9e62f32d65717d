// One record on disk, little-endian:
//
//   u32 length | u8 type | u24 check | payload | u32 crc32c
//
// Both sums begin with the log's identity, the segment's number and the offset, so a record is whole only where it was
// written: bytes of another log, or of an earlier life of the same disk blocks, never pass. `check` covers the head alone.
// It detects a damaged length, and lets recovery search for records after a damaged one byte by byte.

import { crc32c } from '../../cell/index.ts'

/** Where a record begins: the segment's number and the byte in its file. */
export interface LogPosition {
  readonly segment: number
  readonly offset: number
}

/** Negative when `a` is before `b`. */
export const comparePositions = (a: LogPosition, b: LogPosition): number => a.segment - b.segment || a.offset - b.offset

/** A record to append; `type` is 1 to 255, with meanings given by the caller. */
export interface NewRecord {
  readonly type: number
  readonly payload: Uint8Array
}

/** A record that was read back and verified. */
export interface LogRecord {
  readonly at: LogPosition
  readonly type: number
  readonly payload: Buffer
}

export interface RecordHead {
  readonly length: number
  readonly type: number
  /** The checksum so far, continued over the payload. */
  readonly sum: number
}

export const RECORD_HEAD_BYTES = 8
/** Overhead of a record. */
export const FRAME_BYTES = RECORD_HEAD_BYTES + 4
export const MAX_RECORD_PAYLOAD = 256 * 1024 * 1024

/**
 * Type of the log's own records, invisible outside: a mark states that everything before it was synced. So an incomplete
 * record before a mark is damage, and one after the last mark may be a torn write.
 */
export const MARK = 0

/** Whether a record is one of the log's own. */
export const isMark = ({ type }: { readonly type: number }): boolean => type === MARK

const scratch = new DataView(new ArrayBuffer(13))
const scratchBytes = new Uint8Array(scratch.buffer)

/** The sum every record of a segment starts from. */
export function segmentSeed(logId: Uint8Array, segment: number): number {
  scratch.setUint32(0, segment, true)
  return crc32c(scratchBytes, 0, 4, crc32c(logId))
}

function headSum(seed: number, offset: number, length: number, type: number): number {
  scratch.setUint32(0, offset % 0x1_0000_0000, true)
  scratch.setUint32(4, offset / 0x1_0000_0000, true)
  scratch.setUint32(8, length, true)
  scratch.setUint8(12, type)
  return crc32c(scratchBytes, 0, 13, seed)
}

/** Writes the record for `offset` of its segment into `into` at `at`; returns the end. */
export function putRecord(
  into: Buffer,
  at: number,
  record: NewRecord,
  place: { seed: number; offset: number },
): number {
  const { type, payload } = record
  const sum = headSum(place.seed, place.offset, payload.length, type)
  into.writeUInt32LE(payload.length, at)
  into.writeUInt8(type, at + 4)
  into.writeUIntLE(sum & 0xffffff, at + 5, 3)
  into.set(payload, at + RECORD_HEAD_BYTES)
  const end = at + RECORD_HEAD_BYTES + payload.length
  into.writeUInt32LE(crc32c(payload, 0, payload.length, sum), end)
  return end + 4
}

/** The head of the record at `at` of `bytes` and `offset` of its segment, or null when no record begins there. */
export function readHead(bytes: Buffer, at: number, seed: number, offset: number): RecordHead | null {
  const length = bytes.readUInt32LE(at)
  if (length > MAX_RECORD_PAYLOAD) return null
  const type = bytes.readUInt8(at + 4)
  const sum = headSum(seed, offset, length, type)
  return bytes.readUIntLE(at + 5, 3) === (sum & 0xffffff) ? { length, type, sum } : null
}

/** Whether the payload after a head is intact; `at` is the start of the head. */
export function isWhole(bytes: Buffer, at: number, { length, sum }: RecordHead): boolean {
  const start = at + RECORD_HEAD_BYTES
  return bytes.readUInt32LE(start + length) === crc32c(bytes, start, start + length, sum)
}
