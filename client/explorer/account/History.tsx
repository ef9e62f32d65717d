// What the account took part in, trace by trace, with what it gained or lost.

import { accountTraces, pendingOfAccount, type TimeBounds } from '../../../shared/explorer/queries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action } from '../../index.ts'
import { ActionSentence } from '../actions/ActionSentence.tsx'
import { inOrder } from '../actions/order.ts'
import { sentenceOf } from '../actions/sentence.ts'
import { Amount } from '../parts/Amount.tsx'
import { Choice } from '../parts/Choice.tsx'
import { Empty } from '../parts/Empty.tsx'
import { When } from '../parts/When.tsx'
import { href, place, setQuery } from '../router.ts'
import { type Trace, traceModel } from '../trace/model.ts'
import { useReplies } from '../useReplies.ts'
import { chosenPartner, chosenTimes, HistoryFilters } from './HistoryFilters.tsx'
import { PageEnd } from './PageEnd.tsx'
import type { PartProps } from './parts.ts'
import { usePages } from './usePages.ts'

/** Sentences of one trace that are shown. */
const MOST_ACTIONS = 3

/** What the trace changed in the balance of an account; null when a state is not stored. */
function changeOf(trace: Trace, raw: string): bigint | null {
  const own = Object.values(trace.transactions ?? {}).filter(({ account }) => account === raw)
  return own.reduce<bigint | null>((sum, { account_state_before: before, account_state_after: after }) => {
    if (sum === null || before.balance === null || after.balance === null) return null
    return sum + BigInt(after.balance) - BigInt(before.balance)
  }, 0n)
}

const Sentences = ({ actions }: { readonly actions: readonly Action[] }) => (
  <ul class="sentences">
    {inOrder(actions)
      .slice(0, MOST_ACTIONS)
      .map((action) => (
        <li key={action.action_id} class={action.success ? undefined : 'failed'}>
          <span class="badge">{sentenceOf(action).title}</span> <ActionSentence action={action} />
        </li>
      ))}
    {actions.length > MOST_ACTIONS && <li class="quiet">and {actions.length - MOST_ACTIONS} more</li>}
  </ul>
)

function TraceItem({ trace, raw }: { readonly trace: Trace; readonly raw: string }) {
  const { status } = traceModel(trace)
  const change = changeOf(trace, raw)
  const actions = trace.actions ?? []
  const path = `/trace/${hexOf(trace.trace_id ?? '') ?? ''}`
  return (
    <li class={status === 'failed' || status === 'partly' ? 'history-row failed' : 'history-row'}>
      <a class="when" href={href(path)}>
        <When at={trace.start_utime} />
      </a>
      {actions.length > 0 ? (
        <Sentences actions={actions} />
      ) : (
        <a href={href(path)}>{trace.trace_info.transactions} transactions</a>
      )}
      <span class="tail">
        {status !== 'success' && <span class="badge bad">{status === 'partly' ? 'partly failed' : status}</span>}
        {change !== null && change !== 0n && <Amount of={change} signed />}
      </span>
    </li>
  )
}

const SHOWN = {
  all: { label: 'All' },
  failed: { label: 'Failed' },
  in: { label: 'Received' },
  out: { label: 'Spent' },
} as const
type Shown = keyof typeof SHOWN

/** Whether a trace is of the chosen ones: failed anywhere, or with more or less TON than before. */
function isOf(shown: Shown, trace: Trace, raw: string): boolean {
  if (shown === 'all') return true
  if (shown === 'failed') return ['failed', 'partly'].includes(traceModel(trace).status)
  const change = changeOf(trace, raw) ?? 0n
  return shown === 'in' ? change > 0n : change < 0n
}

const isWith = (partner: string, trace: Trace): boolean =>
  Object.values(trace.transactions ?? {}).some(({ account }) => account === partner)

function Pending({ raw }: { readonly raw: string }) {
  const { data } = useReplies([pendingOfAccount(raw)], { live: true })
  const actions = data?.[0].actions ?? []
  if (actions.length === 0) return null
  return (
    <div class="pending">
      <span class="badge warn">pending</span>
      <Sentences actions={actions} />
    </div>
  )
}

/** Pages of other days begin from nothing. */
export const History = (props: PartProps) => {
  const times = chosenTimes()
  return <Traces key={JSON.stringify(times)} times={times} {...props} />
}

function Traces({ raw, stamp, times }: PartProps & { readonly times: TimeBounds }) {
  const pages = usePages(
    (cursor) => accountTraces(raw, cursor, times),
    ({ traces, cursor }) => ({ rows: traces, cursor }),
    ({ trace_id, external_hash, start_lt }) => `${trace_id ?? external_hash} ${start_lt}`,
    stamp,
  )
  const chosen = place.value.query.get('show') ?? 'all'
  const shown = Object.hasOwn(SHOWN, chosen) ? (chosen as Shown) : 'all'
  const partner = chosenPartner()
  const rows = pages.rows?.filter((trace) => isOf(shown, trace, raw) && (partner === null || isWith(partner, trace)))
  return (
    <>
      <div class="bar">
        <Choice
          id="show"
          label="Traces to show"
          options={SHOWN}
          value={shown}
          onChoose={(next) => setQuery({ show: next === 'all' ? null : next })}
        />
        <HistoryFilters />
        {rows !== undefined && pages.rows !== null && (shown !== 'all' || partner !== null) && (
          <span class="quiet">
            {rows.length} of the {pages.rows.length} newest traces
          </span>
        )}
      </div>
      <Pending raw={raw} />
      {pages.rows?.length === 0 && (
        <Empty
          title={Object.keys(times).length === 0 ? 'This account has no history.' : 'Nothing happened in these days.'}
        />
      )}
      <ul class="rows">
        {rows?.map((trace) => (
          <TraceItem key={`${trace.trace_id}`} trace={trace} raw={raw} />
        ))}
      </ul>
      <PageEnd pages={pages} />
    </>
  )
}
