// A prepared statement with its values, as it is sent: to bind it, to run it, and the end of the request. One write, where the driver
// makes four.

import type { WireValue } from '../parameters.ts'

const [PARSE, BIND, EXECUTE, SYNC] = ['P', 'B', 'E', 'S'].map((code) => code.charCodeAt(0))
const TEXT = 0
const BINARY = 1
/** Behind the values: one form for all columns, which is binary. */
const FORMS = Buffer.from([0, 1, 0, BINARY])
/** The portal without a name, all rows of it; then the end. */
const RUN = Buffer.from([EXECUTE ?? 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, SYNC ?? 0, 0, 0, 0, 4])
/** The code, the length, the end of the portal's name and of the statement's, and the two counts of values. */
const FIXED = 11
/** The code and the length of a message. */
const HEAD = 5
const NOTHING = Buffer.alloc(0)

const sizeOf = (value: WireValue): number =>
  value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length

const messageOf = (code: number | undefined, content: Buffer): Buffer => {
  const bytes = Buffer.alloc(HEAD + content.length)
  bytes[0] = code ?? 0
  bytes.writeInt32BE(bytes.length - 1, 1)
  content.copy(bytes, HEAD)
  return bytes
}

/** A statement without a name, values and rows, without the end of a request: one that follows ends it. */
export const statementAhead = (text: string): Buffer =>
  Buffer.concat([
    messageOf(PARSE, Buffer.from(`\0${text}\0\0\0`)),
    messageOf(BIND, Buffer.alloc(8)),
    messageOf(EXECUTE, Buffer.alloc(5)),
  ])

/** Its name has characters of ASCII alone. `ahead` are whole messages, sent before it. */
export function boundStatement(name: string, values: readonly WireValue[], ahead: Buffer = NOTHING): Buffer {
  const sizes = values.map(sizeOf)
  const length = sizes.reduce((sum, size) => sum + size, FIXED + name.length + 6 * values.length + FORMS.length)
  const bytes = Buffer.allocUnsafe(ahead.length + length + RUN.length)
  let at = ahead.copy(bytes)
  bytes[at++] = BIND ?? 0
  at = bytes.writeInt32BE(length - 1, at)
  bytes[at++] = 0
  at += bytes.write(name, at, 'latin1')
  bytes[at++] = 0
  at = bytes.writeInt16BE(values.length, at)
  for (const value of values) at = bytes.writeInt16BE(value instanceof Uint8Array ? BINARY : TEXT, at)
  at = bytes.writeInt16BE(values.length, at)
  values.forEach((value, i) => {
    at = bytes.writeInt32BE(value === null ? -1 : (sizes[i] ?? 0), at)
    if (value === null) return
    if (typeof value === 'string') at += bytes.write(value, at, 'utf8')
    else {
      bytes.set(value, at)
      at += value.length
    }
  })
  FORMS.copy(bytes, at)
  RUN.copy(bytes, ahead.length + length)
  return bytes
}
