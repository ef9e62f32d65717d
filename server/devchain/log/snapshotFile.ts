// The file of one snapshot.
//
//   8 magic | u32 format | 8 log id | u32 segment | u64 offset | u32 meta length | meta | payload | u64 payload length | u32 crc32c

import { crc32c } from '../../cell/index.ts'
import type { Files, LogFile } from './files.ts'
import { LogError } from './logErrors.ts'
import type { LogPosition } from './logRecord.ts'
import { ID_BYTES } from './segment.ts'

const MAGIC = Buffer.from('tonrpcSN')
/** Written; those of format 1, whose cells have no hashes, are read too. */
const FORMAT = 2
const READ_FORMATS = [1, FORMAT]
const HEAD_BYTES = 36
const FOOT_BYTES = 12
const CHUNK_BYTES = 1024 * 1024

export interface SnapshotEntry {
  readonly at: LogPosition
}

/** A snapshot whose bytes were verified. */
export interface Snapshot extends SnapshotEntry {
  readonly meta: Buffer
  /** The payload in pieces. */
  chunks(): AsyncGenerator<Buffer>
}

export type IsWanted = (meta: Uint8Array) => boolean

export function encodeHead(logId: Uint8Array, at: LogPosition, meta: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.set(MAGIC)
  head.writeUInt32LE(FORMAT, 8)
  head.set(logId, 12)
  head.writeUInt32LE(at.segment, 20)
  head.writeBigUInt64LE(BigInt(at.offset), 24)
  head.writeUInt32LE(meta.length, 32)
  return Buffer.concat([head, meta])
}

export async function writeSnapshotFile(
  file: LogFile,
  head: Buffer,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  await file.write(head, 0)
  let sum = crc32c(head)
  let end = head.length
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      const piece = chunk.subarray(at, at + CHUNK_BYTES)
      sum = crc32c(piece, 0, piece.length, sum)
      await file.write(piece, end)
      end += piece.length
    }
  const foot = Buffer.alloc(FOOT_BYTES)
  foot.writeBigUInt64LE(BigInt(end - head.length))
  foot.writeUInt32LE(crc32c(foot, 0, 8, sum), 8)
  await file.write(foot, end)
}

interface Sought extends SnapshotEntry {
  readonly logId: Uint8Array
  readonly isWanted?: IsWanted | undefined
}

/** The snapshot in a file that is whole, else what is wrong with it; null for one that is not wanted. */
export async function openSnapshot(
  files: Files,
  path: string,
  { at, logId, isWanted = () => true }: Sought,
): Promise<Snapshot | string | null> {
  const file = await files.open(path, 'read')
  try {
    const size = await file.size()
    const head = Buffer.alloc(HEAD_BYTES)
    const foot = Buffer.alloc(FOOT_BYTES)
    if (size < HEAD_BYTES + FOOT_BYTES) return 'it is cut short'
    await file.read(head, 0)
    await file.read(foot, size - FOOT_BYTES)
    const wrong = checkHead(head, { at }, logId)
    if (wrong !== null) return wrong
    const start = HEAD_BYTES + head.readUInt32LE(32)
    const end = size - FOOT_BYTES
    if (start > end || foot.readBigUInt64LE() !== BigInt(end - start)) return 'it is cut short'
    const meta = Buffer.alloc(start - HEAD_BYTES)
    await file.read(meta, HEAD_BYTES)
    if (!isWanted(meta)) return null
    let sum = 0
    for await (const chunk of pieces(file, 0, end)) sum = crc32c(chunk, 0, chunk.length, sum)
    if (foot.readUInt32LE(8) !== crc32c(foot, 0, 8, sum)) return 'it is damaged'
    return { at, meta, chunks: () => reopened(files, path, start, end) }
  } finally {
    await file.close()
  }
}

function checkHead(head: Buffer, { at }: SnapshotEntry, logId: Uint8Array): string | null {
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return 'it is no snapshot'
  if (!READ_FORMATS.includes(head.readUInt32LE(8))) return `it is written in format ${head.readUInt32LE(8)}`
  if (!head.subarray(12, 12 + ID_BYTES).equals(logId)) return 'it belongs to another log'
  const isThere = head.readUInt32LE(20) === at.segment && head.readBigUInt64LE(24) === BigInt(at.offset)
  return isThere ? null : 'it is of another position'
}

async function* reopened(files: Files, path: string, from: number, to: number): AsyncGenerator<Buffer> {
  const file = await files.open(path, 'read')
  try {
    yield* pieces(file, from, to)
  } finally {
    await file.close()
  }
}

async function* pieces(file: LogFile, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += CHUNK_BYTES) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - at))
    if ((await file.read(chunk, at)) < chunk.length) throw new LogError('damaged', 'A snapshot became shorter')
    yield chunk
  }
}
