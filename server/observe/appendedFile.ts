// Lines appended to a file that others may move away, on a disk that may be full: a line that cannot be written is lost, and
// never holds up or ends the service.

import { once } from 'node:events'
import { constants, createWriteStream, type WriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { waitAtMost } from '../process/index.ts'

/** Characters that may wait for a slow disk. */
const MOST_WAITING = 8 * 1024 * 1024
const RETRY_MS = 1_000
/** For the last lines. A disk that hangs keeps the service from nothing that comes after. */
const CLOSE_MS = 5_000
/** Lines of a log are for its owner and group. */
const MODE = 0o640

export interface AppendedFileNotices {
  /** Called once per trouble. */
  readonly failed: (error: Error) => void
  /** Called with the number of lost lines when a line could be written again. */
  readonly resumed: (lost: number) => void
}

/** Appends a line end when a full disk cut off the last line, so that the next line is not joined to it. */
async function endLastLine(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND).catch(() => null)
  try {
    const size = (await file?.stat())?.size ?? 0
    const last = size === 0 ? undefined : await file?.read(Buffer.alloc(1), 0, 1, size - 1)
    if (last !== undefined && last.buffer.toString() !== '\n') await file?.write('\n')
  } catch {
    // The disk is still full.
  } finally {
    await file?.close().catch(() => undefined)
  }
}

export class AppendedFile {
  readonly #path: string
  readonly #notices: AppendedFileNotices
  #stream: WriteStream | null = null
  /** Streams that are being ended: their last lines may not be on the disk yet. */
  readonly #ending = new Set<WriteStream>()
  #isTroubled = false
  #lost = 0
  #isClosed = false

  constructor(path: string, notices: AppendedFileNotices) {
    this.#path = path
    this.#notices = notices
  }

  /** Rejects when the file cannot be opened. */
  async open(): Promise<void> {
    await endLastLine(this.#path)
    const stream = createWriteStream(this.#path, { flags: 'a', mode: MODE })
    await once(stream, 'open')
    this.#attend(stream)
  }

  write(line: string): void {
    const stream = this.#stream
    if (stream === null || stream.writableLength > MOST_WAITING) {
      this.#trouble(new Error(`the disk of ${this.#path} is too slow`))
      this.#lost++
      return
    }
    stream.write(line, (error) => {
      if (!error) return this.#recovered()
      this.#trouble(error)
      this.#lost++
    })
  }

  /** Goes on in a new file, after the old one was moved away. */
  reopen(): void {
    this.#end()
    const stream = createWriteStream(this.#path, { flags: 'a', mode: MODE })
    this.#attend(stream)
    stream.cork()
    void endLastLine(this.#path).then(() => stream.uncork())
  }

  /** Resolves when all lines are written, or after a while on a disk that hangs. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#end()
    const closed = (stream: WriteStream) => new Promise<void>((resolve) => stream.once('close', resolve))
    await waitAtMost(Promise.all([...this.#ending].map(closed)), CLOSE_MS)
  }

  #end(): void {
    const stream = this.#stream
    if (stream === null || this.#ending.has(stream)) return
    this.#ending.add(stream)
    stream.once('close', () => this.#ending.delete(stream))
    stream.end()
  }

  #trouble(error: Error): void {
    if (!this.#isTroubled) this.#notices.failed(error)
    this.#isTroubled = true
  }

  #recovered(): void {
    if (!this.#isTroubled) return
    this.#notices.resumed(this.#lost)
    this.#isTroubled = false
    this.#lost = 0
  }

  #attend(stream: WriteStream): void {
    this.#stream = stream
    stream.on('error', (error) => {
      if (this.#stream === stream) this.#stream = null
      this.#trouble(error)
      const retry = () => {
        if (!this.#isClosed && this.#stream === null) this.reopen()
      }
      setTimeout(retry, RETRY_MS).unref()
    })
  }
}
