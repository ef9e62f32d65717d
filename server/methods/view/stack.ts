// The stack as it goes over the wire, typed or in pairs. Both stay bounded whatever a contract left: cells that share
// subtrees are small on the stack and large once each is written out.

import type { z } from 'zod'
import { ApiError } from '../../../shared/errors.ts'
import type { CellTree, LegacyEntry, TvmStackEntry } from '../../../shared/v2/stack.ts'
import type { Cell } from '../../cell/index.ts'
import { listItems, type StackValue } from '../../contracts/index.ts'
import type { Slicing } from '../../fairness/index.ts'
import { largeBagsOf, NO_BAGS, type WrittenBags, writtenBag } from '../stack/callersBag.ts'

type LegacyOnWire = z.output<typeof LegacyEntry>

/** Tuples inside of tuples. */
export const MOST_DEPTH = 100
/** Bytes of all bags of cells in one answer. */
const MOST_BYTES = 8 << 20
/** Cells of all trees in one answer, and the deepest one. */
const MOST_TREE_CELLS = 10_000
const DEEPEST_TREE = 200

/** What is left of an answer's room. */
export interface StackRoom {
  bytes: number
  treeCells: number
  readonly bags: WrittenBags
}

/** Cells of values and of what is inside of them. */
function* cellsIn(values: readonly StackValue[]): Generator<Cell> {
  for (const value of values)
    if ('cell' in value) yield value.cell
    else if (value.kind === 'tuple') yield* cellsIn(value.items)
}

/** The large cells of a stack, written in slices before the rest of it. */
export const bagsOfStack = (values: readonly StackValue[], caller: Slicing): Promise<WrittenBags> =>
  largeBagsOf(cellsIn(values), caller, MOST_BYTES)

/** Base64 of a cell, taken off the answer's room. Throws ApiError `replyTooLarge`. */
export function stackBocText(cell: Cell, room: StackRoom): string {
  const boc = writtenBag(cell, room.bags)
  room.bytes -= boc.length
  if (room.bytes < 0) throw new ApiError('replyTooLarge', `the result stack holds over ${MOST_BYTES} bytes of cells`)
  return Buffer.from(boc).toString('base64')
}

const treeOf = (cell: Cell): CellTree => ({
  data: { b64: Buffer.from(cell.data()).toString('base64'), len: cell.bits },
  refs: cell.refs.map(treeOf),
  special: cell.isExotic,
})

/** Takes a tree off the room; false when it does not fit. */
const fitsTree = (cell: Cell, room: StackRoom): boolean =>
  --room.treeCells >= 0 && cell.refs.every((ref) => fitsTree(ref, room))

function legacyCell(cell: Cell, room: StackRoom): LegacyOnWire {
  const bytes = stackBocText(cell, room)
  const isShown = cell.depth() <= DEEPEST_TREE && fitsTree(cell, room)
  return ['cell', isShown ? { bytes, object: treeOf(cell) } : { bytes }]
}

function elements(values: readonly StackValue[], room: StackRoom, depth: number): TvmStackEntry[] {
  if (depth >= MOST_DEPTH) throw new ApiError('stackTooDeep', `Result stack depth >= ${MOST_DEPTH}`)
  return values.map((value) => typed(value, room, depth + 1))
}

function typed(value: StackValue, room: StackRoom, depth: number): TvmStackEntry {
  const list = listItems(value)
  if (list !== null)
    return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: elements(list, room, depth) } }
  switch (value.kind) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: String(value.value) },
      }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: stackBocText(value.cell, room) } }
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: stackBocText(value.cell, room) } }
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: elements(value.items, room, depth) },
      }
    default:
      return { '@type': 'tvm.stackEntryUnsupported' }
  }
}

function legacy(value: StackValue, room: StackRoom): LegacyOnWire {
  const list = listItems(value)
  if (list !== null) return ['list', { '@type': 'tvm.list', elements: elements(list, room, 0) }]
  switch (value.kind) {
    case 'int':
      return ['num', value.value < 0n ? `-0x${(-value.value).toString(16)}` : `0x${value.value.toString(16)}`]
    case 'cell':
    case 'slice':
      return legacyCell(value.cell, room)
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: elements(value.items, room, 0) }]
    default:
      return ['unsupported', '']
  }
}

export const wholeRoom = (bags: WrittenBags): StackRoom => ({ bytes: MOST_BYTES, treeCells: MOST_TREE_CELLS, bags })

/** In the typed form. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export function toTypedStack(values: readonly StackValue[], bags = NO_BAGS): TvmStackEntry[] {
  const room = wholeRoom(bags)
  return values.map((value) => typed(value, room, 0))
}

/** In pairs. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export function toLegacyStack(values: readonly StackValue[], bags = NO_BAGS): LegacyOnWire[] {
  const room = wholeRoom(bags)
  return values.map((value) => legacy(value, room))
}
