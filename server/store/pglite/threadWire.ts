// The thread as the driver sees it: a connection whose bytes go by messages, transferred and not copied.

import { Duplex } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { atNextTurn, SLICE_MS, turnBegan } from '../../fairness/index.ts'
import { joined } from './threadMessages.ts'

/**
 * Milliseconds for responses in each turn, whatever other work has taken: with one piece in each turn that callers use up, the
 * answers of short reads waited for 100 ms.
 */
const OWN_MS = 1

export class ThreadWire extends Duplex {
  readonly #thread: Worker
  /** Pieces of responses that are to be parsed in later turns. */
  #waiting: Uint8Array[] = []
  /** Of those, in this turn. */
  #parsed = 0
  /** When this turn's time for them is over; null before its first one. */
  #end: number | null = null
  #isArmed = false

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

  /**
   * Takes a piece of a response of the thread, of which hundreds may come in one turn. It is parsed when the next one begins: requests
   * have used up the turn in which it came, so that what follows from its rows would rest at once.
   */
  receive(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    if (!this.#isArmed) this.#arm()
  }

  #parse(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  #arm(): void {
    this.#isArmed = true
    atNextTurn(this.#parseSome)
  }

  /**
   * One piece, with what is made of its rows, as long as there is time. The time of the turn is shared with other work in it:
   * the database makes a long response faster than it is parsed.
   */
  readonly #parseSome = (): boolean => {
    const bytes = this.#waiting[this.#parsed]
    if (bytes !== undefined) {
      this.#end ??= Math.max(performance.now() + OWN_MS, turnBegan() + SLICE_MS)
      this.#parsed++
      this.#parse(bytes)
      if (performance.now() < this.#end) return true
    }
    this.#waiting = this.#waiting.slice(this.#parsed)
    this.#parsed = 0
    this.#end = null
    this.#isArmed = false
    if (this.#waiting.length > 0) this.#arm()
    return false
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = []
    done(error)
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
