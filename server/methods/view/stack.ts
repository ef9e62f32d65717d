// The stack as it goes over the wire, typed or in pairs. Both stay bounded whatever a contract left: cells that share
// subtrees are small on the stack and large once each is written out.

import type { z } from 'zod'
import { ApiError } from '../../../shared/errors.ts'
import type { CellTree, LegacyEntry, TvmStackEntry } from '../../../shared/v2/stack.ts'
import { base64Of, type Cell } from '../../cell/index.ts'
import { listItems, type StackValue } from '../../contracts/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import { largeBagsOf, type WrittenBags, writtenBag } from '../stack/writtenBags.ts'

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
  /** A contract may leave one cell hundreds of times. */
  readonly texts: Map<Cell, string>
}

/** Those inside of values too. A list is pairs nested in pairs: one generator within the next took time with the square of it. */
function cellsIn(values: readonly StackValue[]): Cell[] {
  const cells: Cell[] = []
  const left = [...values].reverse()
  for (let value = left.pop(); value !== undefined; value = left.pop())
    if ('cell' in value) cells.push(value.cell)
    else if (value.kind === 'tuple') left.push(...value.items.toReversed())
  return cells
}

/** The large cells of a stack, written in slices before the rest of it. */
export const bagsOfStack = (values: readonly StackValue[], slicing: Slicing): Promise<WrittenBags> =>
  largeBagsOf(cellsIn(values), slicing, MOST_BYTES)

/** Base64 of a cell, taken off the answer's room. Throws ApiError `replyTooLarge`. */
export function* stackBocText(cell: Cell, room: StackRoom): Generator<void, string> {
  const boc = writtenBag(cell, room.bags)
  room.bytes -= boc.length
  if (room.bytes < 0) throw new ApiError('replyTooLarge', `the result stack holds over ${MOST_BYTES} bytes of cells`)
  const known = room.texts.get(cell)
  if (known !== undefined) return known
  yield
  const text = base64Of(boc)
  if (room.bags.has(cell)) room.texts.set(cell, text)
  return text
}

function* treeOf(cell: Cell): Generator<void, CellTree> {
  const refs: CellTree[] = []
  for (const ref of cell.refs) refs.push(yield* treeOf(ref))
  if (refs.length > 0) yield
  return { data: { b64: base64Of(cell.data()), len: cell.bits }, refs, special: cell.isExotic }
}

/** Takes a tree off the room; false when it does not fit. */
const fitsTree = (cell: Cell, room: StackRoom): boolean =>
  --room.treeCells >= 0 && cell.refs.every((ref) => fitsTree(ref, room))

function* legacyCell(cell: Cell, room: StackRoom): Generator<void, LegacyOnWire> {
  const bytes = yield* stackBocText(cell, room)
  const isShown = cell.depth() <= DEEPEST_TREE && fitsTree(cell, room)
  return ['cell', isShown ? { bytes, object: yield* treeOf(cell) } : { bytes }]
}

function* elements(values: readonly StackValue[], room: StackRoom, depth: number): Generator<void, TvmStackEntry[]> {
  if (depth >= MOST_DEPTH) throw new ApiError('stackTooDeep', `Result stack depth >= ${MOST_DEPTH}`)
  return yield* writingStackValues(values, (value) => typed(value, room, depth + 1))
}

/** What is made of each value, in order. */
export function* writingStackValues<T>(
  values: readonly StackValue[],
  write: (value: StackValue) => Generator<void, T>,
): Generator<void, T[]> {
  const written: T[] = []
  for (const value of values) written.push(yield* write(value))
  return written
}

function* typed(value: StackValue, room: StackRoom, depth: number): Generator<void, TvmStackEntry> {
  const list = listItems(value)
  if (list !== null) {
    const all = yield* elements(list, room, depth)
    return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: all } }
  }
  switch (value.kind) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: String(value.value) },
      }
    case 'cell': {
      const bytes = yield* stackBocText(value.cell, room)
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } }
    }
    case 'slice': {
      const bytes = yield* stackBocText(value.cell, room)
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }
    }
    case 'tuple': {
      const all = yield* elements(value.items, room, depth)
      return { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: all } }
    }
    default:
      return { '@type': 'tvm.stackEntryUnsupported' }
  }
}

function* legacy(value: StackValue, room: StackRoom): Generator<void, LegacyOnWire> {
  const list = listItems(value)
  if (list !== null) return ['list', { '@type': 'tvm.list', elements: yield* elements(list, room, 0) }]
  switch (value.kind) {
    case 'int':
      return ['num', value.value < 0n ? `-0x${(-value.value).toString(16)}` : `0x${value.value.toString(16)}`]
    case 'cell':
    case 'slice':
      return yield* legacyCell(value.cell, room)
    case 'tuple':
      return ['tuple', { '@type': 'tvm.tuple', elements: yield* elements(value.items, room, 0) }]
    default:
      return ['unsupported', '']
  }
}

/** A stack, each value as `write` makes it, in slices. */
export async function writeStackOf<T>(
  values: readonly StackValue[],
  slicing: Slicing,
  write: (value: StackValue, room: StackRoom) => Generator<void, T>,
): Promise<T[]> {
  const bags = await bagsOfStack(values, slicing)
  const room = { bytes: MOST_BYTES, treeCells: MOST_TREE_CELLS, bags, texts: new Map<Cell, string>() }
  return await inPieces(
    writingStackValues(values, (value) => write(value, room)),
    slicing,
  )
}

/** In the typed form. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export const toTypedStack = (values: readonly StackValue[], slicing: Slicing): Promise<TvmStackEntry[]> =>
  writeStackOf(values, slicing, (value, room) => typed(value, room, 0))

/** In pairs. Throws ApiError `stackTooDeep` or `replyTooLarge`. */
export const toLegacyStack = (values: readonly StackValue[], slicing: Slicing): Promise<LegacyOnWire[]> =>
  writeStackOf(values, slicing, legacy)
