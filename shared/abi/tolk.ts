// The ABI that the compiler of Tolk writes, which Acton keeps as `compiler_abi`.

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

interface TolkType {
  readonly kind: string
  readonly n?: number
  readonly inner_ty_idx?: number
  readonly struct_name?: string
  readonly alias_name?: string
  readonly enum_name?: string
  readonly type_args_ty_idx?: readonly number[]
  readonly items_ty_idx?: readonly number[]
}

interface TolkDeclaration {
  readonly kind: string
  readonly name: string
  readonly ty_idx?: number
  readonly target_ty_idx?: number
  readonly encoded_as_ty_idx?: number
  readonly prefix?: { readonly prefix_num: number; readonly prefix_len: number }
  readonly fields?: readonly { readonly name: string; readonly ty_idx: number }[]
}

export interface TolkAbi {
  readonly contract_name?: string
  readonly unique_types: readonly TolkType[]
  readonly declarations: readonly TolkDeclaration[]
  readonly storage?: { readonly storage_ty_idx?: number }
  readonly incoming_messages?: readonly { readonly body_ty_idx: number }[]
  readonly incoming_external?: readonly { readonly body_ty_idx: number }[]
  readonly outgoing_messages?: readonly { readonly body_ty_idx: number }[]
  readonly emitted_events?: readonly { readonly body_ty_idx: number }[]
  readonly get_methods?: readonly {
    readonly tvm_method_id?: number
    readonly name: string
    readonly parameters?: readonly { readonly name: string; readonly ty_idx: number }[]
    readonly return_ty_idx?: number
  }[]
  readonly thrown_errors?: readonly {
    readonly name?: string
    readonly description?: string
    readonly err_code: number
  }[]
  readonly code_boc64?: string
}

export const isTolk = (value: unknown): value is TolkAbi =>
  typeof value === 'object' &&
  value !== null &&
  'unique_types' in value &&
  Array.isArray(value.unique_types) &&
  'declarations' in value &&
  Array.isArray(value.declarations)

const SIMPLE: Readonly<Record<string, FieldType>> = {
  bool: { kind: 'bool' },
  coins: { kind: 'varuint', lengthBits: 4 },
  address: { kind: 'address' },
  addressOpt: { kind: 'address' },
  addressAny: { kind: 'address' },
  cell: { kind: 'cell' },
  string: { kind: 'ref', of: { kind: 'text' } },
  mapKV: { kind: 'dict' },
  remaining: { kind: 'rest' },
}

const WIDE: Readonly<Record<string, 'int' | 'uint' | 'bits'>> = { intN: 'int', uintN: 'uint', bitsN: 'bits' }

const ARGUMENTS: Readonly<Record<string, ArgumentType>> = {
  int: 'number',
  intN: 'number',
  uintN: 'number',
  coins: 'number',
  bool: 'number',
  EnumRef: 'number',
  address: 'address',
  addressAny: 'address',
  addressOpt: 'address',
  slice: 'slice',
  string: 'text',
}

/** Prefixes have up to 48 bits, which no operation on bits of a number keeps. */
function prefixNumber(number: number, width: number): number {
  if (!Number.isSafeInteger(number)) throw new AbiError('One of its prefixes is no number.')
  return width > 32 ? number : number >>> 0
}

/** A struct with a prefix begins with it wherever it is: in another one, or in a cell of its own. */
const prefixOf = ({ prefix_num, prefix_len }: NonNullable<TolkDeclaration['prefix']>): AbiField => ({
  name: '',
  type: { kind: 'prefix', width: prefix_len, number: prefixNumber(prefix_num, prefix_len) },
})

class Types {
  readonly #abi: TolkAbi
  readonly #byName: ReadonlyMap<string, TolkDeclaration>
  readonly #count = new FieldCount()

  constructor(abi: TolkAbi) {
    this.#abi = abi
    this.#byName = new Map(abi.declarations.map((one) => [`${one.kind} ${one.name}`, one]))
  }

  at(index: number): TolkType {
    const found = this.#abi.unique_types[index]
    if (found === undefined) throw new AbiError(`Its type number ${index} is missing.`)
    return found
  }

  struct(index: number): TolkDeclaration | undefined {
    const { kind, struct_name: name } = this.at(index)
    return kind === 'StructRef' ? this.#byName.get(`struct ${name}`) : undefined
  }

  fields({ fields = [] }: TolkDeclaration, depth = 0): readonly AbiField[] {
    this.#count.add(fields)
    return fields.map(({ name, ty_idx }) => ({ name: plainText(name), type: this.of(ty_idx, depth) }))
  }

  /** What is not read field by field, such as a union, is the rest of the cell. */
  of(index: number, depth = 0): FieldType {
    if (depth > DEEPEST) throw new AbiError('Its types contain each other.')
    const type = this.at(index)
    const width = WIDE[type.kind]
    if (width !== undefined) return { kind: width, width: type.n ?? 0 }
    if (type.kind === 'varuintN') return { kind: 'varuint', lengthBits: type.n === 32 ? 5 : 4 }
    if (type.kind === 'varintN') return { kind: 'varint', lengthBits: type.n === 32 ? 5 : 4 }
    if (type.kind === 'nullable') return { kind: 'maybe', of: this.of(type.inner_ty_idx ?? -1, depth + 1) }
    if (type.kind === 'cellOf') return { kind: 'ref', of: this.of(type.inner_ty_idx ?? -1, depth + 1) }
    if (type.kind === 'EnumRef') return this.#named('enum', type.enum_name, 'encoded_as_ty_idx', depth)
    if (type.kind === 'AliasRef') return this.#named('alias', type.alias_name, 'target_ty_idx', depth)
    if (type.kind === 'tensor') return { kind: 'struct', fields: this.#items(type, depth) }
    const struct = type.type_args_ty_idx === undefined ? this.struct(index) : undefined
    if (struct === undefined) return SIMPLE[type.kind] ?? { kind: 'rest' }
    return { kind: 'struct', fields: this.whole(struct, depth + 1) }
  }

  /** The fields behind the prefix, if there is one. */
  whole(struct: TolkDeclaration, depth = 0): readonly AbiField[] {
    const fields = this.fields(struct, depth)
    return struct.prefix === undefined ? fields : [prefixOf(struct.prefix), ...fields]
  }

  #items({ items_ty_idx: items = [] }: TolkType, depth: number): readonly AbiField[] {
    this.#count.add(items)
    return items.map((index, at) => ({ name: String(at), type: this.of(index, depth + 1) }))
  }

  #named(
    kind: string,
    name: string | undefined,
    field: 'encoded_as_ty_idx' | 'target_ty_idx',
    depth: number,
  ): FieldType {
    const index = this.#byName.get(`${kind} ${name}`)?.[field]
    return index === undefined ? { kind: 'rest' } : this.of(index, depth + 1)
  }

  /** As a developer reads it. */
  words(index: number): string {
    const { kind, n = '', struct_name, alias_name, enum_name } = this.at(index)
    return plainText(struct_name ?? alias_name ?? enum_name ?? `${kind.replace(/N$/, '')}${n}`)
  }
}

function getterOf(types: Types, one: NonNullable<TolkAbi['get_methods']>[number]): Getter {
  return {
    name: one.name,
    id: one.tvm_method_id ?? null,
    args: (one.parameters ?? []).map(({ name, ty_idx }) => ({
      name: plainText(name),
      type: ARGUMENTS[types.at(ty_idx).kind] ?? 'cell',
    })),
    returns: one.return_ty_idx === undefined ? '' : types.words(one.return_ty_idx),
  }
}

const OPCODE_BITS = 32

export function fromTolk(abi: TolkAbi): Abi {
  const types = new Types(abi)
  const bodies = [abi.incoming_messages, abi.incoming_external, abi.outgoing_messages, abi.emitted_events].flatMap(
    (list) => (list ?? []).map(({ body_ty_idx }) => types.struct(body_ty_idx)),
  )
  const messages = [...new Set([...bodies, ...abi.declarations])].flatMap((one) =>
    one?.kind === 'struct' && one.prefix?.prefix_len === OPCODE_BITS
      ? [{ name: plainText(one.name), opcode: one.prefix.prefix_num >>> 0, fields: types.fields(one) }]
      : [],
  )
  const storage = abi.storage?.storage_ty_idx
  const data = storage === undefined ? undefined : types.struct(storage)
  const named = (abi.thrown_errors ?? []).filter(({ name }) => name !== undefined).reverse()
  return {
    name: plainText(abi.contract_name) || 'Contract',
    messages,
    errors: Object.fromEntries(
      named.map(({ err_code, name, description }) => [
        err_code,
        plainText(description ? `${name}: ${description}` : name),
      ]),
    ),
    storage: data === undefined ? null : types.whole(data),
    getters: (abi.get_methods ?? []).filter(isCallable).map((one) => getterOf(types, one)),
  }
}
