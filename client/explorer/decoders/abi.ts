// What a contract's own description says of its messages and errors, from the forms that compilers write.

export type FieldType =
  | { readonly kind: 'uint' | 'int' | 'bits'; readonly width: number }
  /** An amount with its length in front, in so many bits. */
  | { readonly kind: 'varuint'; readonly lengthBits: number }
  | { readonly kind: 'bool' | 'address' | 'cell' | 'rest' | 'text' | 'dict' }
  | { readonly kind: 'maybe' | 'ref'; readonly of: FieldType }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }

export interface Field {
  readonly name: string
  readonly type: FieldType
}

export interface MessageType {
  readonly name: string
  /** First 32 bits of the body. */
  readonly opcode: number
  readonly fields: readonly Field[]
}

export interface Abi {
  readonly name: string
  readonly messages: readonly MessageType[]
  /** By exit code. */
  readonly errors: Readonly<Record<string, string>>
}

/** Thrown for text that describes no contract; its words are for the person who gave it. */
export class AbiError extends Error {}

const MOST_LENGTH = 1 << 20
const DEEPEST = 16

/** One short line: no character that reorders or hides what is next to it. */
const plainText = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
        .trim()
        .slice(0, 120)
    : ''

interface TactType {
  readonly kind?: string
  readonly type?: string
  readonly optional?: boolean | null
  readonly format?: unknown
}

interface TactStruct {
  readonly name: string
  readonly header?: number | null
  readonly fields: readonly { readonly name: string; readonly type: TactType }[]
}

const VARIABLE: Readonly<Record<string, number>> = { coins: 4, varuint16: 4, varint16: 4, varuint32: 5, varint32: 5 }

const COMPLEX: Readonly<Record<string, FieldType>> = {
  bool: { kind: 'bool' },
  address: { kind: 'address' },
  cell: { kind: 'cell' },
  builder: { kind: 'cell' },
  slice: { kind: 'cell' },
  string: { kind: 'ref', of: { kind: 'text' } },
}

function plainType(
  { type = '', format }: TactType,
  structs: ReadonlyMap<string, TactStruct>,
  depth: number,
): FieldType {
  if (depth > DEEPEST) throw new AbiError('Its types contain each other.')
  if (type === 'int' || type === 'uint') {
    const lengthBits = typeof format === 'string' ? VARIABLE[format] : undefined
    if (lengthBits !== undefined) return { kind: 'varuint', lengthBits }
    return { kind: type, width: typeof format === 'number' ? format : 257 }
  }
  if (type === 'fixed-bytes') return { kind: 'bits', width: 8 * (typeof format === 'number' ? format : 32) }
  if (format === 'remainder') return { kind: 'rest' }
  const known = COMPLEX[type]
  if (known !== undefined) return known
  const struct = structs.get(type)
  if (struct === undefined) throw new AbiError(`The type ${type.slice(0, 64)} is not described.`)
  return { kind: 'struct', fields: fieldsOf(struct, structs, depth + 1) }
}

function tactType(type: TactType, structs: ReadonlyMap<string, TactStruct>, depth: number): FieldType {
  if (type.kind === 'dict') return { kind: 'dict' }
  const plain = plainType(type, structs, depth)
  const inner: FieldType = type.format === 'ref' && plain.kind === 'struct' ? { kind: 'ref', of: plain } : plain
  // An address that is not there has a form of its own.
  return type.optional && inner.kind !== 'address' ? { kind: 'maybe', of: inner } : inner
}

const fieldsOf = ({ fields }: TactStruct, structs: ReadonlyMap<string, TactStruct>, depth: number): readonly Field[] =>
  fields.map(({ name, type }) => ({ name, type: tactType(type, structs, depth) }))

interface TactAbi {
  readonly name?: string
  readonly types: readonly TactStruct[]
  readonly errors?: Readonly<Record<string, { readonly message?: string }>>
}

const isTact = (value: unknown): value is TactAbi =>
  typeof value === 'object' && value !== null && 'types' in value && Array.isArray(value.types)

function fromTact({ name = 'Contract', types, errors = {} }: TactAbi): Abi {
  const structs = new Map(types.map((one) => [one.name, one]))
  return {
    name: plainText(name) || 'Contract',
    messages: types
      .filter(({ header }) => typeof header === 'number')
      .map((one) => ({ name: one.name, opcode: (one.header ?? 0) >>> 0, fields: fieldsOf(one, structs, 0) })),
    errors: Object.fromEntries(Object.entries(errors).map(([code, { message }]) => [code, plainText(message)])),
  }
}

const NUMBER = /^(u?int|bits)(\d{1,4})$/

/** One type of TL-B: those that messages are usually made of. */
function tlbType(text: string): FieldType {
  const [, kind, width] = NUMBER.exec(text) ?? []
  if (kind !== undefined && Number(width) <= 1023) return { kind: kind as 'uint', width: Number(width) }
  if (/^(?:Coins|Grams|coins)$/.test(text)) return { kind: 'varuint', lengthBits: 4 }
  if (/^(?:Bool|bool)$/.test(text)) return { kind: 'bool' }
  if (/^(?:MsgAddress(?:Int|Ext)?|Address|address)$/.test(text)) return { kind: 'address' }
  if (/^\^(?:Cell|Any)$|^cell$/.test(text)) return { kind: 'cell' }
  if (/^(?:Any|Cell|Slice|RemainingBitsAndRefs)$/.test(text)) return { kind: 'rest' }
  const [, inner] = /^\(?Maybe (.+?)\)?$/.exec(text) ?? []
  if (inner !== undefined) return { kind: 'maybe', of: tlbType(inner) }
  if (/^\(?HashmapE /.test(text)) return { kind: 'dict' }
  throw new AbiError(`The type ${text.slice(0, 64)} is not one that is read here.`)
}

const LINE = /^(\w+)#([0-9a-f]{1,8})\s*(.*?)\s*=\s*\w+\s*;?$/i
const FIELD = /(\w+):(\([^)]*\)|\^?\w+)\s*/gy

function tlbLine(line: string): MessageType {
  const [, name, opcode, rest] = LINE.exec(line) ?? []
  if (name === undefined || opcode === undefined || rest === undefined)
    throw new AbiError(`This line is no message: ${line.slice(0, 80)}`)
  const fields: Field[] = []
  FIELD.lastIndex = 0
  let at = 0
  for (let found = FIELD.exec(rest); found !== null; found = FIELD.exec(rest)) {
    fields.push({ name: found[1] ?? '', type: tlbType(found[2] ?? '') })
    at = FIELD.lastIndex
  }
  if (at !== rest.length) throw new AbiError(`This is no field: ${rest.slice(at, at + 60)}`)
  return { name, opcode: Number.parseInt(opcode, 16), fields }
}

function fromTlb(text: string): Abi {
  const lines = text.replace(/\/\*.*?\*\//gs, '').replace(/\/\/.*$/gm, '')
  const messages = lines
    .split(/;|\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map(tlbLine)
  if (messages.length === 0) throw new AbiError('This describes no message.')
  return { name: 'Contract', messages, errors: {} }
}

/** Reads a Tact ABI (JSON), or TL-B with one message in a line: `increase#7e8764ef query_id:uint64 = Msg`. */
export function parseAbi(text: string): Abi {
  if (text.length > MOST_LENGTH) throw new AbiError('This is longer than the 1 MB that is read.')
  if (!/^\s*[[{]/.test(text)) return fromTlb(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AbiError('This is JSON that ends early or is damaged.')
  }
  if (!isTact(value)) throw new AbiError('This JSON is no ABI of Tact: it has no list of `types`.')
  try {
    return fromTact(value)
  } catch (error) {
    throw error instanceof AbiError ? error : new AbiError('This ABI is damaged: its types lack names or fields.')
  }
}
