// The writing end of a log. Appends that arrive while the disk is busy are queued and written together, in order, with one
// write and one sync. A failure rejects all queued appends, so that nothing is ever written after a gap.

import type { Files, LogFile } from './files.ts'
import { isFull, LogBroken, LogError, LogFull } from './logErrors.ts'
import { FRAME_BYTES, type LogPosition, MARK, MAX_RECORD_PAYLOAD, type NewRecord, putRecord } from './logRecord.ts'
import type { Recovered } from './recovery.ts'
import { createSegment, HEADER_BYTES, type LogIdentity, type Segment } from './segment.ts'

/** Maximum bytes of queued appends in one write, approximately. */
const GROUP_BYTES = 8 * 1024 * 1024
const NO_BYTES = Buffer.alloc(0)

export interface AppenderOptions {
  readonly files: Files
  readonly folder: string
  readonly identity: LogIdentity
  readonly segmentBytes: number
  /** Frees some room on a full disk; false when nothing is left to be freed. */
  readonly makeRoom?: (() => Promise<boolean>) | undefined
  /** Receives records when they are written, in order. */
  readonly onWritten?: (at: LogPosition, record: NewRecord) => void
}

interface Entry {
  readonly records: readonly NewRecord[]
  readonly bytes: number
  readonly durable: boolean
  readonly resolve: (positions: readonly LogPosition[]) => void
  readonly reject: (error: unknown) => void
}

export class Appender {
  readonly #options: AppenderOptions
  #segment: Segment
  #file: LogFile
  #offset: number
  /** What precedes `offset`: a mark (or nothing), synced records, or records not yet synced. */
  #before: 'mark' | 'safe' | 'unsafe'
  #waiting: Entry[] = []
  #pump: Promise<void> | null = null
  #broken: LogBroken | null = null
  #closed = false

  constructor(options: AppenderOptions, { segment, file, end, marked }: Recovered) {
    this.#options = options
    this.#segment = segment
    this.#file = file
    this.#offset = end
    this.#before = marked ? 'mark' : 'safe'
  }

  /** Position of the next record, or of a mark before it. */
  get end(): LogPosition {
    return { segment: this.#segment.number, offset: this.#offset }
  }

  get isSafe(): boolean {
    return this.#before !== 'unsafe'
  }

  /** Resolves when the records are written, and on the disk when `durable`; with none it waits for those before. */
  append(records: readonly NewRecord[], durable: boolean): Promise<readonly LogPosition[]> {
    const wrong = this.#refusal() ?? checkRecords(records)
    if (wrong !== null) return Promise.reject(wrong)
    const bytes = records.reduce((sum, { payload }) => sum + FRAME_BYTES + payload.length, 0)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records, bytes, durable, resolve, reject })
      this.#pump ??= this.#run()
    })
  }

  /** Refuses further appends, writes and syncs the queued ones, and ends the log with a mark. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    try {
      await this.#pump
      if (this.#broken !== null || this.#before === 'mark') return
      await this.#sync()
      // The mark adds no data, so a failure to write it is ignored.
      await this.#write(this.#encode([]).bytes)
        .then(() => this.#file.sync())
        .catch(() => undefined)
    } finally {
      await this.#file.close()
    }
  }

  #refusal(): LogError | null {
    if (this.#closed) return new LogError('closed', `The log in ${this.#options.folder} is closed`)
    return this.#broken
  }

  async #run(): Promise<void> {
    // Appends of the same turn of the event loop are written together, too.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup()
      try {
        await this.#commitWithRoom(group)
      } catch (error) {
        for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(error)
      }
    }
    this.#pump = null
  }

  #takeGroup(): readonly Entry[] {
    let bytes = 0
    const beyond = this.#waiting.findIndex((entry) => {
      bytes += entry.bytes
      return bytes > GROUP_BYTES
    })
    return this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : Math.max(beyond, 1))
  }

  /** A refused write left no trace: it is tried again as long as room can be made. */
  async #commitWithRoom(group: readonly Entry[]): Promise<void> {
    const { makeRoom = () => Promise.resolve(false) } = this.#options
    for (;;)
      try {
        return await this.#commit(group)
      } catch (error) {
        if (!(error instanceof LogFull) || !(await makeRoom().catch(() => false))) throw error
      }
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    const hasRecords = group.some(({ records }) => records.length > 0)
    if (hasRecords && this.#offset >= this.#options.segmentBytes) await this.#rotate()
    const { bytes, positions } = hasRecords ? this.#encode(group) : { bytes: null, positions: [] }
    if (bytes !== null) await this.#write(bytes)
    this.#report(group, positions)
    const answer = (durable: boolean) => {
      for (const [i, entry] of group.entries()) if (entry.durable === durable) entry.resolve(positions[i] ?? [])
    }
    answer(false)
    if (!group.some(({ durable }) => durable)) return
    await this.#sync()
    answer(true)
  }

  #report(group: readonly Entry[], positions: readonly (readonly LogPosition[])[]): void {
    const { onWritten } = this.#options
    if (onWritten === undefined) return
    for (const [i, { records }] of group.entries())
      for (const [k, record] of records.entries()) {
        const at = positions[i]?.[k]
        if (at !== undefined) onWritten(at, record)
      }
  }

  /** The bytes of a group for the end of the segment, after a mark where one is due. */
  #encode(group: readonly Entry[]): { bytes: Buffer; positions: readonly LogPosition[][] } {
    const { number: segment, seed } = this.#segment
    const markBytes = this.#before === 'safe' ? FRAME_BYTES : 0
    const bytes = Buffer.allocUnsafe(group.reduce((sum, entry) => sum + entry.bytes, markBytes))
    let at = 0
    const put = (record: NewRecord): LogPosition => {
      const offset = this.#offset + at
      at = putRecord(bytes, at, record, { seed, offset })
      return { segment, offset }
    }
    if (markBytes > 0) put({ type: MARK, payload: NO_BYTES })
    return { bytes, positions: group.map(({ records }) => records.map(put)) }
  }

  /** Writes at the end, or leaves the end where it was. */
  async #write(bytes: Buffer): Promise<void> {
    try {
      await this.#file.write(bytes, this.#offset)
    } catch (error) {
      if (!isFull(error)) throw this.#break(error)
      await this.#file.truncate(this.#offset).catch((again) => {
        throw this.#break(again)
      })
      throw new LogFull(this.#options.folder, error)
    }
    this.#offset += bytes.length
    this.#before = 'unsafe'
  }

  /** A failed sync is never retried: the system may have dropped the pages, and the next sync would succeed without them. */
  async #sync(): Promise<void> {
    if (this.#before !== 'unsafe') return
    try {
      await this.#file.sync()
    } catch (error) {
      throw this.#break(error)
    }
    this.#before = 'safe'
  }

  /** A segment begins when all of the one before is synced, so that any later fault there is certainly damage. */
  async #rotate(): Promise<void> {
    await this.#sync()
    const { files, folder, identity } = this.#options
    const old = this.#file
    try {
      const segment = await createSegment(files, folder, identity, this.end)
      this.#file = await files.open(segment.path, 'write')
      this.#segment = segment
    } catch (error) {
      throw isFull(error) ? new LogFull(folder, error) : this.#break(error)
    }
    this.#offset = HEADER_BYTES
    this.#before = 'mark'
    await old.close().catch(() => undefined)
  }

  #break(cause: unknown): LogBroken {
    this.#broken = new LogBroken(this.#options.folder, cause)
    return this.#broken
  }
}

function checkRecords(records: readonly NewRecord[]): LogError | null {
  for (const { type, payload } of records) {
    if (!Number.isInteger(type) || type <= MARK || type > 255)
      return new LogError('record', `The type of a record is 1 to 255, not ${type}`)
    if (payload.length > MAX_RECORD_PAYLOAD)
      return new LogError('record', `A record holds at most ${MAX_RECORD_PAYLOAD} bytes, not ${payload.length}`)
  }
  return null
}
