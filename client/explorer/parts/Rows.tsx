// Rows of a list in parts: a part that is the same object is not drawn again, however long the list is.

import type { ComponentChild } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { RowParts } from './loadedRows.ts'
import type { LoadedPages } from './usePages.ts'

interface PartRowsProps<R> {
  readonly rows: readonly R[]
  /** Draws a row; it may depend on the row, on constants and on `also`, because unchanged parts are not drawn again. */
  readonly each: (row: R) => ComponentChild
  /** What `each` draws a row from besides the row, if that changes. */
  readonly also?: string | null
}

const PartRows = <R,>({ rows, each, also }: PartRowsProps<R>) => useMemo(() => <>{rows.map(each)}</>, [rows, also])

export interface RowsProps<R> extends Omit<PartRowsProps<R>, 'rows'> {
  readonly of: RowParts<R>
}

/** Hundreds of rows that come at once, as by another filter, are drawn over several frames. After Back each of them scrolls. */
const PARTS_AT_ONCE = 3

/** The first part changes with the chain, the others hardly ever. */
export function Rows<R>({ of: { parts, keyOf }, each, also = null }: RowsProps<R>) {
  const [drawn, setDrawn] = useState(PARTS_AT_ONCE)
  const [first = [], ...others] = parts
  const hasMore = others.length > drawn
  useEffect(() => {
    if (!hasMore) return
    const timer = setTimeout(() => setDrawn(drawn + PARTS_AT_ONCE))
    return () => clearTimeout(timer)
  }, [drawn, hasMore])
  return (
    <>
      <PartRows key="first" rows={first} each={each} also={also} />
      {others.slice(0, drawn).map((rows) => {
        const last = rows.at(-1)
        // Rows are added to a part at its top.
        return last !== undefined && <PartRows key={keyOf(last)} rows={rows} each={each} also={also} />
      })}
    </>
  )
}

export interface KeptRows<R> extends RowParts<R> {
  readonly count: number
}

/** The rows that pass `keeps`. `filter` identifies the filter: each part is filtered once for it. */
export function useFilteredRows<R>(
  { parts, keyOf }: RowParts<R>,
  filter: string,
  keeps: (row: R) => boolean,
): KeptRows<R> {
  const found = useMemo(() => new WeakMap<readonly R[], readonly R[]>(), [filter])
  const kept = parts.map((rows) => {
    const known = found.get(rows) ?? rows.filter(keeps)
    found.set(rows, known)
    return known
  })
  return { parts: kept, keyOf, count: kept.reduce((sum, { length }) => sum + length, 0) }
}

/** So many rows are looked for, among at most so many; then a person decides. */
const ENOUGH = 5
const MOST_READ = 200

/** Goes on below a list of which the filter keeps hardly anything. */
export function useFurtherPages<R>(pages: LoadedPages<R>, kept: number): void {
  const { older, count, error, isLoading } = pages
  const goesOn =
    older !== null && count !== null && error === null && kept < Math.min(ENOUGH, count) && count < MOST_READ
  useEffect(() => {
    if (goesOn && !isLoading) older()
  }, [goesOn, isLoading])
}
