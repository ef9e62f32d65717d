// Bodies of messages, read as a contract's own description says.

import type { Abi, AbiField, FieldType } from '../../../shared/abi/abi.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { toHex } from '../../../shared/hex.ts'
import { CellEnd, CellReader, tryRead } from '../cell/cellReader.ts'
import { textOfCell } from '../cell/guesses.ts'
import type { BagCell } from '../cell/readBag.ts'

export interface DecodedMessage {
  readonly type: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Bits and references the description says nothing of. */
  readonly rest: { readonly bits: number; readonly refs: number } | null
}

/** Null for none. Throws CellEnd for a form that is not an account's. */
export function readAccountName(reader: CellReader): string | null {
  const tag = Number(reader.uint(2))
  if (tag === 0) return null
  if (tag !== 2) throw new CellEnd('an address of another form')
  reader.bit()
  const workchain = reader.int(8)
  return `${workchain}:${reader.uint(256).toString(16).padStart(64, '0').toUpperCase()}`
}

const summary = ({ bits, refs }: BagCell): string =>
  `cell of ${counted(bits, 'bit')} and ${counted(refs.length, 'reference')}`

function remaining(reader: CellReader): unknown {
  const bits = reader.bitsLeft
  const refs = reader.refsLeft
  const value = bits === 0 ? '' : `x{${reader.uint(bits).toString(16).toUpperCase()}}`
  for (let i = 0; i < refs; i++) reader.ref()
  return refs === 0 ? value : `${value} and ${counted(refs, 'reference')}`
}

function bitString(reader: CellReader, width: number): string {
  if (width % 8 !== 0) return reader.uint(width).toString(2).padStart(width, '0')
  return toHex(Uint8Array.from({ length: width / 8 }, () => Number(reader.uint(8))))
}

function value(reader: CellReader, type: FieldType): unknown {
  if (type.kind === 'uint') return String(reader.uint(type.width))
  if (type.kind === 'int') return String(reader.int(type.width))
  if (type.kind === 'bits') return bitString(reader, type.width)
  if (type.kind === 'varuint') return String(reader.varUint(type.lengthBits))
  if (type.kind === 'varint') return String(reader.int(8 * Number(reader.uint(type.lengthBits))))
  if (type.kind === 'bool') return reader.bit() === 1
  if (type.kind === 'address') return readAccountName(reader)
  if (type.kind === 'maybe') return reader.bit() === 1 ? value(reader, type.of) : null
  if (type.kind === 'dict') return reader.bit() === 1 ? `dictionary: ${summary(reader.ref())}` : null
  if (type.kind === 'cell') return summary(reader.ref())
  if (type.kind === 'struct') return values(reader, type.fields)
  if (type.kind === 'ref') {
    const cell = reader.ref()
    return type.of.kind === 'text' ? (textOfCell(cell) ?? summary(cell)) : value(new CellReader(cell), type.of)
  }
  return remaining(reader)
}

/** What a field adds to the fields of its struct. */
function entriesOf(reader: CellReader, { name, type }: AbiField): [string, unknown][] {
  if (type.kind === 'next') {
    const next = new CellReader(reader.ref())
    return type.fields.flatMap((field) => entriesOf(next, field))
  }
  if (type.kind !== 'prefix') return [[name, value(reader, type)]]
  if (reader.uint(type.width) !== BigInt(type.number)) throw new CellEnd('another prefix')
  return []
}

const values = (reader: CellReader, fields: readonly AbiField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap((field) => entriesOf(reader, field)))

function decoded(type: string, reader: CellReader, fields: readonly AbiField[]): DecodedMessage {
  const found = values(reader, fields)
  const { bitsLeft: bits, refsLeft: refs } = reader
  return { type, fields: found, rest: bits === 0 && refs === 0 ? null : { bits, refs } }
}

const OPCODE_BITS = 32

/** A body by its opcode; null when the description does not know it, or says something else than what is there. */
export const decodeByAbi = ({ messages }: Abi, body: BagCell): DecodedMessage | null =>
  tryRead(body, (reader) => {
    const opcode = Number(reader.uint(OPCODE_BITS))
    const message = messages.find((one) => one.opcode === opcode)
    return message === undefined ? null : decoded(message.name, reader, message.fields)
  })

/** The fields of the data, from a bit on; null when they do not end in the cell. */
const fieldsFrom = (data: BagCell, fields: readonly AbiField[], skipped: number): DecodedMessage | null =>
  tryRead(data, (reader) => {
    if (skipped > 0) reader.uint(skipped)
    return decoded('Storage', reader, fields)
  })

/** The data of an account. Contracts of Tact can have a bit in front that says they were initialized. */
export function decodeStorage({ storage }: Abi, data: BagCell): DecodedMessage | null {
  if (storage === null) return null
  const plain = fieldsFrom(data, storage, 0)
  const marked = fieldsFrom(data, storage, 1)
  return plain?.rest !== null && marked?.rest === null ? marked : plain
}
