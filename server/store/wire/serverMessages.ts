// What the server sends, cut into messages. Rows and their descriptions, nearly all of its bytes, are handed over as bytes; all
// others go to the driver, which knows the protocol. The driver would make a text of every value first.

import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { type ColumnShape, columnsIn, textsOfRow } from './rowReader.ts'

const [DESCRIPTION, ROW] = ['T'.charCodeAt(0), 'D'.charCodeAt(0)]
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

/** The part of the driver's connection that is changed: it gets all that the server sends from this stream. */
interface Attached extends EventEmitter {
  attachListeners(stream: EventEmitter): void
}

class Messages {
  readonly #to: EventEmitter
  readonly #others: EventEmitter
  readonly #row = new RowMessage()
  readonly #description = new DescriptionMessage()
  /** Received, and not yet a whole message. */
  #pieces: Buffer[] = []
  #size = 0
  #needed = HEAD

  /** `others` takes the bytes of other messages. */
  constructor(to: EventEmitter, others: EventEmitter) {
    this.#to = to
    this.#others = others
  }

  take(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    // A long message is joined once.
    if (this.#size < this.#needed) return
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#size)
    let at = 0
    let next = this.#endOf(bytes, at)
    while (next <= bytes.length) {
      this.#pass(bytes, at, next)
      at = next
      next = this.#endOf(bytes, at)
    }
    this.#pieces = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#size = bytes.length - at
    this.#needed = next - at
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
    } else this.#others.emit('data', bytes.subarray(at, end))
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
