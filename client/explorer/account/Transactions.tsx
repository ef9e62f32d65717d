// The raw list, as developers read it.

import { useEffect, useRef } from 'preact/hooks'
import {
  accountTransactions,
  ENOUGH_TRANSACTIONS,
  type ListOrder,
  nextTransactions,
  type TimeBounds,
} from '../../../shared/explorer/accountQueries.ts'
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
  const size = useRef<number | undefined>(undefined)
  const pages = usePages(
    (cursor) => accountTransactions(raw, cursor, times, order, size.current),
    ({ transactions, cursor }) => {
      const messages = transactions.reduce((sum, { out_msgs: sent }) => sum + 1 + sent.length, 0)
      size.current = nextTransactions(order, transactions.length, messages)
      return { rows: transactions, cursor }
    },
    ({ hash }) => hash,
    stamp,
  )
  const { count, older, error } = pages
  const isShort =
    older !== null && error === null && count !== null && count < ENOUGH_TRANSACTIONS && (size.current ?? 0) >= count
  useEffect(() => {
    if (isShort && count > 0) older()
  }, [isShort])
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
