// The thread as the driver sees it: a connection whose bytes go by messages, transferred and not copied.

import { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { joined } from './threadMessages.ts'

export class ThreadWire extends Duplex {
  readonly #thread: Worker

  constructor(thread: Worker) {
    super({ decodeStrings: true })
    this.#thread = thread
  }

  /** As of a socket; the driver calls it. */
  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  // As of a socket; without a meaning here.
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

  /** Takes a response of the thread. */
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

  /** In one message, or the database would begin before it has the whole request. */
  #send(chunks: readonly Buffer[]): void {
    const whole = joined(chunks)
    this.#thread.postMessage(whole, [whole.buffer])
  }
}
