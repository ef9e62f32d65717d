// Rows of a list in parts: a part that is the same object is not drawn again, however long the list is.

import type { ComponentChild } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RowParts } from './loadedRows.ts'

interface PartRowsProps<R> {
  readonly rows: readonly R[]
  readonly each: (row: R) => ComponentChild
}

const PartRows = <R,>({ rows, each }: PartRowsProps<R>) => useMemo(() => <>{rows.map(each)}</>, [rows])

export interface RowsProps<R> {
  readonly of: RowParts<R>
  /** Draws a row; it may depend on the row and on constants only, because unchanged parts are not drawn again. */
  readonly each: (row: R) => ComponentChild
}

/** The first part changes with the chain, the others hardly ever. */
export function Rows<R>({ of: { parts, keyOf }, each }: RowsProps<R>) {
  const [first = [], ...others] = parts
  return (
    <>
      <PartRows key="first" rows={first} each={each} />
      {others.map((rows) => {
        const last = rows.at(-1)
        // Rows are added to a part at its top.
        return last !== undefined && <PartRows key={keyOf(last)} rows={rows} each={each} />
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
