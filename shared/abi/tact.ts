// The ABI that Tact writes.

import {
  type Abi,
  AbiError,
  type AbiField,
  type ArgumentType,
  DEEPEST,
  FieldCount,
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

/** Of one description. */
interface TactTypes {
  readonly structs: ReadonlyMap<string, TactStruct>
  readonly count: FieldCount
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

function plainType({ type = '', format }: TactType, types: TactTypes, depth: number): FieldType {
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
  const struct = types.structs.get(type)
  if (struct === undefined) throw new AbiError(`The type ${type.slice(0, 64)} is not described.`)
  const fields = structFields(struct, types, depth + 1)
  // A message is one inside of others, too.
  return { kind: 'struct', fields: isMessage(struct) ? [prefixOf(struct), ...fields] : fields }
}

function tactType(type: TactType, types: TactTypes, depth: number): FieldType {
  if (type.kind === 'dict') return { kind: 'dict' }
  const plain = plainType(type, types, depth)
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

function fieldsOf({ fields }: TactStruct, types: TactTypes, depth: number): readonly AbiField[] {
  types.count.add(fields)
  return fields.map(({ name, type }) => ({ name: plainText(name), type: tactType(type, types, depth) }))
}

const structFields = (struct: TactStruct, types: TactTypes, depth: number): readonly AbiField[] =>
  intoCells(fieldsOf(struct, types, depth), { bits: isMessage(struct) ? OPCODE_BITS : 0, refs: 0 })

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
function storageOf(name: string, types: TactTypes): readonly AbiField[] | null {
  const data = types.structs.get(`${name}$Data`)
  return data === undefined ? null : intoCells(fieldsOf(data, types, 0), { bits: 0, refs: 1 })
}

export function fromTact({ name = 'Contract', types: all, getters = [], errors = {} }: TactAbi): Abi {
  const types: TactTypes = { structs: new Map(all.map((one) => [one.name, one])), count: new FieldCount() }
  return {
    name: plainText(name) || 'Contract',
    messages: all
      .filter(isMessage)
      .map((one) => ({ name: plainText(one.name), opcode: opcodeOf(one), fields: structFields(one, types, 0) })),
    errors: Object.fromEntries(Object.entries(errors).map(([code, { message }]) => [code, plainText(message)])),
    storage: storageOf(name, types),
    getters: getters.filter(isCallable).map(getterOf),
  }
}
