// The stack as it goes over the wire, typed or in pairs. Both stay bounded whatever a contract left: cells that share
// subtrees are small on the stack and large once each is written out.

import type { z } from 'zod'
import { ApiError } from '../../../shared/errors.ts'
import type { CellTree, LegacyEntry, TvmStackEntry } from '../../../shared/v2/stack.ts'
import { type Cell, writeBoc } from '../../cell/index.ts'
import { listItems, type StackValue } from '../../contracts/index.ts'

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
}

/** Base64 of a cell, taken off the answer's room. Throws ApiError `replyTooLarge`. */
export function stackBocText(cell: Cell, room: StackRoom): string {
  const boc = writeBoc(cell)
  room.bytes -= boc.length
  if (room.bytes < 0) throw new ApiError('replyTooLarge', `the result stack holds over ${MOST_BYTES} bytes of cells`)
  return Buffer.from(boc).toString('base64')
}

/** Null when the tree does not fit. */
function treeOf(cell: Cell, room: StackRoom): CellTree | null {
  if (--room.treeCells < 0) return null
  const refs: CellTree[] = []
  for (const ref of cell.refs) {
    const tree = treeOf(ref, room)
    if (tree === null) return null
    refs.push(tree)
  }
  return {
    data: { b64: Buffer.from(cell.data()).toString('base64'), len: cell.bits },
    refs,
    special: cell.isExotic,
  }
}

function legacyCell(cell: Cell, room: StackRoom): LegacyOnWire {
  const bytes = stackBocText(cell, room)
  const object = cell.depth() > DEEPEST_TREE ? null : treeOf(cell, room)
  return ['cell', object === null ? { bytes } : { bytes, object }]
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

export const wholeRoom = (): StackRoom => ({ bytes: MOST_BYTES, treeCells: MOST_TREE_CELLS })

/** In the typed form. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export function toTypedStack(values: readonly StackValue[]): TvmStackEntry[] {
  const room = wholeRoom()
  return values.map((value) => typed(value, room, 0))
}

/** In pairs. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export function toLegacyStack(values: readonly StackValue[]): LegacyOnWire[] {
  const room = wholeRoom()
  return values.map((value) => legacy(value, room))
}
