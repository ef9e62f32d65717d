// A list of transactions, read page by page.

import type { Query } from '../../../shared/explorer/explorerQuery.ts'
import { PageEnd } from './PageEnd.tsx'
import { Rows } from './Rows.tsx'
import { TransactionFrame, TransactionLine } from './TransactionTable.tsx'
import { usePages } from './usePages.ts'

export interface TransactionPagesProps {
  readonly query: (cursor?: string) => Query<'v3.transactions'>
  /** Changes with what the list is of. */
  readonly stamp: string
}

export function TransactionPages({ query, stamp }: TransactionPagesProps) {
  const pages = usePages(
    query,
    ({ transactions, cursor }) => ({ rows: transactions, cursor }),
    ({ hash }) => hash,
    stamp,
  )
  return (
    <>
      {pages.count === 0 && <p class="quiet">None.</p>}
      {pages.count !== null && pages.count > 0 && (
        <TransactionFrame withAccount>
          <Rows of={pages} each={(one) => <TransactionLine key={one.hash} transaction={one} withAccount />} />
        </TransactionFrame>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}
