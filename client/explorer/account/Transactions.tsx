// The raw list, as developers read it.

import { accountTransactions } from '../../../shared/explorer/accountQueries.ts'
import { Empty } from '../parts/Empty.tsx'
import { TransactionTable } from '../parts/TransactionTable.tsx'
import { PageEnd } from './PageEnd.tsx'
import type { PartProps } from './partProps.ts'
import { usePages } from './usePages.ts'

export function Transactions({ raw, stamp }: PartProps) {
  const pages = usePages(
    (cursor) => accountTransactions(raw, cursor),
    ({ transactions, cursor }) => ({ rows: transactions, cursor }),
    ({ hash }) => hash,
    stamp,
  )
  return (
    <>
      {pages.rows?.length === 0 && <Empty title="This account has no transactions." />}
      {pages.rows !== null && pages.rows.length > 0 && <TransactionTable transactions={pages.rows} />}
      <PageEnd pages={pages} />
    </>
  )
}
