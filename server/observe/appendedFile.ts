// Lines appended to a file that others may move away, on a disk that may be full: a line that cannot be written is lost, and
// never holds up or ends the service.

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'

/** Characters that may wait for a slow disk. */
const MOST_WAITING = 8 * 1024 * 1024
const RETRY_MS = 1_000
/** Lines of a log are for its owner and group. */
const MODE = 0o640

export class AppendedFile {
  readonly #path: string
  /** Called once per trouble. */
  readonly #report: (error: Error) => void
  #stream: WriteStream | null = null
  #isTroubled = false
  #isClosed = false

  constructor(path: string, report: (error: Error) => void) {
    this.#path = path
    this.#report = report
  }

  /** Rejects when the file cannot be opened. */
  async open(): Promise<void> {
    const stream = createWriteStream(this.#path, { flags: 'a', mode: MODE })
    await once(stream, 'open')
    this.#attend(stream)
  }

  write(line: string): void {
    if (this.#stream === null || this.#stream.writableLength > MOST_WAITING) return
    this.#stream.write(line)
  }

  /** Goes on in a new file, after the old one was moved away. */
  reopen(): void {
    this.#stream?.end()
    this.#attend(createWriteStream(this.#path, { flags: 'a', mode: MODE }))
  }

  /** Resolves when all lines are written. */
  async close(): Promise<void> {
    this.#isClosed = true
    const stream = this.#stream
    if (stream === null) return
    await new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.end()
    })
  }

  #attend(stream: WriteStream): void {
    this.#stream = stream
    stream.on('error', (error) => {
      if (this.#stream === stream) this.#stream = null
      if (!this.#isTroubled) this.#report(error)
      this.#isTroubled = true
      const retry = () => {
        if (!this.#isClosed && this.#stream === null) this.reopen()
      }
      setTimeout(retry, RETRY_MS).unref()
    })
    stream.on('drain', () => {
      this.#isTroubled = false
    })
  }
}
