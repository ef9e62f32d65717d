// The page of a trace, or of one transaction within its trace: found by a hash, or said to be nowhere.

import { useRef } from 'preact/hooks'
import { toBase64 } from '../../../shared/base64.ts'
import { traceById, traceOfTransaction } from '../../../shared/explorer/traceQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import type { Trace, Transaction } from '../../index.ts'
import { lazy, type PageProps } from '../lazyPage.tsx'
import { Copy } from '../parts/Copy.tsx'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { place } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import type { DrawTrace } from './FollowedTrace.tsx'
import { Panel } from './Panel.tsx'
import { type TraceSteps, TraceView } from './TraceView.tsx'

const NoTrace = lazy(async () => (await import('./NoTrace.tsx')).NoTrace)
const LargeTrace = lazy(async () => (await import('./TraceTransactions.tsx')).LargeTrace)

/** Found by its name: to read the hashes of thousands takes as long as a frame. */
function keyOf({ transactions = {} }: Trace, hex: string): string | undefined {
  const bytes = parseHash(hex)
  const key = bytes === null ? '' : toBase64(bytes)
  return Object.hasOwn(transactions, key) ? key : undefined
}

const drawAlone = (transaction: Transaction) => <Panel transaction={transaction} />

interface ShownProps {
  readonly trace: Trace
  /** Of a transaction in it; null for the first one. */
  readonly hex: string | null
  /** In place of that one. */
  readonly steps?: TraceSteps | undefined
}

/** A trace that is too large comes without its transactions: one is read for itself, and all of them page by page. */
function Shown({ trace, hex, steps }: ShownProps) {
  const hash = hex === null ? undefined : keyOf(trace, hex)
  return (
    <>
      <TraceView trace={trace} {...(steps ?? { selected: hash === undefined ? null : { hash } })} />
      {!trace.transactions && trace.trace_id && <LargeTrace hex={hex} traceId={trace.trace_id} drawAlone={drawAlone} />}
    </>
  )
}

const drawTrace: DrawTrace = (trace, steps) => <Shown trace={trace} hex={null} steps={steps} />

function Found({ hex, byTrace }: { readonly hex: string; readonly byTrace: boolean }) {
  // A step within the trace that is shown needs no new one.
  const held = useRef<{ readonly trace: Trace; readonly of: string; readonly byTrace: boolean } | null>(null)
  const within = held.current !== null && keyOf(held.current.trace, hex) !== undefined ? held.current : null
  const shown = within ?? { of: hex, byTrace }
  // What is not in the index yet comes with a block, and so does the rest of a trace.
  const live = held.current === null || held.current.trace.trace_info.trace_state === 'pending'
  const calls = [shown.byTrace ? traceById(shown.of) : traceOfTransaction(shown.of)] as const
  const { data, error, reload } = useReplies(calls, { live })
  const trace = data?.[0].traces[0]
  // None after a revert that has undone it.
  if (data !== null) held.current = trace ? { trace, of: shown.of, byTrace: shown.byTrace } : null
  // That view has errors of its own, and keeps what it shows.
  if (data !== null && !trace) return <NoTrace key={hex} subject={hex} draw={drawTrace} drawAlone={drawAlone} />
  if (!trace) return error === null ? <Waiting /> : <Trouble error={error} reload={reload} />
  return <Shown trace={trace} hex={byTrace ? null : hex} />
}

/** One page for both: a step from the trace to one of its transactions keeps what is drawn. */
export function TracePage({ subject }: PageProps) {
  const byTrace = place.value.view?.page === 'trace'
  const hex = hexOf(subject)
  const what = byTrace ? 'trace' : 'transaction'
  return (
    <>
      <div class="heading">
        <h1>
          {byTrace ? 'Trace' : 'Transaction'} {hex && <Hash of={hex} copy={false} />}
        </h1>
        {hex && <Copy text={hex} what={`hash of the ${what}`} />}
      </div>
      {hex === null ? (
        <NoTrace subject={subject} draw={drawTrace} drawAlone={drawAlone} />
      ) : (
        <Found hex={hex} byTrace={byTrace} />
      )}
    </>
  )
}
