// From the fields of a line to what reads them off a slice.

import {
  type Cell,
  CellError,
  loadAddress,
  type MessageAddress,
  openCell,
  orNull,
  type Slice,
  stdAddress,
} from '../cell/index.ts'
import { type BodyField, numberIn, type TypeTree, typeIn } from './grammar.ts'
import { ASSET_BITS, camelCase, isExact, JETTON_ASSET, leafSizeOf, NATIVE_ASSET } from './leafSizes.ts'
import { Payload } from './payload.ts'

/** How a caller keeps the addresses it reads. */
export type Keep = (address: MessageAddress) => unknown

export type Values = Record<string, unknown>

type Read = (slice: Slice) => unknown

const rest: Read = (slice) => slice.loadRest()
const coins: Read = (slice) => slice.loadCoins()

const WORDS: Readonly<Record<string, Read>> = {
  Bool: (slice) => slice.loadBit(),
  Coins: coins,
  Grams: coins,
  CurrencyCollection: (slice) => ({ grams: slice.loadCoins(), other: slice.loadMaybeRef() }),
  SnakeString: rest,
  Bytes: rest,
  Cell: rest,
  Any: rest,
}

/** TON has no address, a jetton that of its master. */
function loadAsset(slice: Slice, bits: number): MessageAddress {
  const kind = slice.loadUint(bits)
  if (kind === NATIVE_ASSET) return null
  if (kind !== JETTON_ASSET) throw new CellError('value', `asset of kind ${kind}`)
  return stdAddress(slice.loadInt(8), slice.loadBytes(32))
}

function sizedReader(word: string): Read | null {
  const size = leafSizeOf(word)
  if (size === null) return null
  const { kind, bits } = size
  if (kind === 'bits') return (slice) => slice.loadBytes(bits / 8)
  if (isExact(bits)) return kind === 'uint' ? (slice) => slice.loadUint(bits) : (slice) => slice.loadInt(bits)
  return kind === 'uint' ? (slice) => slice.loadUintBig(bits) : (slice) => slice.loadIntBig(bits)
}

function wordReader({ name, args }: Extract<TypeTree, { kind: 'word' }>, keep: Keep): Read {
  const assetBits = ASSET_BITS[name]
  if (assetBits !== undefined) return (slice) => keep(loadAsset(slice, assetBits))
  switch (name) {
    case 'MsgAddress':
    case 'MsgAddressInt':
      return (slice) => keep(loadAddress(slice))
    case 'VarUInteger': {
      const most = numberIn(args[0])
      return (slice) => slice.loadVarUint(most)
    }
    case 'Maybe': {
      const of = typeIn(args[0])
      if (of.kind === 'ref' && of.of.kind !== 'record') return (slice) => slice.loadMaybeRef()
      const read = typeReader(of, keep)
      return (slice) => (slice.loadBit() ? read(slice) : null)
    }
    case 'Either':
      return (slice) => Payload.load(slice)
    case 'HashmapE':
      return (slice) => slice.loadMaybeRef()
    case 'Hashmap':
      return rest
    default: {
      const read = sizedReader(name) ?? WORDS[name]
      if (read === undefined) throw new Error(`no type ${name}`)
      return read
    }
  }
}

function typeReader(type: TypeTree, keep: Keep): Read {
  if (type.kind === 'word') return wordReader(type, keep)
  if (type.kind === 'ref' && type.of.kind === 'record') {
    const read = fieldsReader(type.of.fields, { keep })
    return (slice) => read(openCell(slice.loadRef()))
  }
  // What the cell holds is for the caller to open.
  if (type.kind === 'ref') return (slice): Cell => slice.loadRef()
  return fieldsReader(type.fields, { keep })
}

/** Bits of a type whose size is fixed; null for the others. */
const fixedBits = (type: TypeTree): number | null =>
  type.kind !== 'word' ? null : type.name === 'Bool' ? 1 : (leafSizeOf(type.name)?.bits ?? null)

interface Step {
  /** Empty for a field that is passed over. */
  readonly key: string
  readonly read: Read
}

const KEEP_NOTHING: Keep = () => null

function skipper(type: TypeTree): Read {
  const bits = fixedBits(type)
  return bits === null ? typeReader(type, KEEP_NOTHING) : (slice) => slice.skip(bits)
}

function stepsOf(fields: readonly BodyField[], keep: Keep, names: ReadonlySet<string>): Step[] {
  const steps: Step[] = []
  let left = names.size
  for (const { name, type } of fields) {
    if (left === 0) break
    const key = camelCase(name)
    const isTaken = key !== '' && names.has(key)
    if (isTaken) left--
    steps.push(isTaken ? { key, read: typeReader(type, keep) } : { key: '', read: skipper(type) })
  }
  return steps
}

export interface BodyReadOptions {
  readonly keep: Keep
  /** All of them when absent. */
  readonly names?: readonly string[]
  /** Whether the last field of the line may be missing. */
  readonly isLenient?: boolean
}

/** Reads as far as the last field that is taken. */
export function fieldsReader(
  fields: readonly BodyField[],
  { keep, names = [], isLenient = false }: BodyReadOptions,
): (slice: Slice) => Values {
  const all = fields.map(({ name }) => camelCase(name)).filter((name) => name !== '')
  const taken = new Set(names.length === 0 ? all : names)
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`a line has no field ${unknown}`)
  const steps = stepsOf(fields, keep, taken)
  const last = isLenient && steps.length === fields.length ? steps.pop() : undefined
  return (slice) => {
    const values: Values = {}
    for (const { key, read } of steps) {
      const value = read(slice)
      if (key !== '') values[key] = value
    }
    // Public senders leave it out, or cut it off.
    if (last !== undefined) values[last.key] = slice.isEmpty ? null : orNull(() => last.read(slice))
    return values
  }
}
