// A part of an account's page that shows one row of a list, or says that the index has none.

import type { ComponentChild } from 'preact'
import type { Query } from '../../../shared/explorer/explorerQuery.ts'
import type { Api } from '../../index.ts'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { type Reply, useReplies } from '../useReplies.ts'

interface OneRowProps<M extends keyof Api & string, R> {
  readonly query: Query<M>
  readonly stamp: string
  readonly rows: (reply: Reply<M>) => readonly R[]
  /** Said when there is no row. */
  readonly none: string
  readonly show: (row: R) => ComponentChild
}

export function OneRow<M extends keyof Api & string, R>({ query, stamp, rows, none, show }: OneRowProps<M, R>) {
  const queries: readonly [Query<M>] = [query]
  const found = useReplies(queries, { stamp })
  if (found.data === null) return <NotYet of={found} />
  // The cast: the compiler does not resolve `Replies` for a method that is not known yet.
  const [row] = rows(found.data[0] as Reply<M>)
  return <>{row === undefined ? <Empty title={none} /> : show(row)}</>
}
