// The public side of the log: opened by reading all records, appended to, read at positions, closed.

import { randomBytes } from 'node:crypto'
import { Appender } from './appender.ts'
import { diskFiles, type Files, removeUnfinished } from './files.ts'
import { LogDamaged, LogError, strayPosition } from './logErrors.ts'
import { type FolderLock, lockLogFolder } from './logLock.ts'
import { isMark, type LogPosition, type LogRecord, type NewRecord } from './logRecord.ts'
import { type Brief, LogOutline, type OutlinePart } from './outline.ts'
import { type Recovery, type ReplayRecord, recoverLog } from './recovery.ts'
import { readRecord, readStart } from './scan.ts'
import {
  createSegment,
  findSegments,
  HEADER_BYTES,
  ID_BYTES,
  type LogFiles,
  type LogIdentity,
  MAX_NETWORK,
  type Segment,
  segmentAt,
} from './segment.ts'
import { SegmentReaders } from './segmentReaders.ts'
import { type UnverifiedPart, verifyPart } from './verify.ts'

const SEGMENT_BYTES = 64 * 1024 * 1024
const SYNC_EVERY = 100

/** The position of a log's first record, and the end of an empty log. */
export const LOG_START: LogPosition = { segment: 1, offset: HEADER_BYTES }

export interface ChainLogOptions {
  /** Up to 64 bytes that identify the network; a log of another network is refused. */
  readonly network: Uint8Array
  /** Receives every record from `from` on before `openLog` resolves. */
  readonly replay?: ReplayRecord
  /** Position at which reading starts: that of a snapshot; earlier records are not verified. */
  readonly from?: LogPosition
  /**
   * What `replay` needs of a record. It is kept in an outline: records that end at or before `safe`, a position that was
   * synced, are then replayed from there, with this as their payload. They are verified by `verify`, and when they are read.
   */
  readonly brief?: Brief
  readonly safe?: LogPosition | null
  /** `interval`: durable appends do not wait for the disk, which is synced every `syncEvery` milliseconds (100). */
  readonly sync?: 'always' | 'interval'
  readonly syncEvery?: number
  /** Size after which a new segment file is started; 64 MiB. */
  readonly segmentBytes?: number
  /** The lock the caller holds on this folder, or on one above it; without it the log takes its own. */
  readonly lock?: FolderLock
  readonly files?: Files
  /** Frees some room when the disk is full, before an append is refused; false when nothing is left to be freed. */
  readonly makeRoom?: () => Promise<boolean>
}

/** A log that is open. */
export class ChainLog {
  /** What opening found. */
  readonly recovery: Recovery
  readonly id: Uint8Array
  readonly #folder: string
  readonly #appender: Appender
  readonly #readers: SegmentReaders
  readonly #isEager: boolean
  readonly #timer: NodeJS.Timeout | null
  readonly #ownLock: FolderLock | null
  readonly #outline: LogOutline | null
  #unverified: UnverifiedPart | null
  #verifying: Promise<void> = Promise.resolve()
  readonly #ending = new AbortController()
  #closing: Promise<void> | null = null

  constructor(parts: {
    folder: string
    id: Uint8Array
    recovery: Recovery
    appender: Appender
    options: ChainLogOptions
    ownLock: FolderLock | null
    outline: LogOutline | null
    unverified: UnverifiedPart | null
  }) {
    const { options } = parts
    this.recovery = parts.recovery
    this.id = parts.id
    this.#folder = parts.folder
    this.#appender = parts.appender
    this.#readers = new SegmentReaders(options.files ?? diskFiles)
    this.#isEager = options.sync !== 'interval'
    this.#ownLock = parts.ownLock
    this.#outline = parts.outline
    this.#unverified = parts.unverified
    this.#timer = this.#isEager ? null : setInterval(() => this.#syncNow(), options.syncEvery ?? SYNC_EVERY).unref()
  }

  /** Position after the last written record: that of a snapshot of all of them. */
  get end(): LogPosition {
    return this.#appender.end
  }

  /**
   * Appends records in order and resolves with their positions: when the operating system has them (safe from a kill), or
   * with `durable` when the disk has them (safe from a loss of power). The payloads must not change until then. After a
   * crash, the log may have only the first records of an append. Throws LogFull, which leaves no trace, and LogBroken.
   */
  async append(records: readonly NewRecord[], { durable }: { durable: boolean }): Promise<readonly LogPosition[]> {
    const positions = await this.#appender.append(records, durable && this.#isEager)
    this.#outline?.flush()
    return positions
  }

  /** Resolves when all that was appended before is on the disk, in `interval` mode too. */
  async sync(): Promise<void> {
    await this.#appender.append([], true)
  }

  /** The record at a position that `append` or `replay` gave. Throws LogDamaged when it is not what was written. */
  read(at: LogPosition): Promise<LogRecord> {
    return this.#read(at, readRecord)
  }

  /** Its first bytes, which the caller must check by other means: no checksum vouches for them. Throws LogDamaged. */
  readStart(at: LogPosition): Promise<LogRecord> {
    return this.#read(at, readStart)
  }

  async #read(at: LogPosition, read: typeof readRecord): Promise<LogRecord> {
    this.#refuseClosed()
    const { end } = this
    const isInside = at.segment < end.segment || (at.segment === end.segment && at.offset < end.offset)
    if (!isInside || at.segment < 1 || at.offset < HEADER_BYTES)
      throw strayPosition(at, `the log ends at ${end.segment}:${end.offset}`)
    const segment = this.#segment(at.segment)
    const record = await this.#readers.use(segment, (file) => read(file, segment, at.offset))
    if (record === null || isMark(record))
      throw new LogDamaged(segment.path, at.offset, 'no record is here, or not the one that was written')
    return record
  }

  /**
   * Verifies the records that the opening took from its outline, in the background: slowly, at most 16 MB a second. Resolves
   * when every damaged one was reported, or when the log is closed.
   */
  verify(report: (damage: LogDamaged, at: LogPosition) => void): Promise<void> {
    const part = this.#unverified
    this.#unverified = null
    if (part === null || this.#closing !== null) return this.#verifying
    const segmentOf = (number: number): Segment => this.#segment(number)
    const { signal } = this.#ending
    this.#verifying = verifyPart(part, { readers: this.#readers, segmentOf, report, signal })
    return this.#verifying
  }

  /** Lets what was appended go out, makes it safe, and gives the folder free. */
  close(): Promise<void> {
    this.#closing ??= this.#shut()
    return this.#closing
  }

  async #shut(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#ending.abort()
    try {
      await this.#appender.close()
    } finally {
      await this.#outline?.close()
      await this.#verifying.catch(() => undefined)
      await this.#readers.close()
      await this.#ownLock?.release()
    }
  }

  #segment(number: number): Segment {
    return segmentAt(this.#folder, number, this.id)
  }

  /** A failure makes the log refuse the next append, which reports it to the owner. */
  #syncNow(): void {
    if (!this.#appender.isSafe) this.sync().catch(() => undefined)
  }

  #refuseClosed(): void {
    if (this.#closing !== null) throw new LogError('closed', `The log in ${this.#folder} is closed`)
  }
}

/**
 * Opens the log of a folder, or begins one. Throws LogLocked when the folder is in use, LogForeign for the log of another
 * network or format, LogDamaged when something is wrong that a write cut short does not explain; nothing is changed then.
 */
export async function openLog(folder: string, options: ChainLogOptions): Promise<ChainLog> {
  const { network, replay = () => undefined, from = LOG_START, files = diskFiles } = options
  if (network.length > MAX_NETWORK) throw new LogError('record', `A network's id has at most ${MAX_NETWORK} bytes`)
  const ownLock = options.lock === undefined ? await lockLogFolder(folder) : null
  let outline: LogOutline | null = null
  try {
    await removeUnfinished(files, folder, 'chain-')
    const found = (await findSegments(files, folder, network)) ?? (await beginLog(files, folder, network))
    const { brief, safe } = options
    outline = brief === undefined ? null : await LogOutline.open(files, folder, { id: found.id, brief })
    const outlined = outline === null ? null : await outlinedPart(files, found, { outline, safe })
    const known: LogPosition[] = []
    await outline?.replay(outlined, (record) => {
      known.push(record.at)
      return replay(record)
    })
    const recovered = await recoverLog(files, found, {
      from: outlined?.end ?? from,
      replay(record) {
        outline?.add(record.at, record)
        return replay(record)
      },
    })
    outline?.flush()
    const identity: LogIdentity = { id: found.id, network }
    const appender = new Appender(
      {
        files,
        folder,
        identity,
        segmentBytes: options.segmentBytes ?? SEGMENT_BYTES,
        makeRoom: options.makeRoom,
        ...(outline === null ? {} : { onWritten: (at, record) => outline?.add(at, record) }),
      },
      recovered,
    )
    const { records, dropped, droppedAt } = recovered
    const recovery: Recovery = { records, dropped, droppedAt }
    const unverified = outlined === null ? null : { end: outlined.end, known }
    return new ChainLog({ folder, id: found.id, recovery, appender, options, ownLock, outline, unverified })
  } catch (error) {
    await outline?.close()
    await ownLock?.release()
    throw error
  }
}

interface Outlined {
  readonly outline: LogOutline
  readonly safe: LogPosition | null | undefined
}

/** The part of an outline that can be used; null when the log is not the one it is of. */
async function outlinedPart(
  files: Files,
  { segments }: LogFiles,
  { outline, safe }: Outlined,
): Promise<OutlinePart | null> {
  const part = safe == null ? null : await outline.find(safe)
  const segment = part === null ? undefined : segments[part.last.at.segment - 1]
  if (part === null || segment === undefined) return null
  const file = await files.open(segment.path, 'read')
  try {
    return outline.isOf(part, await readRecord(file, segment, part.last.at.offset)) ? part : null
  } finally {
    await file.close()
  }
}

async function beginLog(files: Files, folder: string, network: Uint8Array): Promise<LogFiles> {
  const id = randomBytes(ID_BYTES)
  return { id, segments: [await createSegment(files, folder, { id, network }, { segment: 0, offset: 0 })] }
}
