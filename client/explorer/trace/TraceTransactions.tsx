// The transactions of a trace that is not drawn, because it has too many or has not ended: a list, page by page.

import type { ComponentChild } from 'preact'
import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { transactionsOfTrace } from '../../../shared/explorer/traceQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Transaction } from '../../index.ts'
import { tick } from '../live.ts'
import { Empty, NotYet } from '../parts/Empty.tsx'
import { TransactionPages } from '../parts/TransactionPages.tsx'
import { useReplies } from '../useReplies.ts'

interface TraceTransactionsProps {
  readonly traceId: string
  /** Of one that goes on, the newest come first. */
  readonly hasEnded: boolean
}

export const TraceTransactions = ({ traceId, hasEnded }: TraceTransactionsProps) => (
  <section aria-labelledby="in-trace">
    <h2 id="in-trace">{hasEnded ? 'All transactions of the trace' : 'Transactions of the trace so far'}</h2>
    <TransactionPages
      key={`${traceId} ${hasEnded}`}
      query={(cursor) => transactionsOfTrace(traceId, hasEnded ? 'asc' : 'desc', cursor)}
      stamp={hasEnded ? traceId : `${tick.value}`}
    />
  </section>
)

interface LargeTraceProps extends Pick<TraceTransactionsProps, 'traceId'> {
  /** Of the transaction to show; null for the first one. */
  readonly hex: string | null
  readonly drawAlone: (transaction: Transaction) => ComponentChild
}

/** Below a trace that comes without its transactions: one of them, and all of them page by page. */
export function LargeTrace({ hex, traceId, drawAlone }: LargeTraceProps) {
  const loaded = useReplies(transactionsByHash([hex ?? hexOf(traceId) ?? '']))
  const transaction = loaded.data?.[0]?.transactions[0]
  return (
    <>
      <Empty title="Too many transactions to be shown at once: they are listed below, page by page." />
      <NotYet of={loaded} />
      {transaction && drawAlone(transaction)}
      <TraceTransactions traceId={traceId} hasEnded />
    </>
  )
}
