// How Tact spreads the fields of a struct over cells: those that may not fit go on in a cell of their own, behind the
// references of the one before. The sizes are the largest that values can have.

import { AbiError, type AbiField, type FieldType } from './abi.ts'

interface Size {
  readonly bits: number
  readonly refs: number
}

const NOTHING: Size = { bits: 0, refs: 0 }
const WHOLE: Size = { bits: 1023, refs: 4 }
/** Data of an account is no deeper. */
const DEEPEST_CELL = 512
/** Kept free in the first cell of a struct. */
const SPARE: Size = { bits: 1, refs: 1 }

const SIZES: Readonly<Partial<Record<FieldType['kind'], Size>>> = {
  bool: { bits: 1, refs: 0 },
  address: { bits: 267, refs: 0 },
  cell: { bits: 0, refs: 1 },
  ref: { bits: 0, refs: 1 },
  next: { bits: 0, refs: 1 },
  dict: { bits: 1, refs: 1 },
}

const add = (a: Size, b: Size): Size => ({ bits: a.bits + b.bits, refs: a.refs + b.refs })
const without = (a: Size, b: Size): Size => ({ bits: a.bits - b.bits, refs: a.refs - b.refs })
const isWithin = (a: Size, b: Size): boolean => a.bits <= b.bits && a.refs <= b.refs
const total = (sizes: readonly Size[]): Size => sizes.reduce(add, NOTHING)

function sizeOf(type: FieldType): Size {
  if ('width' in type) return { bits: type.width, refs: 0 }
  if (type.kind === 'varuint' || type.kind === 'varint')
    return { bits: type.lengthBits + 8 * ((1 << type.lengthBits) - 1), refs: 0 }
  if (type.kind === 'maybe') return add({ bits: 1, refs: 0 }, sizeOf(type.of))
  if (type.kind === 'struct') return total(type.fields.map((field) => sizeOf(field.type)))
  return SIZES[type.kind] ?? NOTHING
}

function filling(fields: readonly AbiField[], room: Size, depth = 0): readonly AbiField[] {
  if (depth > DEEPEST_CELL) throw new AbiError('A struct has too many fields.')
  const sizes = fields.map(({ type }) => sizeOf(type))
  if (isWithin(total(sizes), room)) return fields
  let left: Size = { ...room, refs: room.refs - 1 }
  let count = 0
  for (const size of sizes) {
    if (!isWithin(size, left)) break
    left = without(left, size)
    count++
  }
  const rest = fields.slice(count)
  // No compiler made one that does not fit at all.
  const next = count === 0 && room === WHOLE ? rest : filling(rest, WHOLE, depth + 1)
  return [...fields.slice(0, count), { name: '', type: { kind: 'next', fields: next } }]
}

/** The fields as they are in the cells; `taken` is what is in the first one besides them. */
export const intoCells = (fields: readonly AbiField[], taken: Size): readonly AbiField[] =>
  filling(fields, without(without(WHOLE, SPARE), taken))
