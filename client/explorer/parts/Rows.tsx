// Rows of a list in parts: a part that is the same object is not drawn again, however long the list is.

import type { ComponentChild } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { RowParts } from './loadedRows.ts'
import type { LoadedPages } from './usePages.ts'

interface DrawnProps<T> {
  readonly of: T
  /** Below those that always have a layout. */
  readonly isFar: boolean
  /** It may depend on what is drawn, on constants and on `also`, because what is unchanged is not drawn again. */
  readonly each: (one: T, isFar: boolean) => ComponentChild
  /** What `each` draws from besides that, if it changes. */
  readonly also: string | null
}

const Drawn = <T,>({ of, isFar, each, also }: DrawnProps<T>) => useMemo(() => <>{each(of, isFar)}</>, [of, isFar, also])

export interface RowsProps<R> {
  readonly of: RowParts<R>
  /** As in `DrawnProps`. */
  readonly each: (row: R, isFar: boolean) => ComponentChild
  readonly also?: string | null
}

/** Hundreds of rows that come at once, as by another filter, are drawn over several frames. After Back each of them scrolls. */
const PARTS_AT_ONCE = 3

/** Rows of the first part that always have a layout; those of the second do, too. */
const NEAR = 25

/** Rows of the first part, which changes with the chain, are drawn one by one. */
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
      {first.map((row, at) => (
        <Drawn key={keyOf(row)} of={row} isFar={at >= NEAR} each={each} also={also} />
      ))}
      {others.slice(0, drawn).map((rows, at) => {
        const last = rows.at(-1)
        if (last === undefined) return null
        const all = (_: unknown, isFar: boolean) => rows.map((row) => each(row, isFar))
        return <Drawn key={keyOf(last)} of={rows} isFar={at > 0} each={all} also={also} />
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
