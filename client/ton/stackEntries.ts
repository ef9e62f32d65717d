// The stack of the TVM between the items of @ton/core and the typed entries of the wire.

import { Cell, type TupleItem } from '@ton/core'
import type { Api } from '../index.ts'

export type StdStackEntry = Api['runGetMethodStd']['result']['stack'][number]

const bytesOf = (cell: Cell): string => cell.toBoc().toString('base64')

/** The items of a lisp-style list, null for anything else; null itself is the empty list. */
function listItems(item: TupleItem): TupleItem[] | null {
  const items: TupleItem[] = []
  let rest = item
  while (rest?.type === 'tuple' && Array.isArray(rest.items)) {
    const [head, tail, ...more] = rest.items
    if (head === undefined || tail === undefined || more.length > 0) return null
    items.push(head)
    rest = tail
  }
  return rest?.type === 'null' ? items : null
}

const ITEM = "arguments of a get-method are items such as { type: 'int', value: 1n }"

function checkItem(item: TupleItem): void {
  if (typeof item?.type !== 'string') throw new TypeError(ITEM)
  const isRight =
    item.type === 'int'
      ? typeof item.value === 'bigint' || Number.isSafeInteger(item.value)
      : item.type === 'tuple'
        ? Array.isArray(item.items)
        : (item.type !== 'cell' && item.type !== 'slice') || typeof item.cell?.toBoc === 'function'
  if (!isRight) throw new TypeError(`${ITEM}: this ${item.type} is not one`)
}

/** An argument for the wire. Throws TypeError for a builder and for NaN, which the interface has no form for. */
export function toEntry(item: TupleItem): StdStackEntry {
  checkItem(item)
  // Tried first: as tuples inside of tuples a list would soon be too deep.
  const list = listItems(item)
  if (list) return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: list.map(toEntry) } }
  switch (item.type) {
    case 'int':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: String(item.value) },
      }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bytesOf(item.cell) } }
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: bytesOf(item.cell) } }
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: item.items.map(toEntry) },
      }
    default:
      throw new TypeError(`a get-method cannot be given a ${item.type} over this interface`)
  }
}

/** Fills a position of a tuple, so that the others can be read, and throws when it is read itself. */
const unreadable: TupleItem = {
  get type(): 'nan' {
    throw new TypeError('this value of the stack is a builder, a continuation or NaN: it cannot be sent')
  },
}

/** A result as a contract left it: lists are pairs of an item and the rest. */
export function fromEntry(entry: StdStackEntry): TupleItem {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'int', value: BigInt(entry.number.number) }
    case 'tvm.stackEntryCell':
      return { type: 'cell', cell: Cell.fromBase64(entry.cell.bytes) }
    case 'tvm.stackEntrySlice':
      return { type: 'slice', cell: Cell.fromBase64(entry.slice.bytes) }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', items: entry.tuple.elements.map(fromEntry) }
    case 'tvm.stackEntryList':
      return entry.list.elements.reduceRight<TupleItem>(
        (rest, element) => ({ type: 'tuple', items: [fromEntry(element), rest] }),
        { type: 'null' },
      )
    default:
      return unreadable
  }
}
