// The raw list, as developers read it.

import { accountTransactions, type ListOrder, type TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { NothingIn, PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { TransactionFrame, TransactionLine } from '../parts/TransactionTable.tsx'
import { usePages } from '../parts/usePages.ts'
import { chosenOrder, chosenTimes, DaysAndOrder, wordFor } from './HistoryFilters.tsx'
import type { PartProps } from './partProps.ts'

export const Transactions = (props: PartProps) => {
  const [times, order] = [chosenTimes(), chosenOrder()]
  return (
    <>
      <div class="bar filters">
        <DaysAndOrder />
      </div>
      <Loaded key={JSON.stringify([times, order])} times={times} order={order} {...props} />
    </>
  )
}

interface LoadedProps extends PartProps {
  readonly times: TimeBounds
  readonly order: ListOrder
}

function Loaded({ raw, stamp, times, order }: LoadedProps) {
  const pages = usePages(
    (cursor) => accountTransactions(raw, cursor, times, order),
    ({ transactions, cursor }) => ({ rows: transactions, cursor }),
    ({ hash }) => hash,
    stamp,
  )
  return (
    <>
      <PageStart pages={pages} />
      {pages.count === 0 && <NothingIn times={times} title="This account has no transactions." />}
      {pages.count !== null && pages.count > 0 && (
        <TransactionFrame>
          <Rows of={pages} each={(one) => <TransactionLine key={one.hash} transaction={one} />} />
        </TransactionFrame>
      )}
      <PageEnd pages={pages} word={wordFor(order)} />
    </>
  )
}
