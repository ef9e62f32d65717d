// The thread as the driver sees it: a connection like any other, whose other end is a message away. Bytes are handed
// over, not copied.

import { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { joined } from './threadMessages.ts'

export class ThreadWire extends Duplex {
  readonly #thread: Worker

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
    this.#send([chunk])
    done()
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.map(({ chunk }) => chunk))
    done()
  }

  /** In one message, or the database would begin before it has all of a question. */
  #send(chunks: readonly Buffer[]): void {
    const whole = joined(chunks)
    this.#thread.postMessage(whole, [whole.buffer])
  }
}
