// Pages of transfers and burns as text, with the names and tokens of the accounts in them.

import type {
  ByteSpan,
  PagedRead,
  PageRequest,
  ReadSidePage,
  Sql,
  TextBytes,
  TimeAndLtBounds,
} from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { openPage, type PageParams } from '../../paging.ts'
import { bufferOfSpan } from '../../view/v3/fieldBytes.ts'
import { boundedKept } from '../demandKept.ts'
import { namesOfList, wishesOfList } from '../namesOfList.ts'
import type { SideObjects } from '../sideObjects.ts'
import { writeRows } from '../texts/writeRows.ts'

/** How a kind of list is read and written. */
interface EventList<F, T> {
  readonly readOf: (filter: F, ask: PageRequest) => Omit<PagedRead<unknown>, 'toValue'>
  readonly readPage: ReadSidePage<T>
  readonly add: (row: T, to: TextBytes) => void
  /** Those whose names are listed next to it. */
  readonly accountsOf: (row: T) => readonly (ByteSpan | null)[]
}

interface EventQuery<F> {
  readonly method: string
  readonly params: PageParams
  readonly filter: F
}

const hexOf = (key: ByteSpan): string => bufferOfSpan(key).toString('hex').toUpperCase()

interface PageParts {
  readonly store: Sql
  readonly side: SideObjects
  readonly call: Call
}

/** The text of a page, and what is next to it. */
export async function eventPage<F extends TimeAndLtBounds, T>(
  { store, side, call }: PageParts,
  { readOf, readPage, add, accountsOf }: EventList<F, T>,
  { method, params, filter }: EventQuery<F>,
) {
  const { ask, cursor } = openPage(method, params)
  const bounded = await boundedKept(store, filter, call)
  const { rows, next, ...known } = await readPage(store, readOf(bounded, ask), wishesOfList(call), call)
  const named = known.book.map(({ hex }) => hex)
  const others = () => rows.flatMap((row) => accountsOf(row).flatMap((key) => (key === null ? [] : [hexOf(key)])))
  // Of a list that came with names these are all of its accounts.
  const accounts = new Set(named.length > 0 ? named : others())
  // Of the rows of any list.
  const text = await writeRows<T, never>(rows, add, call.caller)
  const names = await namesOfList({ store, side, known, accounts }, call)
  return { text, ends: { cursor: cursor(next), ...names } }
}
