// The transactions of a trace that is not drawn, because it has too many or has not ended: a list, page by page.

import { transactionsOfTrace } from '../../../shared/explorer/traceQueries.ts'
import { tick } from '../live.ts'
import { TransactionPages } from '../parts/TransactionPages.tsx'

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
