// The files of a log: their names, the header each begins with, and that none is missing.
//
//   8 magic | u32 format | u32 number | 8 log id | u64 end of the one before | u32 network length | 64 network | u32 crc32c
//
// The end of the one before is there because a segment that was cut between two records looks whole by itself.

import { join } from 'node:path'
import { crc32c } from '../../cell/index.ts'
import { type Files, placeFile } from './files.ts'
import { LogDamaged, LogForeign } from './logErrors.ts'
import { type LogPosition, segmentSeed } from './logRecord.ts'

/** Where the records of a segment begin. */
export const HEADER_BYTES = 104
export const ID_BYTES = 8
export const MAX_NETWORK = 64
const FORMAT = 1
const MAGIC = Buffer.from('tonrpcLG')
const SUM_AT = HEADER_BYTES - 4
const NAME = /^chain-(\d{8})\.log$/

/** What the segments of one log share. */
export interface LogIdentity {
  /** Random, so that logs of the same network differ. */
  readonly id: Uint8Array
  readonly network: Uint8Array
}

export interface Segment {
  readonly number: number
  readonly path: string
  readonly seed: number
}

/** The segments of a folder's log, without reading any record. */
export interface LogFiles {
  readonly id: Uint8Array
  readonly segments: readonly Segment[]
}

const segmentName = (number: number): string => `chain-${String(number).padStart(8, '0')}.log`

/** The segment of this number. */
export const segmentAt = (folder: string, number: number, id: Uint8Array): Segment => ({
  number,
  path: join(folder, segmentName(number)),
  seed: segmentSeed(id, number),
})

/** Creates the file of the segment after the one that ended at `before`, synced with its header. */
export async function createSegment(
  files: Files,
  folder: string,
  { id, network }: LogIdentity,
  before: LogPosition,
): Promise<Segment> {
  const number = before.segment + 1
  const header = Buffer.alloc(HEADER_BYTES)
  header.set(MAGIC)
  header.writeUInt32LE(FORMAT, 8)
  header.writeUInt32LE(number, 12)
  header.set(id, 16)
  header.writeBigUInt64LE(BigInt(before.offset), 24)
  header.writeUInt32LE(network.length, 32)
  header.set(network, 36)
  header.writeUInt32LE(crc32c(header, 0, SUM_AT), SUM_AT)
  await placeFile(files, { folder, name: segmentName(number) }, (file) => file.write(header, 0))
  return segmentAt(folder, number, id)
}

/**
 * The segments of the log in `folder`, or null without a log. Throws LogForeign for another network or format, LogDamaged for
 * a missing file, a wrong length or a damaged header.
 */
export async function findSegments(files: Files, folder: string, network: Uint8Array): Promise<LogFiles | null> {
  const names = await files.list(folder)
  const numbers = names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
  numbers.sort((a, b) => a - b)
  let before: Header | null = null
  const segments: Segment[] = []
  for (const [i, number] of numbers.entries()) {
    const path = join(folder, segmentName(number))
    if (number !== i + 1) throw new LogDamaged(join(folder, segmentName(i + 1)), 0, 'the file is missing')
    const header: Header = await readHeader(files, path, number, network)
    if (before !== null && !header.id.equals(before.id)) throw new LogForeign(path, 'belongs to another log')
    const size = before?.size ?? 0
    if (size !== header.endBefore) {
      const what = `it ends here, and ${header.endBefore} bytes were written`
      throw new LogDamaged(join(folder, segmentName(number - 1)), size, what)
    }
    before = header
    segments.push(segmentAt(folder, number, header.id))
  }
  return before === null ? null : { id: before.id, segments }
}

interface Header {
  readonly id: Buffer
  /** Where the segment before ended. */
  readonly endBefore: number
  readonly size: number
}

/** Reads one header and checks it. */
async function readHeader(files: Files, path: string, number: number, network: Uint8Array): Promise<Header> {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = await files.open(path, 'read')
  const size = await file
    .read(header, 0)
    .then(() => file.size())
    .finally(() => file.close())
  if (size < HEADER_BYTES) throw new LogDamaged(path, size, 'the file ends inside its header')
  const format = header.readUInt32LE(8)
  if (header.subarray(0, MAGIC.length).equals(MAGIC) && format !== FORMAT)
    throw new LogForeign(path, `is written in format ${format}, and this release reads format ${FORMAT}`)
  if (header.readUInt32LE(SUM_AT) !== crc32c(header, 0, SUM_AT))
    throw new LogDamaged(path, 0, 'the header is not what was written')
  const found = header.subarray(36, 36 + Math.min(header.readUInt32LE(32), MAX_NETWORK))
  if (!found.equals(network))
    throw new LogForeign(path, `belongs to network ${nameOf(found)}, not to ${nameOf(network)}`, found)
  if (header.readUInt32LE(12) !== number)
    throw new LogForeign(path, `is segment ${header.readUInt32LE(12)} by its header`)
  const id = Buffer.from(header.subarray(16, 16 + ID_BYTES))
  return { id, endBefore: Number(header.readBigUInt64LE(24)), size }
}

/** Network ids are bytes; those that are text are shown as such. */
function nameOf(network: Uint8Array): string {
  const text = Buffer.from(network).toString('latin1')
  return /^[ -~]*$/.test(text) ? `"${text}"` : Buffer.from(network).toString('hex')
}
