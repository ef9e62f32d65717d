// The stack as cells (`VmStack`), which is how the TVM takes its arguments and gives its results.

import { Builder, beginCell, type Cell, CellError, openAny, openCell, type Slice } from '../../cell/index.ts'
import { ContractError } from '../contractError.ts'
import { NULL, type StackValue } from './stackValue.ts'

/** Values on one stack, those inside tuples counted too: a few cells that share subtrees can claim any number. */
export const MOST_STACK_VALUES = 8000

const TAG = { null: 0, tiny: 1, int: 2, cell: 3, slice: 4, builder: 5, tuple: 7 } as const
/** Behind the tag: seven zero bits lead a 257-bit integer, all ones mean NaN. */
const INT = 0x0100
const NAN = 0x02ff

function storeSlice(builder: Builder, cell: Cell): Builder {
  const refs = cell.refs.length
  return builder.storeRef(cell).storeUint(0, 10).storeUint(cell.bits, 10).storeUint(0, 3).storeUint(refs, 3)
}

function storeValue(builder: Builder, value: StackValue): Builder {
  switch (value.kind) {
    case 'null':
      return builder.storeUint(TAG.null, 8)
    case 'int':
      return BigInt.asIntN(64, value.value) === value.value
        ? builder.storeUint(TAG.tiny, 8).storeInt(value.value, 64)
        : builder.storeUint(INT, 15).storeInt(value.value, 257)
    case 'cell':
    case 'builder':
      return builder.storeUint(TAG[value.kind], 8).storeRef(value.cell)
    case 'slice':
      return storeSlice(builder.storeUint(TAG.slice, 8), value.cell)
    case 'tuple':
      return storeItems(builder.storeUint(TAG.tuple, 8).storeUint(value.items.length, 16), value.items)
    case 'unsupported':
      throw new ContractError('stack', 'cannot convert an unsupported stack entry')
  }
}

const valueCell = (value: StackValue): Cell => storeValue(new Builder(), value).end()

/** All items but the last behind one reference, the last behind another. */
function storeItems(builder: Builder, items: readonly StackValue[]): Builder {
  const last = items.at(-1)
  if (last === undefined) return builder
  let head: Cell | null = null
  for (const item of items.slice(0, -1))
    head = head === null ? valueCell(item) : beginCell().storeRef(head).storeRef(valueCell(item)).end()
  if (head !== null) builder.storeRef(head)
  return builder.storeRef(valueCell(last))
}

/** One value alone, as the TVM takes it outside of a stack. */
export const writeStackValue = valueCell

const TOO_DEEP =
  'as cells the stack is deeper than 1024: each entry, and each item of a list, is in a cell below the next'

function stackCell(values: readonly StackValue[]): Cell {
  let rest = new Builder().end()
  for (const value of values.slice(0, -1)) rest = storeValue(new Builder().storeRef(rest), value).end()
  const top = values.at(-1)
  const whole = new Builder().storeUint(values.length, 24)
  return (top === undefined ? whole : storeValue(whole.storeRef(rest), top)).end()
}

/** A `VmStack` of values, bottom first. Throws ContractError `stack` for one that is deeper than cells may be. */
export function writeStack(values: readonly StackValue[]): Cell {
  try {
    return stackCell(values)
  } catch (error) {
    if (!(error instanceof CellError) || error.code !== 'depth') throw error
    throw new ContractError('stack', TOO_DEEP)
  }
}

class Reading {
  #count = 0

  value(slice: Slice): StackValue {
    if (++this.#count > MOST_STACK_VALUES)
      throw new ContractError('stack', `the stack holds over ${MOST_STACK_VALUES} entries`)
    switch (slice.loadUint(8)) {
      case TAG.null:
        return NULL
      case TAG.tiny:
        return { kind: 'int', value: slice.loadIntBig(64) }
      case TAG.int:
        return readInt(slice)
      case TAG.cell:
        return { kind: 'cell', cell: slice.loadRef() }
      case TAG.slice:
        return { kind: 'slice', cell: readSlice(slice) }
      case TAG.builder:
        return { kind: 'builder', cell: slice.loadRef() }
      case TAG.tuple:
        return { kind: 'tuple', items: this.#items(slice, slice.loadUint(16)) }
      default:
        return { kind: 'unsupported' }
    }
  }

  #items(slice: Slice, count: number): StackValue[] {
    const cells: Cell[] = []
    let at = slice
    for (let left = count; left > 0; left--) {
      const head = left > 1 ? at.loadRef() : null
      cells.push(at.loadRef())
      // Two are left: the first takes the place of a reference to a tuple.
      if (left === 2 && head !== null) {
        cells.push(head)
        break
      }
      if (head !== null) at = openCell(head)
    }
    return cells.reverse().map((cell) => this.value(openCell(cell)))
  }
}

function readInt(slice: Slice): StackValue {
  if (slice.preloadUint(8) === (NAN & 0xff)) return { kind: 'unsupported' }
  return { kind: 'int', value: slice.skip(7).loadIntBig(257) }
}

function readSlice(slice: Slice): Cell {
  const cell = slice.loadRef()
  const bitsAt = slice.loadUint(10)
  const bitsEnd = slice.loadUint(10)
  const refsAt = slice.loadUint(3)
  const refsEnd = slice.loadUint(3)
  const isWhole = bitsAt === 0 && refsAt === 0 && bitsEnd === cell.bits && refsEnd === cell.refs.length
  if (isWhole && !cell.isExotic) return cell
  const part = openAny(cell)
    .skip(bitsAt)
    .skipRefs(refsAt)
    .loadSlice(bitsEnd - bitsAt, refsEnd - refsAt)
  return new Builder().storeSlice(part).end()
}

/** The values of a `VmStack`, bottom first. Throws CellError for any other cell, ContractError for one too large. */
export function readStack(root: Cell): StackValue[] {
  const reading = new Reading()
  let slice = openCell(root)
  const count = slice.loadUint(24)
  const values: StackValue[] = []
  for (let left = count; left > 0; left--) {
    const rest = slice.loadRef()
    values.push(reading.value(slice))
    slice = openCell(rest)
  }
  return values.reverse()
}
