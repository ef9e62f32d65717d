import { ApiError } from '../../../../shared/errors.ts'
import type { PlainStackEntry } from '../../../../shared/v3/stack.ts'
import { listItems, type StackValue } from '../../../contracts/index.ts'
import type { Slicing } from '../../../fairness/index.ts'
import { MOST_DEPTH, type StackRoom, stackBocText, writeStackOf, writingStackValues } from '../stack.ts'

const hexOf = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

function* plain(value: StackValue, room: StackRoom, depth: number): Generator<void, PlainStackEntry> {
  if (depth > MOST_DEPTH) throw new ApiError('stackTooDeep', `Result stack depth > ${MOST_DEPTH}`)
  switch (value.kind) {
    case 'null':
      // As in v2: toncenter has no other word for it.
      return { type: 'list', value: [] }
    case 'int':
      return { type: 'num', value: hexOf(value.value) }
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: value.kind, value: yield* stackBocText(value.cell, room) }
    case 'tuple': {
      const list = listItems(value)
      const all = yield* writingStackValues(list ?? value.items, (item) => plain(item, room, depth + 1))
      return { type: list === null ? 'tuple' : 'list', value: all }
    }
    case 'unsupported':
      throw new ApiError('unsupportedResult', 'the result stack holds what cannot be written down')
  }
}

/** As in v2, a slice on the stack itself is called a cell: clients of toncenter know no other word for it. */
const asCell = (value: StackValue): StackValue => (value.kind === 'slice' ? { kind: 'cell', cell: value.cell } : value)

/** Throws ApiError `stackTooDeep`, `replyTooLarge` or `unsupportedResult`. */
export const toPlainStack = (values: readonly StackValue[], slicing: Slicing): Promise<PlainStackEntry[]> =>
  writeStackOf(values, slicing, (value, room) => plain(asCell(value), room, 0))
