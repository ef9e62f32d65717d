// A list of rows as text, without an object of each.

import type { Slicing } from '../../../fairness/index.ts'
import type { TextBytes } from '../../../store/index.ts'
import { Written } from '../../written.ts'
import { textInSlices } from './textInSlices.ts'

const [COMMA, BEGINNING, END] = [44, 91, 93]

function* addRows<T>(rows: readonly T[], add: (row: T, to: TextBytes) => void, to: TextBytes): Generator<boolean> {
  to.byte(BEGINNING)
  let isFirst = true
  for (const row of rows) {
    yield false
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    add(row, to)
  }
  to.byte(END)
}

/** What `add` writes of each row. */
export async function writeRows<T, R>(
  rows: readonly T[],
  add: (row: T, to: TextBytes) => void,
  caller: Slicing | undefined,
): Promise<Written<R[]>> {
  return new Written(await textInSlices((to) => addRows(rows, add, to), caller))
}
