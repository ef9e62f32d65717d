// What is shown for a hash that names no trace: the transaction it names, whose trace has not ended, the trace of the message
// it names, in blocks or pending, or what is near it.

import type { ComponentChild } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { transactionsByHash } from '../../../shared/explorer/explorerQueries.ts'
import { pendingTraceOf, traceOfMessage } from '../../../shared/explorer/traceQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Trace, Transaction } from '../../index.ts'
import { lazy } from '../lazyPage.tsx'
import { tick } from '../live.ts'
import { reverts } from '../pageClient.ts'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Nearest } from '../search/Nearest.tsx'
import { type Loaded, useReplies } from '../useReplies.ts'
import { type DrawTrace, FollowedTrace } from './FollowedTrace.tsx'
import { blocksBetween, previewToDraw } from './preview.ts'

const TraceTransactions = lazy(async () => (await import('./TraceTransactions.tsx')).TraceTransactions)

interface NoTraceProps {
  readonly subject: string
  readonly draw: DrawTrace
  readonly drawAlone: (transaction: Transaction) => ComponentChild
}

/** So many results in a row have to lack it: the first two may have been requested before a block had the message. */
const SURE_AFTER = 3

/** Whether a message is gone: it is neither pending nor in a block. Both are read at different moments, so one result does not say so. */
function useSurelyAbsent(isAbsent: boolean, { data, reload }: Loaded<unknown>): boolean {
  const seen = useRef(new Set<unknown>())
  if (!isAbsent) seen.current.clear()
  else if (seen.current.size < SURE_AFTER) seen.current.add(data)
  const isSure = seen.current.size >= SURE_AFTER
  useEffect(() => {
    if (isAbsent && !isSure) reload()
  }, [isAbsent, data])
  return isSure
}

/** The preview of a message that is pending, or was while this page was open; and whether it is neither that nor in a block. */
function usePreview(hex: string | null, trace: Trace | undefined, read: Loaded<unknown>) {
  const drawn = useRef<Trace | null>(null)
  const isWanted = hex !== null && trace === undefined
  const stamp = `${Math.floor(tick.value / blocksBetween(drawn.current))}`
  const { data, error, reload } = useReplies(isWanted ? [pendingTraceOf(hex)] : [], { stamp })
  const next = data?.[0]?.traces[0]
  if (next) drawn.current = previewToDraw(drawn.current, next)
  const isGone = useSurelyAbsent(isWanted && drawn.current !== null && data !== null && !next, read)
  return { preview: drawn.current, isGone, isRead: data !== null, error, reload }
}

export function NoTrace({ subject, draw, drawAlone }: NoTraceProps) {
  const hex = hexOf(subject)
  const found = useRef<Trace | undefined>(undefined)
  const read = useReplies(hex === null ? [] : [traceOfMessage(hex), ...transactionsByHash([hex])], {
    live: found.current?.trace_info.trace_state !== 'complete',
  })
  const trace = read.data?.[0]?.traces[0]
  found.current = trace
  const pending = usePreview(hex, trace, read)
  if (hex === null)
    return (
      <Empty title="This is no hash of a transaction.">
        <p>
          A hash has 64 hex digits, or 44 characters of base64. This one has {counted(subject.length, 'character')}.
        </p>
        <Nearest subject={subject} />
      </Empty>
    )
  const shown = trace ?? pending.preview
  if (shown) return <FollowedTrace trace={shown} isGone={pending.isGone} draw={draw} />
  const transaction = read.data?.[1]?.transactions[0]
  if (transaction)
    return (
      <>
        <Empty title="The trace of this transaction has not ended: the whole is here when it has." />
        {drawAlone(transaction)}
        {transaction.trace_id && <TraceTransactions traceId={transaction.trace_id} hasEnded={false} />}
      </>
    )
  const error = read.error ?? pending.error
  const reload = (): void => {
    read.reload()
    pending.reload()
  }
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (read.data === null || !pending.isRead) return <Waiting />
  return (
    <Empty title="No transaction, trace or message with this hash is in the index.">
      <p>
        <Hash of={hex} what="hash that was looked for" /> may be of another network, of a transaction before the index
        of this service begins, which <code>getTransactions</code> of v2 reads, or of a message that was never accepted,
        or expired before a block had it
        {reverts.value > 0 && ', or of a block that was undone when the chain was reverted'}. Of messages that wait for
        a block this page knows those that were sent through this service.
      </p>
      <button type="button" class="second small" onClick={reload}>
        Look again
      </button>
      <Nearest subject={hex} isSaid />
    </Empty>
  )
}
