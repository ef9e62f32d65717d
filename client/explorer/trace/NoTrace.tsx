// What is shown for a hash that names no trace: the transaction it names, whose trace has not ended, the trace of the message
// it names, or what is near it.

import type { ComponentChild } from 'preact'
import { counted } from '../../../shared/explorer/counted.ts'
import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { traceOfMessage } from '../../../shared/explorer/traceQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Trace } from '../../index.ts'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Nearest } from '../search/Nearest.tsx'
import { useReplies } from '../useReplies.ts'
import { Panel } from './Panel.tsx'
import { TraceTransactions } from './TraceTransactions.tsx'

interface NoTraceProps {
  readonly subject: string
  readonly draw: (trace: Trace) => ComponentChild
}

export function NoTrace({ subject, draw }: NoTraceProps) {
  const hex = hexOf(subject)
  const { data, error, reload } = useReplies(hex === null ? [] : [traceOfMessage(hex), ...transactionsByHash([hex])], {
    live: true,
  })
  if (hex === null)
    return (
      <Empty title="This is no hash of a transaction.">
        <p>
          A hash has 64 hex digits, or 44 characters of base64. This one has {counted(subject.length, 'character')}.
        </p>
        <Nearest subject={subject} />
      </Empty>
    )
  const trace = data?.[0]?.traces[0]
  if (trace) return <>{draw(trace)}</>
  const transaction = data?.[1]?.transactions[0]
  if (transaction)
    return (
      <>
        <Empty title="The trace of this transaction has not ended: the whole is here when it has." />
        <Panel transaction={transaction} />
        {transaction.trace_id && <TraceTransactions traceId={transaction.trace_id} hasEnded={false} />}
      </>
    )
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  return (
    <Empty title="No transaction, trace or message with this hash is in the index.">
      <p>
        <Hash of={hex} /> may be of another network, or the message was never accepted.
      </p>
      <button type="button" class="second small" onClick={reload}>
        Look again
      </button>
      <Nearest subject={hex} />
    </Empty>
  )
}
