// The raw list, as developers read it.

import { useEffect, useRef, useState } from 'preact/hooks'
import {
  areSmall,
  firstTransactions,
  furtherTransactions,
  type ListOrder,
  messagesOf,
  nextTransactions,
  type TimeBounds,
} from '../../../shared/explorer/accountQueries.ts'
import { known } from '../pageClient.ts'
import { Waiting } from '../parts/Empty.tsx'
import { NothingIn, PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { TransactionFrame, TransactionLine } from '../parts/TransactionTable.tsx'
import { usePages } from '../parts/usePages.ts'
import { Earlier, isCut, isFirst } from './cutHistory.ts'
import { chosenOrder, chosenTimes, DaysAndOrder, wordFor } from './HistoryFilters.tsx'
import { newestOf } from './lastTime.ts'
import type { PartProps } from './partProps.ts'
import { SaveButton } from './SaveButton.tsx'

export const Transactions = (props: PartProps) => {
  const times = chosenTimes()
  const order = chosenOrder()
  const chosen = JSON.stringify([times, order])
  return (
    <>
      <div class="bar filters">
        <DaysAndOrder />
        <SaveButton key={chosen} what="transaction" raw={props.raw} times={times} order={order} />
      </div>
      <Loaded key={chosen} times={times} order={order} {...props} />
    </>
  )
}

interface LoadedProps extends PartProps {
  readonly times: TimeBounds
  readonly order: ListOrder
}

function Loaded({ raw, stamp, times, order }: LoadedProps) {
  const first = (size: 'few' | 'usual') => firstTransactions(raw, size, times, order)
  const [isUsual, setUsual] = useState(() => known(first('usual')) !== undefined)
  const size = useRef<number | undefined>(undefined)
  const pages = usePages(
    (cursor) =>
      cursor === undefined
        ? first(isUsual ? 'usual' : 'few')
        : furtherTransactions(raw, cursor, times, order, size.current),
    ({ transactions, cursor }) => {
      size.current = nextTransactions(transactions.length, messagesOf(transactions))
      return { rows: transactions, cursor, grows: order === 'oldest' }
    },
    ({ hash }) => hash,
    stamp,
    (transactions) => newestOf(raw, transactions),
  )
  const { parts, older } = pages
  const [few = [], ...others] = parts
  const hasRoom = !isUsual && older !== null && others.length === 0 && areSmall(few)
  const grown = useRef<typeof few | null>(null)
  if (hasRoom) grown.current = few
  useEffect(() => {
    if (hasRoom) setUsual(true)
  }, [hasRoom])
  const cut = Object.keys(times).length === 0 && isCut(stamp, pages, isFirst)
  // The button would be pushed away by the rows that come.
  const isGrowing = grown.current === few && pages.error === null && pages.renew === null
  return (
    <>
      <PageStart pages={pages} />
      {pages.count === 0 && !cut && <NothingIn times={times} title="This account has no transactions." />}
      {pages.count !== null && pages.count > 0 && (
        <TransactionFrame>
          <Rows of={pages} each={(one) => <TransactionLine key={one.hash} transaction={one} />} />
        </TransactionFrame>
      )}
      {isGrowing ? <Waiting /> : <PageEnd pages={pages} word={wordFor(order)} />}
      {cut && <Earlier isAll={pages.count === 0} />}
    </>
  )
}
