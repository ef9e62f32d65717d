// States of the chain at positions of its log, so that a start need not read the log from its beginning. They are next to
// the segments, one file each, and are never needed: without a whole one the log is read from the start.
//
//   8 magic | u32 format | 8 log id | u32 segment | u64 offset | u32 meta length | meta | payload | u64 payload length | u32 crc32c

import { join } from 'node:path'
import { crc32c } from '../../cell/index.ts'
import { failureText } from '../../process/index.ts'
import { diskFiles, type Files, type LogFile, placeFile, removeUnfinished } from './files.ts'
import { type PlacedSnapshot, surplusSnapshots } from './keptSnapshots.ts'
import { isFull, LogError, LogFull } from './logErrors.ts'
import { comparePositions, type LogPosition } from './logRecord.ts'
import { findSegments, ID_BYTES, type LogFiles } from './segment.ts'

const MAGIC = Buffer.from('tonrpcSN')
/** Written; those of format 1, whose cells have no hashes, are read too. */
const FORMAT = 2
const READ_FORMATS = [1, FORMAT]
const HEAD_BYTES = 36
const FOOT_BYTES = 12
const CHUNK_BYTES = 1024 * 1024
const MAX_META = 16 * 1024 * 1024
const NAME = /^snapshot-(\d{8})-(\d{15})\.bin$/

export interface NewSnapshot {
  /** The state is the one before this record: `end` of the log when it was taken. */
  readonly at: LogPosition
  /** What its reader needs to make sense of the payload; at most 16 MiB. */
  readonly meta: Uint8Array
  readonly payload: Uint8Array | AsyncIterable<Uint8Array>
}

export interface SnapshotEntry {
  readonly at: LogPosition
}

/** A snapshot whose bytes were verified. */
export interface Snapshot extends SnapshotEntry {
  readonly meta: Buffer
  /** The payload in pieces. */
  chunks(): AsyncGenerator<Buffer>
}

type IsWanted = (meta: Uint8Array) => boolean

/** The log a snapshot belongs to. */
export interface SnapshotLog {
  readonly id: Uint8Array
  sync(): Promise<void>
}

export interface SnapshotOptions {
  readonly network: Uint8Array
  /** Hears of snapshots that were passed over. */
  readonly report?: (file: string, why: string) => void
  readonly files?: Files
}

/** The snapshots of a log's folder; for the holder of its lock. */
export class SnapshotFiles {
  readonly #folder: string
  readonly #options: SnapshotOptions
  readonly #files: Files
  #turn: Promise<unknown> = Promise.resolve()

  constructor(folder: string, options: SnapshotOptions) {
    this.#folder = folder
    this.#options = options
    this.#files = options.files ?? diskFiles
  }

  /** What is there, oldest first, verified or not. */
  async list(): Promise<readonly SnapshotEntry[]> {
    const entries = (await this.#files.list(this.#folder)).flatMap((name) => parseName(name) ?? [])
    return entries.sort((a, b) => comparePositions(a.at, b.at))
  }

  /**
   * The newest complete snapshot of this log at or before `before`; null when there is none. Damaged ones are reported and
   * skipped. Of one whose meta is not wanted no more is read; the meta may be damaged.
   */
  async latest(before?: LogPosition, isWanted?: IsWanted): Promise<Snapshot | null> {
    const log = await findSegments(this.#files, this.#folder, this.#options.network)
    for (const entry of [...(await this.list())].reverse()) {
      if (before !== undefined && comparePositions(entry.at, before) > 0) continue
      // Another one may have been written meanwhile, and this one removed.
      const found = await this.#look(entry, log, isWanted).catch(failureText)
      if (typeof found === 'string') this.passOver(entry, found)
      else if (found !== null) return found
    }
    return null
  }

  /** Reports a snapshot that could not be used. */
  passOver(entry: SnapshotEntry, why: string): void {
    this.#options.report?.(join(this.#folder, fileName(entry)), why)
  }

  /** The snapshot, else what is wrong with it; null for one that is not wanted. */
  async #look(entry: SnapshotEntry, log: LogFiles | null, isWanted?: IsWanted): Promise<Snapshot | string | null> {
    if (log === null) return 'there is no log for it'
    const path = join(this.#folder, fileName(entry))
    return (
      (await this.#flaw(entry, log)) ?? (await openSnapshot(this.#files, path, { ...entry, logId: log.id, isWanted }))
    )
  }

  /**
   * Writes a snapshot, completely or not at all, and removes older ones that take too much room. The log is synced first, so that
   * no snapshot is ever ahead of it. Throws LogFull when there is no room.
   */
  write(log: SnapshotLog, snapshot: NewSnapshot): Promise<void> {
    const turn = this.#turn.then(() => this.#write(log, snapshot))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #write(log: SnapshotLog, { at, meta, payload }: NewSnapshot): Promise<void> {
    if (meta.length > MAX_META) throw new LogError('record', `The meta of a snapshot has at most ${MAX_META} bytes`)
    await log.sync()
    const chunks = payload instanceof Uint8Array ? [payload] : payload
    try {
      await placeFile(this.#files, { folder: this.#folder, name: fileName({ at }) }, (file) =>
        writeSnapshotFile(file, encodeHead(log.id, at, meta), chunks),
      )
    } catch (error) {
      throw isFull(error) ? new LogFull(this.#folder, error) : error
    }
    await this.#removeSurplus()
  }

  async #removeSurplus(): Promise<void> {
    const log = await findSegments(this.#files, this.#folder, this.#options.network)
    const starts = new Map<number, number>()
    let end = 0
    for (const { number, path } of log?.segments ?? []) {
      starts.set(number, end)
      end += await this.#sizeOf(path)
    }
    const all: (PlacedSnapshot & { readonly path: string })[] = []
    for (const { at } of await this.list()) {
      const path = join(this.#folder, fileName({ at }))
      all.push({ path, at: (starts.get(at.segment) ?? end) + at.offset, bytes: await this.#sizeOf(path) })
    }
    for (const { path } of surplusSnapshots(all)) await this.#files.remove(path)
  }

  async #sizeOf(path: string): Promise<number> {
    const file = await this.#files.open(path, 'read')
    return file.size().finally(() => file.close())
  }

  /** Why the log has nothing at a snapshot's position, or null. */
  async #flaw({ at }: SnapshotEntry, { segments }: LogFiles): Promise<string | null> {
    const segment = segments[at.segment - 1]
    if (segment === undefined) return 'the log ends before it'
    return at.offset > (await this.#sizeOf(segment.path)) ? 'the log ends before it' : null
  }
}

/** The snapshots of a folder; unfinished files of killed writers are removed. */
export async function openSnapshots(folder: string, options: SnapshotOptions): Promise<SnapshotFiles> {
  await removeUnfinished(options.files ?? diskFiles, folder, 'snapshot-')
  return new SnapshotFiles(folder, options)
}

const fileName = ({ at }: SnapshotEntry): string =>
  `snapshot-${String(at.segment).padStart(8, '0')}-${String(at.offset).padStart(15, '0')}.bin`

function parseName(name: string): SnapshotEntry | null {
  const parts = NAME.exec(name)
  return parts && { at: { segment: Number(parts[1]), offset: Number(parts[2]) } }
}

function encodeHead(logId: Uint8Array, at: LogPosition, meta: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.set(MAGIC)
  head.writeUInt32LE(FORMAT, 8)
  head.set(logId, 12)
  head.writeUInt32LE(at.segment, 20)
  head.writeBigUInt64LE(BigInt(at.offset), 24)
  head.writeUInt32LE(meta.length, 32)
  return Buffer.concat([head, meta])
}

async function writeSnapshotFile(
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
async function openSnapshot(
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
