// Nodes of dictionaries: a label, which has the bits that all keys below share, then a value or two references. Labels have
// three encodings; the choice among them is the one TVM makes, since it decides the hash of the dictionary.

import { bitAt, commonBits, readUint } from '../bits.ts'
import type { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { CellError, DictError } from '../cellErrors.ts'
import { opened } from '../cellUsage.ts'
import { CellKind } from '../exotic.ts'
import { Slice } from '../slice.ts'
import type { Augmentation, Shape } from './shape.ts'

const ZEROS = Buffer.alloc(128)
const ONES = Buffer.alloc(128, 255)

/** Position of the bits of the last label read. Reading the next one overwrites it. */
export interface Label {
  bytes: Uint8Array
  at: number
  length: number
  /** Absolute position of the first bit behind the label. */
  end: number
}

const label: Label = { bytes: ZEROS, at: 0, length: 0, end: 0 }

/** Bits that hold a length of up to `max`. */
const lengthBits = (max: number): number => 32 - Math.clz32(max)

/** Reports the cell as opened and reads its label; `max` is the number of key bits not yet decided above it. */
export function readLabel(cell: Cell, max: number): Label {
  if (cell.isExotic)
    throw cell.kind === CellKind.pruned
      ? new CellError('pruned', 'this part of the dictionary was cut off')
      : new DictError('node', `a cell of kind ${cell.kind} is no dictionary node`)
  opened?.add(cell)
  const at = cell.offset * 8
  return parseLabel(cell.bytes, at, at + cell.bits, max)
}

/** Reads a label at any position. */
export function parseLabel(bytes: Uint8Array, start: number, stop: number, max: number): Label {
  const field = lengthBits(max)
  let at = start
  if (at + 2 > stop) throw new DictError('label', 'a label is cut short')
  if (bitAt(bytes, at) === 0) {
    at++
    let length = 0
    while (at < stop && bitAt(bytes, at) === 1) {
      at++
      length++
    }
    return setLabel(bytes, at + 1, length, at + 1 + length, stop, max)
  }
  if (bitAt(bytes, at + 1) === 0) {
    if (at + 2 + field > stop) throw new DictError('label', 'a label is cut short')
    const length = field === 0 ? 0 : readUint(bytes, at + 2, field)
    return setLabel(bytes, at + 2 + field, length, at + 2 + field + length, stop, max)
  }
  if (at + 3 + field > stop) throw new DictError('label', 'a label is cut short')
  const length = field === 0 ? 0 : readUint(bytes, at + 3, field)
  return setLabel(bitAt(bytes, at + 2) === 0 ? ZEROS : ONES, 0, length, at + 3 + field, stop, max)
}

function setLabel(bytes: Uint8Array, at: number, length: number, end: number, stop: number, max: number): Label {
  if (length > max) throw new DictError('label', `a label of ${length} bits where ${max} are left`)
  if (end > stop) throw new DictError('label', 'a label is cut short')
  label.bytes = bytes
  label.at = at
  label.length = length
  label.end = end
  return label
}

/** Writes the label made of `length` bits at `at`, in the shortest form and TVM's choice among equals. */
export function storeLabel(builder: Builder, bytes: Uint8Array, at: number, length: number, max: number): Builder {
  const field = lengthBits(max)
  if (length > 1 && field < 2 * length - 1) {
    const first = bitAt(bytes, at)
    if (commonBits(bytes, at, first === 0 ? ZEROS : ONES, 0, length) === length)
      return builder.storeUint(6 | first, 3).storeUint(length, field)
  }
  if (field < length) return builder.storeUint(2, 2).storeUint(length, field).storeRange(bytes, at, length)
  return builder.storeBit(0).storeRepeat(1, length).storeBit(0).storeRange(bytes, at, length)
}

/** The contents of a node behind its label, which ends at `labelEnd`; forks still have their two references in front. */
export function nodeBody(cell: Cell, labelEnd: number): Slice {
  return new Slice(cell, labelEnd, cell.offset * 8 + cell.bits, 0, cell.refs.length)
}

/** The value of a leaf. */
export function leafValue<V, X>(shape: Shape<V, X>, cell: Cell, labelEnd: number): V {
  const body = nodeBody(cell, labelEnd)
  shape.augmentation?.load(body)
  return shape.value.load(body)
}

/** The extra of a node that has `max` undecided key bits. */
export function extraOf<V, X>(augmentation: Augmentation<V, X>, cell: Cell, max: number): X {
  const label = readLabel(cell, max)
  const body = nodeBody(cell, label.end)
  if (label.length < max) body.skipRefs(2)
  return augmentation.load(body)
}
