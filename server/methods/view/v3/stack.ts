import { ApiError } from '../../../../shared/errors.ts'
import type { PlainStackEntry } from '../../../../shared/v3/stack.ts'
import { listItems, type StackValue } from '../../../contracts/index.ts'
import { NO_BAGS } from '../../stack/callersBag.ts'
import { MOST_DEPTH, type StackRoom, stackBocText, wholeRoom } from '../stack.ts'

const hexOf = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

function plain(value: StackValue, room: StackRoom, depth: number): PlainStackEntry {
  if (depth > MOST_DEPTH) throw new ApiError('stackTooDeep', `Result stack depth > ${MOST_DEPTH}`)
  const items = (values: readonly StackValue[]) => values.map((item) => plain(item, room, depth + 1))
  switch (value.kind) {
    case 'null':
      // As in v2: toncenter has no other word for it.
      return { type: 'list', value: [] }
    case 'int':
      return { type: 'num', value: hexOf(value.value) }
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: value.kind, value: stackBocText(value.cell, room) }
    case 'tuple': {
      const list = listItems(value)
      return list === null ? { type: 'tuple', value: items(value.items) } : { type: 'list', value: items(list) }
    }
    case 'unsupported':
      throw new ApiError('unsupportedResult', 'the result stack holds what cannot be written down')
  }
}

/** As in v2, a slice on the stack itself is called a cell: clients of toncenter know no other word for it. */
const asCell = (value: StackValue): StackValue => (value.kind === 'slice' ? { kind: 'cell', cell: value.cell } : value)

/** Throws ApiError `stackTooDeep`, `replyTooLarge` or `unsupportedResult`. */
export function toPlainStack(values: readonly StackValue[], bags = NO_BAGS): PlainStackEntry[] {
  const room = wholeRoom(bags)
  return values.map((value) => plain(asCell(value), room, 0))
}
