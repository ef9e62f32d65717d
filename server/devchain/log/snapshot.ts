// States of the chain at positions of its log, so that a start need not read the log from its beginning. They are next to
// the segments, one file each, and are never needed: without a whole one the log is read from the start.

import { join } from 'node:path'
import { failureText } from '../../process/index.ts'
import { diskFiles, type Files, placeFile, removeUnfinished } from './files.ts'
import { type PlacedSnapshot, surplusSnapshots } from './keptSnapshots.ts'
import { isFull, LogError, LogFull } from './logErrors.ts'
import { comparePositions, type LogPosition } from './logRecord.ts'
import { findSegments, type LogFiles } from './segment.ts'
import {
  encodeHead,
  type IsWanted,
  openSnapshot,
  type Snapshot,
  type SnapshotEntry,
  writeSnapshotFile,
} from './snapshotFile.ts'

const MAX_META = 16 * 1024 * 1024
const NAME = /^snapshot-(\d{8})-(\d{15})\.bin$/

export interface NewSnapshot {
  /** The state is the one before this record: `end` of the log when it was taken. */
  readonly at: LogPosition
  /** What its reader needs to make sense of the payload; at most 16 MiB. */
  readonly meta: Uint8Array
  readonly payload: Uint8Array | AsyncIterable<Uint8Array>
}

interface Placed extends PlacedSnapshot {
  readonly path: string
  readonly position: LogPosition
}

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
  /** Whether a snapshot with this meta may be of use: others are removed, also the newest. */
  isWanted: IsWanted = () => true
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
    const log = await this.#log()
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
   * Writes a snapshot, completely or not at all, and removes those that are not wanted any more, and older ones that take too
   * much room. The log is synced first, so that no snapshot is ever ahead of it. Throws LogFull when there is no room.
   */
  write(log: SnapshotLog, snapshot: NewSnapshot): Promise<void> {
    const turn = this.#turn.then(async () => {
      await this.#write(log, snapshot)
      // It is written, whatever becomes of the others.
      await this.#removeSurplus().catch((error: unknown) =>
        this.passOver(snapshot, `it is written, but older ones cannot be removed: ${failureText(error)}`),
      )
    })
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
  }

  /**
   * Removes a snapshot that is not wanted, else an older one, as a cache that the log goes without; false when there is none. Not in
   * turn with writes, which wait for the log.
   */
  async makeRoom(): Promise<boolean> {
    const log = await this.#log()
    if (log === null) return false
    const { wanted, useless } = await this.#sorted(log)
    const [gone] = [...useless, ...surplusSnapshots(wanted, 0)]
    if (gone !== undefined) await this.#files.remove(gone.path)
    return gone !== undefined
  }

  async #removeSurplus(): Promise<void> {
    const log = await this.#log()
    if (log === null) return
    const { wanted, useless } = await this.#sorted(log)
    for (const { path } of [...useless, ...surplusSnapshots(wanted)]) await this.#files.remove(path)
  }

  async #sorted(log: LogFiles): Promise<{ readonly wanted: readonly Placed[]; readonly useless: readonly Placed[] }> {
    const wanted: Placed[] = []
    const useless: Placed[] = []
    for (const one of await this.#placed(log)) ((await this.#isUseless(one, log.id)) ? useless : wanted).push(one)
    return { wanted, useless }
  }

  /** Whether its meta is not wanted; of a damaged one that is not known. */
  async #isUseless({ path, position }: Placed, logId: Uint8Array): Promise<boolean> {
    let isUseless = false
    const look: IsWanted = (meta) => {
      isUseless = !this.isWanted(meta)
      return false
    }
    await openSnapshot(this.#files, path, { at: position, logId, isWanted: look }).catch(() => null)
    return isUseless
  }

  #log(): Promise<LogFiles | null> {
    return findSegments(this.#files, this.#folder, this.#options.network)
  }

  async #placed({ segments }: LogFiles): Promise<readonly Placed[]> {
    const starts = new Map<number, number>()
    let end = 0
    for (const { number, path } of segments) {
      starts.set(number, end)
      end += await this.#sizeOf(path)
    }
    const all: Placed[] = []
    for (const { at } of await this.list()) {
      const path = join(this.#folder, fileName({ at }))
      // It may have been removed meanwhile, for the log or after a write.
      const bytes = await this.#sizeOf(path).catch(() => null)
      if (bytes !== null) all.push({ path, position: at, at: (starts.get(at.segment) ?? end) + at.offset, bytes })
    }
    return all
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
