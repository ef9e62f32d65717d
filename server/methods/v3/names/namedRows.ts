// A page of rows as text, with the names and tokens of the accounts in them.

import { type ByteSpan, charsOfSpan, type ReadSidePage, type Sql, type TextBytes } from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { writeRows } from '../texts/writeRows.ts'
import { namesOfList, namesRead } from './namesOfList.ts'
import type { SideObjects } from './sideObjects.ts'

/** How a kind of row is written. */
export interface NamedRow<T> {
  readonly add: (row: T, to: TextBytes) => void
  /** Those whose names are listed next to it. */
  readonly accountsOf: (row: T) => readonly (ByteSpan | null)[]
}

export interface PageParts {
  readonly store: Sql
  readonly side: SideObjects
  readonly call: Call
}

type Page<T> = Omit<Awaited<ReturnType<ReadSidePage<T>>>, 'next'>

export async function writeNamedRows<T, R>(
  { rows, ...known }: Page<T>,
  { add, accountsOf }: NamedRow<T>,
  { store, side, call }: PageParts,
) {
  // Of a list that came with names these are all of its accounts.
  const isNamed = known.book.length > 0
  const others = () => rows.flatMap((row) => accountsOf(row).flatMap((key) => (key === null ? [] : [charsOfSpan(key)])))
  const accounts = isNamed ? null : new Set(others())
  const text = await writeRows<T, R>(rows, add, call)
  return {
    text,
    names: await (accounts === null
      ? namesRead(side, known, call)
      : namesOfList({ store, side, known, accounts }, call)),
  }
}
