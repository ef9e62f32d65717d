// The ABI that Tact writes.

import {
  type Abi,
  AbiError,
  type AbiField,
  type ArgumentType,
  DEEPEST,
  type FieldType,
  type Getter,
  isCallable,
  plainText,
} from './abi.ts'
import { intoCells } from './tactCells.ts'

const OPCODE_BITS = 32

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

const VARIABLE: Readonly<Record<string, FieldType>> = {
  coins: { kind: 'varuint', lengthBits: 4 },
  varuint16: { kind: 'varuint', lengthBits: 4 },
  varuint32: { kind: 'varuint', lengthBits: 5 },
  varint16: { kind: 'varint', lengthBits: 4 },
  varint32: { kind: 'varint', lengthBits: 5 },
}

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
    const variable = typeof format === 'string' ? VARIABLE[format] : undefined
    if (variable !== undefined) return variable
    return { kind: type, width: typeof format === 'number' ? format : 257 }
  }
  if (type === 'fixed-bytes') return { kind: 'bits', width: 8 * (typeof format === 'number' ? format : 32) }
  if (format === 'remainder') return { kind: 'rest' }
  const known = COMPLEX[type]
  if (known !== undefined) return known
  const struct = structs.get(type)
  if (struct === undefined) throw new AbiError(`The type ${type.slice(0, 64)} is not described.`)
  const fields = structFields(struct, structs, depth + 1)
  // A message is one inside of others, too.
  return { kind: 'struct', fields: isMessage(struct) ? [prefixOf(struct), ...fields] : fields }
}

function tactType(type: TactType, structs: ReadonlyMap<string, TactStruct>, depth: number): FieldType {
  if (type.kind === 'dict') return { kind: 'dict' }
  const plain = plainType(type, structs, depth)
  const inner: FieldType = type.format === 'ref' && plain.kind === 'struct' ? { kind: 'ref', of: plain } : plain
  // An address that is not there has a form of its own.
  return type.optional && inner.kind !== 'address' ? { kind: 'maybe', of: inner } : inner
}

const isMessage = ({ header }: TactStruct): boolean => typeof header === 'number'

const opcodeOf = ({ header }: TactStruct): number => (header ?? 0) >>> 0

const prefixOf = (struct: TactStruct): AbiField => ({
  name: '',
  type: { kind: 'prefix', width: OPCODE_BITS, number: opcodeOf(struct) },
})

const fieldsOf = (
  { fields }: TactStruct,
  structs: ReadonlyMap<string, TactStruct>,
  depth: number,
): readonly AbiField[] =>
  fields.map(({ name, type }) => ({ name: plainText(name), type: tactType(type, structs, depth) }))

const structFields = (
  struct: TactStruct,
  structs: ReadonlyMap<string, TactStruct>,
  depth: number,
): readonly AbiField[] =>
  intoCells(fieldsOf(struct, structs, depth), { bits: isMessage(struct) ? OPCODE_BITS : 0, refs: 0 })

interface TactGetter {
  readonly name: string
  readonly methodId?: number | null
  readonly arguments?: readonly { readonly name: string; readonly type: TactType }[]
  readonly returnType?: TactType | null
}

export interface TactAbi {
  readonly name?: string
  readonly types: readonly TactStruct[]
  readonly getters?: readonly TactGetter[]
  readonly errors?: Readonly<Record<string, { readonly message?: string }>>
}

export const isTact = (value: unknown): value is TactAbi =>
  typeof value === 'object' && value !== null && 'types' in value && Array.isArray(value.types)

const ARGUMENTS: Readonly<Record<string, ArgumentType>> = {
  int: 'number',
  uint: 'number',
  bool: 'number',
  address: 'address',
  string: 'text',
  slice: 'slice',
}

const getterOf = ({ name, methodId = null, arguments: args = [], returnType = null }: TactGetter): Getter => ({
  name,
  id: methodId,
  args: args.map((one) => ({ name: plainText(one.name), type: ARGUMENTS[one.type.type ?? ''] ?? 'cell' })),
  returns: plainText(returnType?.type),
})

/** The fields of a contract are the struct of its data. A contract with dictionaries inside others has one that is not read. */
function storageOf(name: string, structs: ReadonlyMap<string, TactStruct>): readonly AbiField[] | null {
  const data = structs.get(`${name}$Data`)
  return data === undefined ? null : intoCells(fieldsOf(data, structs, 0), { bits: 0, refs: 1 })
}

export function fromTact({ name = 'Contract', types, getters = [], errors = {} }: TactAbi): Abi {
  const structs = new Map(types.map((one) => [one.name, one]))
  return {
    name: plainText(name) || 'Contract',
    messages: types
      .filter(isMessage)
      .map((one) => ({ name: plainText(one.name), opcode: opcodeOf(one), fields: structFields(one, structs, 0) })),
    errors: Object.fromEntries(Object.entries(errors).map(([code, { message }]) => [code, plainText(message)])),
    storage: storageOf(name, structs),
    getters: getters.filter(isCallable).map(getterOf),
  }
}
