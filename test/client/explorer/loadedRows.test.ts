// Lists that are read page by page, while rows come at their head.

import { expect, test } from 'vitest'
import {
  firstRows,
  type LoadedRows,
  longer,
  type RowsPage,
  withFirstPage,
  withNextPage,
} from '../../../client/explorer/parts/loadedRows.ts'
import { areSmall, nextTraces, nextTransactions } from '../../../shared/explorer/accountQueries.ts'

interface Row {
  readonly id: number
  readonly text?: string
}

const keyOf = ({ id }: Row): string => String(id)
const page = (ids: readonly number[], cursor: string | null = 'more'): RowsPage<Row> => ({
  rows: ids.map((id) => ({ id })),
  cursor,
})
const shown = ({ first, parts }: LoadedRows<Row>): number[] => [first, ...parts].flat().map(({ id }) => id)
const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, at) => from - at)

/** Rows 10 to 1 in pages of three. */
function threePages(): LoadedRows<Row> {
  const list = longer(firstRows(page([10, 9, 8])))
  return withNextPage(withNextPage(list, page([7, 6, 5]), keyOf), page([4, 3, 2]), keyOf)
}

test('pages follow each other, and no row is there twice', () => {
  expect(shown(threePages())).toEqual(down(10, 2))
  expect(shown(withNextPage(threePages(), page([2, 1], null), keyOf))).toEqual(down(10, 1))
  expect(withNextPage(threePages(), page([2, 1], null), keyOf).cursor).toBeNull()
})

test('a list of one page is its newest reply', () => {
  const next = withFirstPage(firstRows(page([10, 9, 8])), page([20, 19, 18]), keyOf)
  expect(next && shown(next)).toEqual([20, 19, 18])
})

test('rows that new ones push out of the first page stay, and pages below are the same objects', () => {
  const before = threePages()
  const after = withFirstPage(before, page([12, 11, 10]), keyOf)
  expect(after && shown(after)).toEqual(down(12, 2))
  expect(after?.parts.at(-1)).toBe(before.parts.at(-1))
})

test('rows that come one by one: none is lost, and none is drawn elsewhere', () => {
  const before = threePages()
  let list = before
  for (let newest = 11; newest <= 500; newest++) {
    const next = withFirstPage(list, page(down(newest, newest - 2)), keyOf)
    if (next === null) throw new Error('a row between is not known')
    expect(next.parts.map((one, at) => one === before.parts[at])).toEqual([true, true])
    list = next
  }
  expect(shown(list)).toEqual(down(500, 2))
})

test('between the first page and its successor rows that come meanwhile are not lost', () => {
  const wanted = longer(firstRows(page([10, 9, 8])))
  const moved = withFirstPage(wanted, page([11, 10, 9]), keyOf)
  expect(moved && shown(withNextPage(moved, page([7, 6, 5]), keyOf))).toEqual(down(11, 5))
})

test('a first page far above the list is not put on it as if nothing were between', () => {
  expect(withFirstPage(threePages(), page([20, 19, 18]), keyOf)).toBeNull()
})

test('a row that is gone from the first page is gone from the list', () => {
  const gone = withFirstPage(threePages(), page([10, 8, 7]), keyOf)
  expect(gone && shown(gone)).toEqual([10, 8, ...down(7, 2)])
  const only = withFirstPage(longer(firstRows(page([10, 9, 8]))), page([10], null), keyOf)
  expect(only && shown(only)).toEqual([10])
})

test('a row of the first page is shown as its newest reply has it', () => {
  const changed = { rows: [{ id: 10, text: 'final' }, { id: 9 }, { id: 8 }], cursor: 'more' }
  expect(withFirstPage(threePages(), changed, keyOf)?.first[0]).toEqual({ id: 10, text: 'final' })
})

test('a page that follows large traces has fewer of them, and never fewer than the first one', () => {
  expect([nextTraces(5, 12), nextTraces(20, 400), nextTraces(5, 1_280), nextTraces(20, 100_000)]).toEqual([
    20, 20, 5, 5,
  ])
  expect(nextTraces(20, 1_200)).toBe(10)
  expect(nextTraces(0, 0)).toBe(5)
})

test('a page that follows transactions with hundreds of messages has few of them', () => {
  expect(nextTransactions(2, 4)).toBe(60)
  expect(nextTransactions(2, 2 * 251)).toBe(2)
  expect(nextTransactions(15, 15 * 256)).toBe(2)
  expect(nextTransactions(1, 100_000)).toBe(1)
})

test('a first page has the usual number of transactions where the first ones have few messages', () => {
  const sent = (...counts: readonly number[]) => counts.map((count) => ({ out_msgs: Array.from({ length: count }) }))
  expect([sent(0), sent(1, 4), sent(39, 39)].map(areSmall)).toEqual([true, true, true])
  expect([sent(255), sent(0, 255), sent(40, 40)].map(areSmall)).toEqual([false, false, false])
})

test('of rows that change places, one that fell below the first page stays, and is there once when it rises again', () => {
  const ranked = (ids: readonly number[]): RowsPage<Row> => ({ ...page(ids), moves: true })
  const fell = withFirstPage(threePages(), ranked([10, 8, 7]), keyOf)
  if (fell === null) throw new Error('the pages share rows')
  expect(shown(fell)).toEqual([10, 8, 7, 9, 6, 5, 4, 3, 2])
  const rose = withFirstPage(fell, ranked([9, 10, 8]), keyOf)
  expect(rose && shown(rose)).toEqual([9, 10, 8, 7, 6, 5, 4, 3, 2])
})

test('a list that grows at its end and was one page goes on when more comes than the page holds', () => {
  const growing = (ids: readonly number[], cursor: string | null): RowsPage<Row> => ({
    ...page(ids, cursor),
    grows: true,
  })
  const whole = longer(firstRows(growing([1, 2, 3], null)))
  const atEnd = withFirstPage(whole, growing([1, 2, 3], 'after 3'), keyOf)
  expect(atEnd?.cursor).toBe('after 3')
  // One came between two others, and another one at the end.
  const between = withFirstPage(whole, growing([1, 2, 2.5], 'after 2.5'), keyOf)
  if (between === null) throw new Error('the pages share rows')
  expect(shown(between)).toEqual([1, 2, 2.5, 3])
  expect(shown(withNextPage(between, page([3, 4], null), keyOf))).toEqual([1, 2, 2.5, 3, 4])
  expect(between.cursor).toBe('after 2.5')
})

test('a list that ends with its oldest row does not offer more when new rows push others out of its first page', () => {
  const pushed = withFirstPage(longer(firstRows(page([3, 2, 1], null))), page([4, 3, 2]), keyOf)
  expect(pushed && [shown(pushed), pushed.cursor]).toEqual([[4, 3, 2, 1], null])
})
