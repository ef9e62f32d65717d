// A list of rows as text, without an object of each.

import type { Slicing } from '../../../fairness/index.ts'
import type { TextBytes } from '../../../store/index.ts'
import { CLOSE_LIST, OPEN_LIST } from '../../view/jsonCodes.ts'
import { Written } from '../../written.ts'
import { addJoined } from './addJoined.ts'
import { textInSlices } from './textInSlices.ts'

export function* addRows<T>(
  rows: readonly T[],
  add: (row: T, to: TextBytes) => void,
  to: TextBytes,
): Generator<boolean> {
  to.byte(OPEN_LIST)
  yield* addJoined(rows, add, to)
  to.byte(CLOSE_LIST)
}

/** Adds a list of values that are soon written. Yields as `textInSlices` requires. */
export const addValues = <T>(rows: readonly T[], toValue: (row: T) => unknown, to: TextBytes): Generator<boolean> =>
  addRows(rows, (row) => to.string(JSON.stringify(toValue(row))), to)

/** What `add` writes of each row. */
export async function writeRows<T, R>(
  rows: readonly T[],
  add: (row: T, to: TextBytes) => void,
  slicing: Slicing | undefined,
): Promise<Written<R[]>> {
  return new Written(await textInSlices((to) => addRows(rows, add, to), slicing))
}
