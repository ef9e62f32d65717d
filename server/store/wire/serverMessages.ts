// What the server sends, cut into messages. Rows and their descriptions, nearly all of its bytes, are handed over as bytes; all
// others go to the driver, which knows the protocol. The driver would make a text of every value first.

import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { type ColumnShape, columnsIn, textsOfRow } from './rowReader.ts'

const [DESCRIPTION, ROW, COMPLETE, READY] = ['T', 'D', 'C', 'Z'].map((code) => code.charCodeAt(0))
/** That a statement has its values, which the driver does not wait for. */
const BOUND = '2'.charCodeAt(0)
/** A code, and the length of what follows with its own four bytes. */
const HEAD = 5
const NONE = Buffer.alloc(0)

/** A row for the query that runs; valid until the next one. */
export class RowMessage {
  readonly name = 'dataRow'
  bytes: Buffer = NONE
  at = 0
  end = 0

  /** For the driver's own queries. */
  get fields(): (string | null)[] {
    return textsOfRow(this.bytes, this.at)
  }
}

export class DescriptionMessage {
  readonly name = 'rowDescription'
  bytes: Buffer = NONE

  get fields(): ColumnShape[] {
    return columnsIn(this.bytes)
  }
}

/** That a statement has ended. */
export class CompletionMessage {
  readonly name = 'commandComplete'
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** That a request has ended. */
class ReadyMessage {
  readonly name = 'readyForQuery'
  readonly status: string

  constructor(status: string) {
    this.status = status
  }
}

/** By the state of the transaction: none, one, or a failed one. */
const READY_MESSAGES = new Map(['I', 'T', 'E'].map((status) => [status.charCodeAt(0), new ReadyMessage(status)]))

const readyMessage = (status: number): ReadyMessage =>
  READY_MESSAGES.get(status) ?? new ReadyMessage(String.fromCharCode(status))

/** The part of the driver's connection that is changed: it gets all that the server sends from this stream. */
interface Attached extends EventEmitter {
  attachListeners(stream: EventEmitter): void
}

const isOwn = (code: number | undefined): boolean =>
  code === ROW || code === DESCRIPTION || code === BOUND || code === COMPLETE || code === READY

class Messages {
  readonly #to: EventEmitter
  readonly #others: EventEmitter
  readonly #row = new RowMessage()
  readonly #description = new DescriptionMessage()
  /** Received of a message that is not whole yet. */
  #pieces: Buffer[] = []
  #size = 0
  /** Bytes of it, as far as that is known. */
  #needed = 0

  /** `others` takes the bytes of other messages. */
  constructor(to: EventEmitter, others: EventEmitter) {
    this.#to = to
    this.#others = others
  }

  take(piece: Buffer): void {
    let at = 0
    while (this.#size > 0) {
      const end = at + this.#needed - this.#size
      if (end > piece.length) {
        this.#keep(piece, at)
        return
      }
      // Only what is cut is joined, and once: most of a piece is passed on as it came.
      const bytes = Buffer.concat([...this.#pieces, piece.subarray(at, end)])
      this.#pieces = []
      this.#size = 0
      at = end
      const whole = this.#endOf(bytes, 0)
      if (whole > bytes.length) {
        this.#keep(bytes, 0)
        this.#needed = whole
      } else this.#pass(bytes, 0, whole)
    }
    // The other messages that follow each other are passed on together.
    let others = at
    let next = this.#endOf(piece, at)
    while (next <= piece.length) {
      if (isOwn(piece[at])) {
        if (others < at) this.#others.emit('data', piece.subarray(others, at))
        others = next
        this.#pass(piece, at, next)
      }
      at = next
      next = this.#endOf(piece, at)
    }
    if (others < at) this.#others.emit('data', piece.subarray(others, at))
    if (at === piece.length) return
    this.#keep(piece, at)
    this.#needed = next - at
  }

  #keep(piece: Buffer, from: number): void {
    if (from === piece.length) return
    this.#pieces.push(piece.subarray(from))
    this.#size += piece.length - from
  }

  /** At least the end of its head. */
  #endOf(bytes: Buffer, at: number): number {
    return at + HEAD > bytes.length ? at + HEAD : at + 1 + bytes.readUInt32BE(at + 1)
  }

  #pass(bytes: Buffer, at: number, end: number): void {
    const code = bytes[at]
    if (code === ROW) {
      this.#row.bytes = bytes
      this.#row.at = at + HEAD
      this.#row.end = end
      this.#to.emit('dataRow', this.#row)
    } else if (code === DESCRIPTION) {
      this.#description.bytes = bytes.subarray(at + HEAD, end)
      this.#to.emit('rowDescription', this.#description)
    } else if (code === COMPLETE) {
      this.#to.emit('commandComplete', new CompletionMessage(bytes.toString('latin1', at + HEAD, end - 1)))
    } else if (code === READY) this.#to.emit('readyForQuery', readyMessage(bytes[at + HEAD] ?? 0))
    else if (code !== BOUND) this.#others.emit('data', bytes.subarray(at, end))
  }
}

/** The types leave it out. */
const isAttached = (connection: unknown): connection is Attached =>
  connection instanceof EventEmitter && 'attachListeners' in connection

/** Hands rows of this client over as bytes, which `RowQuery` reads. Before it connects. */
export function handRowsOver(client: pg.Client): void {
  const connection = 'connection' in client ? client.connection : null
  if (!isAttached(connection)) throw new TypeError('The driver has no connection whose rows can be read')
  const attach = connection.attachListeners.bind(connection)
  connection.attachListeners = (stream) => {
    const others = new EventEmitter()
    attach(others)
    const messages = new Messages(connection, others)
    stream.on('data', (piece: Buffer) => messages.take(piece))
    stream.on('end', () => others.emit('end'))
  }
}
