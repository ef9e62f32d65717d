// One record on disk, little-endian:
//
//   u32 length | u8 type | u24 check | payload | u32 crc32c
//
// Both sums begin with the log's identity, the segment's number and the offset, so a record is whole only where it was
// written: bytes of another log, or of an earlier life of the same disk blocks, never pass. `check` covers the head alone.
// It keeps a damaged length from being believed, and lets recovery look for records behind a damaged one byte by byte.

import { crc32c } from '../../cell/index.ts'

/** Where a record begins: the segment's number and the byte in its file. */
export interface Position {
  readonly segment: number
  readonly offset: number
}

/** What is appended; `type` is 1 to 255 and means what the caller wants it to mean. */
export interface NewRecord {
  readonly type: number
  readonly payload: Uint8Array
}

/** A record that was read back and verified. */
export interface LogRecord {
  readonly at: Position
  readonly type: number
  readonly payload: Buffer
}

export interface Head {
  readonly length: number
  readonly type: number
  /** The sum so far, from which that of the payload goes on. */
  readonly sum: number
}

export const HEAD_BYTES = 8
/** What a record takes beside its payload. */
export const FRAME_BYTES = HEAD_BYTES + 4
export const MAX_PAYLOAD = 256 * 1024 * 1024

/**
 * The log's own records, unseen outside: a mark says that all before it was safe on the disk when it was written. So what
 * is not whole in front of a mark is damage, and what is not whole behind the last one may be a write that was cut short.
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

/** Writes a record that will stand at `offset` of its segment into `into` at `at`; returns where the next one goes. */
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
  into.set(payload, at + HEAD_BYTES)
  const end = at + HEAD_BYTES + payload.length
  into.writeUInt32LE(crc32c(payload, 0, payload.length, sum), end)
  return end + 4
}

/** The head of the record at `at` of `bytes`, which stands at `offset` of its segment, or null when none begins there. */
export function readHead(bytes: Buffer, at: number, seed: number, offset: number): Head | null {
  const length = bytes.readUInt32LE(at)
  if (length > MAX_PAYLOAD) return null
  const type = bytes.readUInt8(at + 4)
  const sum = headSum(seed, offset, length, type)
  return bytes.readUIntLE(at + 5, 3) === (sum & 0xffffff) ? { length, type, sum } : null
}

/** Whether the payload behind a head is the one that was written; `at` is where the head begins. */
export function isWhole(bytes: Buffer, at: number, { length, sum }: Head): boolean {
  const start = at + HEAD_BYTES
  return bytes.readUInt32LE(start + length) === crc32c(bytes, start, start + length, sum)
}
