// Encoders and decoders, made once from the lines of the schema. No type of it contains itself, so no bytes can nest
// deeper than the schema does.

import { TlError } from './tlError.ts'
import { type Constructor, parseLine, type TlField, type TlFieldType } from './tlGrammar.ts'
import type { TlReader } from './tlReader.ts'
import { packetLines, refusalLines, typeLines } from './tlSchema.ts'
import type { Writer } from './writer.ts'

/** Any value of the schema, before it has a TypeScript type. */
type Value = unknown
type Fields = Readonly<Record<string, Value>>

export interface TlCodec {
  /** Length of the shortest encoding. */
  readonly minBytes: number
  read(reader: TlReader): Value
  write(writer: Writer, value: Value): void
}

function wrong(expected: string, value: Value): TlError {
  const found = value === null ? 'null' : typeof value
  return new TlError('value', `${expected} expected, ${found} found`)
}

function primitive<T>(
  minBytes: number,
  name: string,
  isOne: (value: Value) => value is T,
  read: (reader: TlReader) => T,
  write: (writer: Writer, value: T) => void,
): TlCodec {
  return {
    minBytes,
    read,
    write(writer, value) {
      if (!isOne(value)) throw wrong(name, value)
      write(writer, value)
    },
  }
}

const isNumber = (value: Value): value is number => typeof value === 'number'
const isBigint = (value: Value): value is bigint => typeof value === 'bigint'
const isBytes = (value: Value): value is Uint8Array => value instanceof Uint8Array
const isString = (value: Value): value is string => typeof value === 'string'
const isBoolean = (value: Value): value is boolean => typeof value === 'boolean'
const isFields = (value: Value): value is Fields => typeof value === 'object' && value !== null

/** Of a field that a bit of `mode` stands for: only presence counts. */
const flag: TlCodec = { minBytes: 0, read: () => true, write: () => undefined }

const primitives: ReadonlyMap<string, TlCodec> = new Map([
  [
    'int',
    primitive(
      4,
      'a number',
      isNumber,
      (r) => r.int(),
      (w, value) => w.int(value),
    ),
  ],
  [
    '#',
    primitive(
      4,
      'a number',
      isNumber,
      (r) => r.uint(),
      (w, value) => w.uint(value),
    ),
  ],
  [
    'long',
    primitive(
      8,
      'a bigint',
      isBigint,
      (r) => r.long(),
      (w, value) => w.long(value),
    ),
  ],
  [
    'int256',
    primitive(
      32,
      'bytes',
      isBytes,
      (r) => r.int256(),
      (w, value) => w.int256(value),
    ),
  ],
  [
    'bytes',
    primitive(
      4,
      'bytes',
      isBytes,
      (r) => r.bytes(),
      (w, value) => w.bytes(value),
    ),
  ],
  [
    'string',
    primitive(
      4,
      'a string',
      isString,
      (r) => r.string(),
      (w, value) => w.string(value),
    ),
  ],
  [
    'Bool',
    primitive(
      4,
      'a boolean',
      isBoolean,
      (r) => r.bool(),
      (w, value) => w.bool(value),
    ),
  ],
  ['true', flag],
])

function vectorOf(item: TlCodec): TlCodec {
  return {
    minBytes: 4,
    read(reader) {
      const items: Value[] = []
      for (let left = reader.count(item.minBytes); left > 0; left--) items.push(item.read(reader))
      return items
    },
    write(writer, value) {
      if (!Array.isArray(value)) throw wrong('a list', value)
      writer.uint(value.length)
      for (const one of value) item.write(writer, one)
    },
  }
}

interface FieldCodec extends TlField {
  readonly codec: TlCodec
}

/** `mode` as it goes over the wire: a field that is present sets its bit, and a bit that is set requires its field. */
function modeOf(value: Fields, fields: readonly FieldCodec[]): Value {
  if (!isNumber(value.mode)) return value.mode
  let mode = value.mode
  for (const { name, bit } of fields) if (bit !== null && value[name] !== undefined) mode = (mode | (1 << bit)) >>> 0
  return mode
}

const isOpen = (mode: Value, bit: number): boolean => isNumber(mode) && ((mode >>> bit) & 1) === 1

/** The fields of a constructor, without its id. */
function bare({ name: owner, fields: plain }: Constructor): TlCodec {
  const fields = plain.map((field): FieldCodec => ({ ...field, codec: codecOf(field.type) }))
  return {
    minBytes: fields.reduce((sum, { bit, codec }) => sum + (bit === null ? codec.minBytes : 0), 0),
    read(reader) {
      const value: Record<string, Value> = {}
      for (const { name, bit, codec } of fields) {
        if (bit === null || isOpen(value.mode, bit)) value[name] = codec.read(reader)
      }
      return value
    },
    write(writer, value) {
      if (!isFields(value)) throw wrong(owner, value)
      const mode = modeOf(value, fields)
      for (const { name, bit, codec } of fields) {
        if (bit !== null && !isOpen(mode, bit)) continue
        const written = name === 'mode' ? mode : value[name]
        if (written === undefined && codec !== flag) throw new TlError('value', `${owner}: ${name} is missing`)
        codec.write(writer, written)
      }
    },
  }
}

interface BlockFields {
  readonly workchain: number
  readonly shard: bigint
  readonly seqno: number
  readonly root_hash: Uint8Array
  readonly file_hash: Uint8Array
}

const isBlock = (value: Value): value is BlockFields =>
  isFields(value) &&
  isNumber(value.workchain) &&
  isBigint(value.shard) &&
  isNumber(value.seqno) &&
  isBytes(value.root_hash) &&
  isBytes(value.file_hash)

/**
 * For ids of blocks: nearly every message has several. It reads and writes the same bytes as `plain`, without a look-up of each
 * field. A value that does not fit goes to `plain`, which says what is wrong with it.
 */
function blockCodec(plain: TlCodec): TlCodec {
  return {
    minBytes: plain.minBytes,
    read: (r): BlockFields => ({
      workchain: r.int(),
      shard: r.long(),
      seqno: r.int(),
      root_hash: r.int256(),
      file_hash: r.int256(),
    }),
    write(writer, value) {
      if (isBlock(value)) {
        writer.int(value.workchain)
        writer.long(value.shard)
        writer.int(value.seqno)
        writer.int256(value.root_hash)
        writer.int256(value.file_hash)
      } else plain.write(writer, value)
    },
  }
}

/** The only one written by hand. */
const BLOCK = 'tonNode.blockIdExt'

const lines = [...typeLines, ...packetLines, ...refusalLines].map(parseLine)
const bareCodecs = new Map<string, TlCodec>()
const boxedCodecs = new Map<string, TlCodec>()

function made(codecs: Map<string, TlCodec>, name: string, make: () => TlCodec): TlCodec {
  const known = codecs.get(name)
  if (known !== undefined) return known
  const codec = make()
  codecs.set(name, codec)
  return codec
}

const bareOf = (line: Constructor): TlCodec => (line.name === BLOCK ? blockCodec(bare(line)) : bare(line))

function codecOf(type: TlFieldType): TlCodec {
  if ('vectorOf' in type) return vectorOf(codecOf({ named: type.vectorOf }))
  const { named } = type
  const line = lines.find(({ name }) => name === named)
  return primitives.get(named) ?? (line ? made(bareCodecs, named, () => bareOf(line)) : boxedOf(named))
}

/** Values that carry a constructor id; of several constructors, `@type` in the value says which. */
export function boxed(constructors: readonly Constructor[]): TlCodec {
  const members = constructors.map((line) => ({ ...line, codec: made(bareCodecs, line.name, () => bareOf(line)) }))
  const byId = new Map(members.map((member) => [member.id, member]))
  const byName = new Map(members.map((member) => [member.name, member]))
  const only = members.length === 1 ? members[0] : undefined
  return {
    minBytes: 4 + Math.min(...members.map(({ codec }) => codec.minBytes)),
    read(reader) {
      const id = reader.uint()
      const member = byId.get(id)
      if (member === undefined) throw reader.unknown(id)
      const value = member.codec.read(reader)
      return only === undefined && isFields(value) ? { '@type': member.name, ...value } : value
    },
    write(writer, value) {
      const name = isFields(value) ? value['@type'] : undefined
      const member = only ?? (isString(name) ? byName.get(name) : undefined)
      if (member === undefined) throw new TlError('value', `@type of ${[...byName.keys()].join(' or ')} expected`)
      writer.uint(member.id)
      member.codec.write(writer, value)
    },
  }
}

/** The codec of a type by its name. */
export function boxedOf(type: string): TlCodec {
  const constructors = lines.filter(({ result }) => result === type)
  if (constructors.length === 0) throw new Error(`The schema has no type ${type}`)
  return made(boxedCodecs, type, () => boxed(constructors))
}
