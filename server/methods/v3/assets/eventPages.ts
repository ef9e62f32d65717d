// Pages of transfers and burns as text, with the names and tokens of the accounts in them.

import {
  type PagedRead,
  type PageRequest,
  type ReadSidePage,
  type SizedList,
  type TimeAndLtBounds,
  withTimesOfLts,
} from '../../../store/index.ts'
import { openPage, type PageParams } from '../../paging.ts'
import { demandShortList, FEW, readBounded } from '../bounded/boundedLists.ts'
import { whileKept } from '../kept/demandKept.ts'
import { type NamedRow, type PageParts, writeNamedRows } from '../names/namedRows.ts'
import { wishesOfList } from '../names/namesOfList.ts'
import { wishesOf } from '../names/sideObjects.ts'

/** How a kind of list is read and written. */
interface EventList<F, T> extends NamedRow<T> {
  readonly readOf: (filter: F, ask: PageRequest) => Omit<PagedRead<unknown>, 'toValue'> & SizedList
  readonly readPage: ReadSidePage<T>
}

interface EventQuery<F> {
  readonly method: string
  readonly params: PageParams
  readonly filter: F
}

/** The text of a page, and what is next to it. */
export async function eventPage<F extends TimeAndLtBounds, T>(
  parts: PageParts,
  { readOf, readPage, ...written }: EventList<F, T>,
  { method, params, filter }: EventQuery<F>,
) {
  const { store, call } = parts
  const { ask, cursor } = openPage(method, params)
  const { next, ...page } = await whileKept(store, filter, async () => {
    const bounded = await withTimesOfLts(store, filter, call)
    return await readBounded(ask, FEW, {
      readOf: (of) => readOf(bounded, of),
      demand: (list) => demandShortList(store, list, wishesOf(call), call),
      read: (list) => readPage(store, list, wishesOfList(call), call),
    })
  })
  // Of the rows of any list.
  const { text, names } = await writeNamedRows<T, never>(page, written, parts)
  return { text, ends: { cursor: cursor(next), ...names } }
}
