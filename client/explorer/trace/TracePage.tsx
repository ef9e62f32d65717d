// A trace with one transaction of it selected: what happened, as sentences, as a graph or list, and in full.

import { useRef, useState } from 'preact/hooks'
import { traceById, traceOfMessage, traceOfTransaction } from '../../../shared/explorer/explorerQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Api } from '../../index.ts'
import { lazy, type PageProps } from '../lazyPage.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { remembered, rememberTraceAs } from '../remembered.ts'
import { go, place } from '../router.ts'
import { useReplies } from '../useReplies.ts'

export { ExitWords } from './ExitWords.tsx'

import { Graph, MOST_IN_GRAPH } from './Graph.tsx'
import { List } from './List.tsx'
import { type Trace, traceModel } from './model.ts'
import { Panel } from './Panel.tsx'
import { Actions, Summary } from './Summary.tsx'

const FlowTable = lazy(async () => (await import('./FlowTable.tsx')).FlowTable)

const Nearest = lazy(async () => (await import('../search/Nearest.tsx')).Nearest)

const NARROW = 760
const FLOW = 'flow'

export type Emulated = Api['emulate.trace']['result']

interface Selection {
  /** As the trace has it. */
  readonly hash: string
}

const keyOf = (trace: Trace, hex: string): string | undefined =>
  Object.keys(trace.transactions ?? {}).find((hash) => hexOf(hash) === hex)

/** Another step of a trace has another address, and the page stays where it is. */
function goToStep(hash: string): void {
  const { scrollY: before } = window
  go(`/tx/${hexOf(hash) ?? ''}${location.search}`, { replace: true })
  scrollTo(0, before)
}

interface ShownProps {
  readonly trace: Trace
  readonly selected: Selection | null
  readonly onSelect?: (hash: string) => void
}

function Shown({ trace, selected, onSelect = goToStep }: ShownProps) {
  const [marked, setMarked] = useState<readonly string[]>([])
  const model = traceModel(trace)
  const hash = selected?.hash ?? model.cause?.hash ?? null
  const transaction = hash === null ? undefined : trace.transactions?.[hash]
  const parts = model.root && { root: model.root, size: model.size, selected: hash, onSelect, marked }
  const list = { id: 'list', title: 'List', content: () => parts && <List {...parts} /> }
  const graph = { id: 'graph', title: 'Graph', content: () => parts && <Graph {...parts} /> }
  const isSmall = model.size > MOST_IN_GRAPH || innerWidth < NARROW
  return (
    <>
      <Summary trace={trace} model={model} />
      <Actions actions={trace.actions ?? []} onMark={setMarked} />
      {trace.warning && <Empty title={trace.warning} />}
      {parts && (
        <Tabs
          label="Transactions"
          param="as"
          usual={remembered.value.traceAs}
          onChoose={(tab) => tab !== FLOW && rememberTraceAs(tab)}
          tabs={[
            ...(isSmall ? [list] : [graph, list]),
            { id: FLOW, title: 'Value flow', content: () => <FlowTable trace={trace} /> },
          ]}
        />
      )}
      {transaction && <Panel transaction={transaction} />}
    </>
  )
}

/** What messages would do, as a trace of no block. */
function traceOf({ trace, transactions, actions, mc_block_seqno: seqno, ...rest }: Emulated): Trace {
  const block: Trace['mc_seqno_end'] = `${BigInt(seqno)}`
  const times = Object.values(transactions).map(({ now }) => now)
  return {
    trace_id: null,
    external_hash: null,
    mc_seqno_start: block,
    mc_seqno_end: block,
    start_lt: '0',
    start_utime: Math.min(...times),
    end_lt: null,
    end_utime: null,
    trace_info: {
      trace_state: 'complete',
      messages: times.length,
      transactions: times.length,
      pending_messages: 0,
      classification_state: 'ok',
    },
    is_incomplete: rest.is_incomplete,
    ...(rest.is_incomplete ? { warning: 'The trace is longer: this is its beginning.' } : {}),
    ...(rest.balance_changes === undefined ? {} : { balance_changes: rest.balance_changes }),
    actions,
    trace,
    transactions,
  }
}

export function EmulatedTrace({ emulated }: { readonly emulated: Emulated }) {
  const [selected, setSelected] = useState<Selection | null>(null)
  const isOfThis = selected !== null && Object.hasOwn(emulated.transactions, selected.hash)
  return (
    <Shown trace={traceOf(emulated)} selected={isOfThis ? selected : null} onSelect={(hash) => setSelected({ hash })} />
  )
}

function NotFound({ hex }: { readonly hex: string }) {
  const { data, error, reload } = useReplies([traceOfMessage(hex)], { live: true })
  const trace = data?.[0].traces[0]
  if (trace) return <Shown trace={trace} selected={null} />
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
  if (trace) held.current = { trace, of: shown.of, byTrace: shown.byTrace }
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  if (!trace) return <NotFound hex={hex} />
  const hash = keyOf(trace, hex)
  return <Shown trace={trace} selected={byTrace || hash === undefined ? null : { hash }} />
}

/** One page for both: a step from the trace to one of its transactions keeps what is drawn. */
export function TracePage({ subject }: PageProps) {
  const byTrace = place.value.view?.page === 'trace'
  const hex = hexOf(subject)
  return (
    <>
      <h1>
        {byTrace ? 'Trace' : 'Transaction'} {hex && <Hash of={hex} />}
      </h1>
      {hex === null ? (
        <Empty title="This is no hash of a transaction.">
          <p>A hash has 64 hex digits, or 44 characters of base64. This one has {subject.length} characters.</p>
          <Nearest subject={subject} />
        </Empty>
      ) : (
        <Found hex={hex} byTrace={byTrace} />
      )}
    </>
  )
}
