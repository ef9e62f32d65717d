// A list of rows as text, without an object of each.

import type { Slicing } from '../../../fairness/index.ts'
import type { TextBytes } from '../../../store/index.ts'
import { Written } from '../../written.ts'
import { textInSlices } from './textInSlices.ts'

const [COMMA, BEGINNING, END] = [44, 91, 93]

/** What `add` writes of each row. */
export async function writeRows<T, R>(
  rows: readonly T[],
  add: (row: T, to: TextBytes) => void,
  caller: Slicing | undefined,
): Promise<Written<R[]>> {
  function* write(to: TextBytes): Generator<boolean> {
    to.byte(BEGINNING)
    for (const [i, row] of rows.entries()) {
      yield false
      if (i > 0) to.byte(COMMA)
      add(row, to)
    }
    to.byte(END)
  }
  return new Written(await textInSlices(write, caller))
}
