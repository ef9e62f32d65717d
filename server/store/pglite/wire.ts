// The thread as the driver sees it: a connection like any other, whose other end is a message away. Bytes are handed
// over, not copied. What is asked in one turn of the event loop goes as one message, and its answers come as one.

import { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'

/** So much is handed over at once, so that the thread begins with the first statements while the last are made. */
const MOST_WAITING = 256 << 10

export class ThreadWire extends Duplex {
  readonly #thread: Worker
  /** Whole statements that are handed over together: each message costs both threads more than a small statement does. */
  #waiting: Buffer[] = []
  #waitingBytes = 0

  constructor(thread: Worker) {
    super({ decodeStrings: true })
    this.#thread = thread
  }

  /** Called by the driver as that of a socket. */
  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  // Of a socket, and without a meaning here.
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  /** What the thread answered. */
  receive(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#add([chunk])
    done()
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#add(chunks.map(({ chunk }) => chunk))
    done()
  }

  #add(chunks: readonly Buffer[]): void {
    if (this.#waiting.length === 0) process.nextTick(() => this.#handOver())
    for (const chunk of chunks) {
      this.#waiting.push(chunk)
      this.#waitingBytes += chunk.length
    }
    if (this.#waitingBytes >= MOST_WAITING) this.#handOver()
  }

  /** In one message, or the database would begin before it has all of a question. */
  #handOver(): void {
    if (this.#waiting.length === 0) return
    const whole = new Uint8Array(this.#waitingBytes)
    let at = 0
    for (const chunk of this.#waiting) {
      whole.set(chunk, at)
      at += chunk.length
    }
    this.#waiting = []
    this.#waitingBytes = 0
    this.#thread.postMessage(whole, [whole.buffer])
  }
}
