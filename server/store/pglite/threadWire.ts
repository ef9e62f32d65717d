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
  /** The turn they were parsed in last, by its begin, and when its time for them is over. */
  #turn = 0
  #end = 0
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

  /** Takes a piece of a response of the thread, of which hundreds may come in one turn: as many are parsed as there is time for. */
  receive(bytes: Uint8Array): void {
    if (this.#waiting.length === 0 && this.#hasTime()) {
      this.#parse(bytes)
      return
    }
    this.#waiting.push(bytes)
    this.#arm()
  }

  #parse(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }

  /**
   * For one piece in each turn at least. The time of the turn is shared with other work in it: the database makes a long response
   * faster than it is parsed.
   */
  #hasTime(): boolean {
    const began = turnBegan()
    const now = performance.now()
    if (began === this.#turn) return now < this.#end
    this.#turn = began
    this.#end = Math.max(now + OWN_MS, began + SLICE_MS)
    return true
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    atNextTurn(this.#parseSome)
  }

  /** One piece, with what is made of its rows, as long as there is time. */
  readonly #parseSome = (): boolean => {
    const bytes = this.#hasTime() ? this.#waiting[this.#parsed] : undefined
    if (bytes !== undefined) {
      this.#parsed++
      this.#parse(bytes)
      return true
    }
    this.#waiting = this.#waiting.slice(this.#parsed)
    this.#parsed = 0
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
