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

/** The place of the first field from `from` on that does not fit into this room any more. */
function endOf(sizes: readonly Size[], from: number, room: Size): number {
  let left = room
  for (let at = from; at < sizes.length; at++) {
    const size = sizes[at] ?? NOTHING
    if (!isWithin(size, left)) return at
    left = without(left, size)
  }
  return sizes.length
}

function filling(fields: readonly AbiField[], first: Size): readonly AbiField[] {
  const sizes = fields.map(({ type }) => sizeOf(type))
  const fill = (from: number, room: Size, depth: number): readonly AbiField[] => {
    if (depth > DEEPEST_CELL) throw new AbiError('A struct has too many fields.')
    if (endOf(sizes, from, room) === sizes.length) return fields.slice(from)
    const end = endOf(sizes, from, { ...room, refs: room.refs - 1 })
    // No compiler made one that does not fit at all.
    const next = end === from && room === WHOLE ? fields.slice(end) : fill(end, WHOLE, depth + 1)
    return [...fields.slice(from, end), { name: '', type: { kind: 'next', fields: next } }]
  }
  return fill(0, first, 0)
}

/** The fields as they are in the cells; `taken` is what is in the first one besides them. */
export const intoCells = (fields: readonly AbiField[], taken: Size): readonly AbiField[] =>
  filling(fields, without(without(WHOLE, SPARE), taken))
