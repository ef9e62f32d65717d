// Rows as the server describes and sends them, and the functions that read them.
//
// A function is compiled for each description: it makes the object of a row at once, where the driver copies an empty one and
// fills it name by name, after a list of texts.

import type { SqlRow } from '../database.ts'
import { ByteSpan } from '../span.ts'
import { bytesOfType, contradiction, int16At, int32At, type ReadValue, readerOf } from './binaryValues.ts'

/** A column as the driver has it. */
export interface ColumnShape {
  readonly name: string
  readonly dataTypeID: number
  readonly format: 'text' | 'binary'
}

/** Of a column behind its name: table, column, type, size, modifier and form. */
const SHAPE_BYTES = 18
const TYPE_AT = 6
const FORM_AT = 16

/** The columns of a description, behind its code and length; of one that is cut short, those that are whole. */
export function columnsIn(bytes: Buffer): ColumnShape[] {
  const found: ColumnShape[] = []
  let at = 2
  for (let i = int16At(bytes, 0); i > 0; i--) {
    const end = bytes.indexOf(0, at)
    if (end < 0 || end + 1 + SHAPE_BYTES > bytes.length) break
    const name = bytes.toString('utf8', at, end)
    const shape = end + 1
    const isText = int16At(bytes, shape + FORM_AT) === 0
    found.push({ name, dataTypeID: int32At(bytes, shape + TYPE_AT) >>> 0, format: isText ? 'text' : 'binary' })
    at = shape + SHAPE_BYTES
  }
  return found
}

/** The values of a row as text, for what the driver reads itself. */
export function textsOfRow(bytes: Buffer, start: number): (string | null)[] {
  const found: (string | null)[] = []
  let at = start + 2
  for (let i = int16At(bytes, start); i > 0; i--) {
    const size = int32At(bytes, at)
    at += 4
    if (size < 0) found.push(null)
    else {
      found.push(bytes.toString('utf8', at, at + size))
      at += size
    }
  }
  return found
}

/** Reads the row between two places. */
export type ReadRow = (bytes: Buffer, at: number, end: number) => SqlRow

const spanAt: ReadValue = (bytes, at, size) => new ByteSpan(bytes, at, at + size)

/** Those whose values are read by `bytesAt` or `textAt`. */
const BYTES_OR_TEXT = [17, 25]

function readerOfColumn({ name, dataTypeID }: ColumnShape, spans: readonly string[]): ReadValue {
  return BYTES_OR_TEXT.includes(dataTypeID) && spans.includes(name) ? spanAt : readerOf(dataTypeID)
}

/** How the columns of rows come: see `SqlText`. */
export interface RowForm {
  readonly spans?: readonly string[] | undefined
  readonly besideWhole?: readonly string[] | undefined
}

/** Of a row that comes as it was received. */
const WHOLE = 'whole'

/** Behind the number of values, each is behind its size, which is negative for null. */
function compiled(columns: readonly ColumnShape[], { spans = [], besideWhole }: RowForm): ReadRow {
  const isRead = ({ name }: ColumnShape) => besideWhole?.includes(name) !== false
  // Of what is read later only the size is looked at.
  const taken = (column: ColumnShape, i: number): string => {
    if (isRead(column)) return `v${i} = read${i}(bytes, at, size)`
    const size = bytesOfType(column.dataTypeID)
    return size === null ? '' : `if (size !== ${size}) throw contradiction()`
  }
  const steps = columns.map(
    (column, i) => `size = int32At(bytes, at); at += 4; let v${i} = null
      if (size >= 0) { if (size > end - at) throw contradiction(); ${taken(column, i)}; at += size }`,
  )
  const members = columns.flatMap((column, i) => (isRead(column) ? [`${JSON.stringify(column.name)}: v${i}`] : []))
  if (besideWhole !== undefined) members.push(`${WHOLE}: spanAt(bytes, start, end - start)`)
  const text = `return (bytes, start, end) => {
    let at = start + 2, size = 0
    if (int16At(bytes, start) !== ${columns.length}) throw contradiction()
    ${steps.join('\n')}
    if (at !== end) throw contradiction()
    return { ${members.join(', ')} }
  }`
  const names = ['int16At', 'int32At', 'contradiction', 'spanAt', ...columns.map((_, i) => `read${i}`)]
  const readers = columns.map((column) => readerOfColumn(column, spans))
  return new Function(...names, text)(int16At, int32At, contradiction, spanAt, ...readers)
}

/** Descriptions of so many kinds of rows are known; the statements of the program have some hundred. */
const MOST_KNOWN = 1000
const known = new Map<string, ReadRow>()

/** The function for rows of a description, all of whose columns are in binary form. */
export function rowReaderOf(description: Buffer, form: RowForm = {}): ReadRow {
  const { spans, besideWhole } = form
  const key = `${description.toString('latin1')}${spans?.join()} ${besideWhole?.join()}`
  const before = known.get(key)
  if (before !== undefined) return before
  const columns = columnsIn(description)
  if (columns.length !== int16At(description, 0)) throw contradiction()
  if (columns.some(({ name, format }) => format !== 'binary' || name === '__proto__'))
    throw new TypeError('Rows that cannot be read')
  if (known.size >= MOST_KNOWN) known.clear()
  const read = compiled(columns, form)
  known.set(key, read)
  return read
}
