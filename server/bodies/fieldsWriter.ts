// From the fields of a line to what writes them into a cell. The types of a body's fields are checked where it is
// written; what is checked here is what the compiler could not see.

import { type Builder, beginCell, Cell, type MessageAddress, Slice, storeAddress } from '../cell/index.ts'
import { type BodyField, numberIn, type TypeTree, typeIn } from './grammar.ts'
import { ASSET_BITS, camelCase, JETTON_ASSET, leafSizeOf, NATIVE_ASSET } from './leafSizes.ts'
import { storePayload } from './payload.ts'

/** What a caller's form of an address stands for. */
export type AddressOf = (address: unknown) => MessageAddress

type Write = (builder: Builder, value: unknown) => void

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function refused(what: string): never {
  throw new TypeError(`a field of a body is no ${what}`)
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : refused('record'))
const cell = (value: unknown): Cell => (value instanceof Cell ? value : refused('cell'))
const bigint = (value: unknown): bigint => (typeof value === 'bigint' ? value : refused('bigint'))

const writeRest: Write = (builder, value) => {
  builder.storeSlice(value instanceof Slice ? value : refused('slice'))
}
const writeCoins: Write = (builder, value) => {
  builder.storeCoins(bigint(value))
}
const writeMaybeRef: Write = (builder, value) => {
  builder.storeMaybeRef(value === null ? null : cell(value))
}

const WORDS: Readonly<Record<string, Write>> = {
  Bool: (builder, value) => {
    builder.storeBit(value === true)
  },
  Coins: writeCoins,
  Grams: writeCoins,
  CurrencyCollection: (builder, value) => {
    const { grams, other } = record(value)
    writeCoins(builder, grams)
    writeMaybeRef(builder, other)
  },
  SnakeString: writeRest,
  Bytes: writeRest,
  Cell: writeRest,
  Any: writeRest,
  Hashmap: writeRest,
  HashmapE: writeMaybeRef,
  Either: (builder, value) => {
    const { form, cell: content } = record(value)
    storePayload(builder, { form: form === 'reference' ? form : 'inline', cell: cell(content) })
  },
}

function storeAsset(builder: Builder, address: MessageAddress, bits: number): void {
  if (address === null) builder.storeUint(NATIVE_ASSET, bits)
  else if (address.kind === 'std')
    builder.storeUint(JETTON_ASSET, bits).storeInt(address.workchain, 8).storeBytes(address.hash)
  else refused('asset')
}

function sizedWriter(name: string): Write | null {
  const size = leafSizeOf(name)
  if (size === null) return null
  const { kind, bits } = size
  if (kind === 'bits')
    return (builder, value) => {
      if (!(value instanceof Uint8Array) || value.length * 8 !== bits) refused(name)
      builder.storeBytes(value)
    }
  return (builder, value) => {
    const number = typeof value === 'number' ? value : bigint(value)
    if (kind === 'uint') builder.storeUint(number, bits)
    else builder.storeInt(number, bits)
  }
}

function wordWriter({ name, args }: Extract<TypeTree, { kind: 'word' }>, addressOf: AddressOf): Write {
  const assetBits = ASSET_BITS[name]
  if (assetBits !== undefined) return (builder, value) => storeAsset(builder, addressOf(value), assetBits)
  switch (name) {
    case 'MsgAddress':
    case 'MsgAddressInt':
      return (builder, value) => {
        storeAddress(builder, addressOf(value))
      }
    case 'VarUInteger': {
      const most = numberIn(args[0])
      return (builder, value) => {
        builder.storeVarUint(bigint(value), most)
      }
    }
    case 'Maybe': {
      const write = typeWriter(typeIn(args[0]), addressOf)
      return (builder, value) => {
        builder.storeBit(value !== null)
        if (value !== null) write(builder, value)
      }
    }
    default: {
      const write = sizedWriter(name) ?? WORDS[name]
      if (write === undefined) throw new Error(`no type ${name}`)
      return write
    }
  }
}

function typeWriter(type: TypeTree, addressOf: AddressOf): Write {
  if (type.kind === 'word') return wordWriter(type, addressOf)
  if (type.kind === 'record') return fieldsWriter(type.fields, addressOf)
  if (type.of.kind !== 'record')
    return (builder, value) => {
      builder.storeRef(cell(value))
    }
  const write = fieldsWriter(type.of.fields, addressOf)
  return (builder, value) => {
    const inner = beginCell()
    write(inner, value)
    builder.storeRef(inner.end())
  }
}

/** Writes all fields. With `isLenient` the last one is left out when it is null. */
export function fieldsWriter(fields: readonly BodyField[], addressOf: AddressOf, isLenient = false): Write {
  const steps = fields.map(({ name, type }) => ({ key: camelCase(name), write: typeWriter(type, addressOf) }))
  return (builder, value) => {
    const values = record(value)
    for (const [at, { key, write }] of steps.entries()) {
      const isLeftOut = isLenient && at === steps.length - 1 && values[key] === null
      if (!isLeftOut) write(builder, values[key])
    }
  }
}
