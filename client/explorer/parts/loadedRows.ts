// A list that is read page by page, kept in parts: a part is the same object for as long as its rows are, so that only
// what changed is drawn again.

export interface RowsPage<R> {
  readonly rows: readonly R[]
  /** Null when no rows follow. */
  readonly cursor: string | null
  /** Rows change places, as those by balance: one that leaves the first page may follow further down. */
  readonly moves?: true
  /** Later blocks may add rows at the end of the list. */
  readonly grows?: boolean
}

export interface LoadedRows<R> {
  /** The newest reply to the first page, and what it has pushed out of it: these rows never change their part. */
  readonly first: readonly R[]
  /** What follows it, in order, none of it twice. */
  readonly parts: readonly (readonly R[])[]
  readonly cursor: string | null
  /** More rows are wanted than one page has: those that leave the first page stay. */
  readonly isLong: boolean
}

type KeyOf<R> = (row: R) => string

export interface RowParts<R> {
  /** Parts stay the same objects while their rows do. */
  readonly parts: readonly (readonly R[])[]
  readonly keyOf: KeyOf<R>
}

export const firstRows = <R>({ rows, cursor }: RowsPage<R>): LoadedRows<R> => ({
  first: rows,
  parts: [],
  cursor,
  isLong: false,
})

export const longer = <R>(list: LoadedRows<R>): LoadedRows<R> => ({ ...list, isLong: true })

/** Without the rows that are elsewhere; the same object when it has none of them. */
const without = <R>(rows: readonly R[], ids: ReadonlySet<string>, keyOf: KeyOf<R>): readonly R[] =>
  rows.some((row) => ids.has(keyOf(row))) ? rows.filter((row) => !ids.has(keyOf(row))) : rows

/**
 * The list with a newer first page. Null when that page begins so far above the list that rows between them are not known.
 * A row that is not in it any more was pushed out by new ones if it stood below all that are left, and is gone otherwise, unless
 * rows change places.
 */
export function withFirstPage<R>(list: LoadedRows<R>, page: RowsPage<R>, keyOf: KeyOf<R>): LoadedRows<R> | null {
  if (!list.isLong) return firstRows(page)
  const ids = new Set(page.rows.map(keyOf))
  const lastShared = list.first.findLastIndex((row) => ids.has(keyOf(row)))
  if (lastShared < 0 && page.cursor !== null) return null
  const isPushed = (row: R, at: number) => at > lastShared || (page.moves && !ids.has(keyOf(row)))
  const pushed = page.cursor === null ? [] : list.first.filter(isPushed)
  const parts = list.parts.map((rows) => without(rows, ids, keyOf)).filter((rows) => rows.length > 0)
  // What comes at the end may not fit on a first page that nothing has followed yet.
  const { cursor } = page.grows && !list.parts[0] ? page : list
  return { ...list, first: [...page.rows, ...pushed], parts, cursor }
}

/** The list with the page that follows it. */
export function withNextPage<R>(list: LoadedRows<R>, page: RowsPage<R>, keyOf: KeyOf<R>): LoadedRows<R> {
  const ids = new Set([list.first, ...list.parts].flatMap((rows) => rows.map(keyOf)))
  const rows = without(page.rows, ids, keyOf)
  return { ...list, parts: rows.length === 0 ? list.parts : [...list.parts, rows], cursor: page.cursor }
}
