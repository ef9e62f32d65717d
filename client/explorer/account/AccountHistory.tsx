// What the account took part in, trace by trace, with what it gained or lost.

import { useEffect, useRef, useState } from 'preact/hooks'
import {
  accountTraces,
  type ListOrder,
  messagesOf,
  nextTraces,
  pendingOfAccount,
  type TimeBounds,
  TRACES,
} from '../../../shared/explorer/accountQueries.ts'
import { counted } from '../../../shared/explorer/counted.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Action, Trace } from '../../index.ts'
import { inOrder } from '../actions/inOrder.ts'
import { lazy } from '../lazyPage.tsx'
import { tick } from '../live.ts'
import { Amount } from '../parts/Amount.tsx'
import { WhyNone } from '../parts/Empty.tsx'
import { NothingIn, PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows, useFilteredRows, useFurtherPages } from '../parts/Rows.tsx'
import { usePages } from '../parts/usePages.ts'
import { When } from '../parts/When.tsx'
import { href } from '../router.ts'
import { traceModel } from '../trace/model.ts'
import { changeOf, feesOf } from '../trace/transactionCost.ts'
import { useReplies } from '../useReplies.ts'
import { Earlier, isCut, isFirst } from './cutHistory.ts'
import {
  Chosen,
  chosenFilter,
  chosenKind,
  chosenOrder,
  chosenRows,
  chosenTimes,
  HistoryFilters,
  wordFor,
} from './HistoryFilters.tsx'
import { newestOf } from './lastTime.ts'
import type { PartProps } from './partProps.ts'
import { SaveButton } from './SaveButton.tsx'
import { Sentence } from './Sentence.tsx'

const OfKind = lazy(async () => (await import('./OfKind.tsx')).OfKind)

/** Sentences of one trace that are shown. */
const MOST_ACTIONS = 3

/** Of a trace that is too large the service shows so much of an account, and no more. */
const MOST_OF_PART = 20

const transactionsIn = (traces: readonly Trace[]) =>
  traces.flatMap(({ transactions = {} }) => Object.values(transactions))

const mayHaveFirst = (trace: Trace, raw: string): boolean =>
  trace.is_incomplete || transactionsIn([trace]).some((one) => one.account === raw && isFirst(one))

const messagesIn = (traces: readonly Trace[]): number => messagesOf(transactionsIn(traces))

interface OwnPart {
  /** What the trace changed in the balance of the account; null when not all of it is shown. */
  readonly change: bigint | null
  readonly fees: bigint
}

function ownPart({ transactions = {}, is_incomplete: isPart }: Trace, raw: string): OwnPart {
  const own = Object.values(transactions).filter(({ account }) => account === raw)
  if (isPart && (own.length === 0 || own.length >= MOST_OF_PART)) return { change: null, fees: 0n }
  return { change: changeOf(own), fees: own.reduce((sum, one) => sum + feesOf(one), 0n) }
}

interface SentencesProps {
  readonly actions: readonly Action[]
  /** There may be more that are not shown. */
  readonly isPart?: boolean
}

const Sentences = ({ actions, isPart = false }: SentencesProps) => (
  <ul class="sentences">
    {inOrder(actions)
      .slice(0, MOST_ACTIONS)
      .map((action) => (
        <Sentence key={action.action_id} action={action} />
      ))}
    {actions.length > MOST_ACTIONS && (
      <li class="quiet">
        and {isPart && actions.length >= MOST_OF_PART ? 'many' : actions.length - MOST_ACTIONS} more
      </li>
    )}
  </ul>
)

interface TraceItemProps {
  readonly trace: Trace
  readonly raw: string
  readonly isFar: boolean
}

function TraceItem({ trace, raw, isFar }: TraceItemProps) {
  const { status } = traceModel(trace)
  const failed = status === 'failed' || status === 'partly' ? 'failed' : ''
  const { change, fees } = ownPart(trace, raw)
  const actions = trace.actions ?? []
  const count = trace.trace_info.transactions
  const path = `/trace/${hexOf(trace.trace_id ?? '') ?? ''}`
  return (
    <li class={`history-row ${failed} ${isFar ? 'far' : ''}`}>
      <a class="when" href={href(path)}>
        <When at={trace.start_utime} />
      </a>
      {actions.length > 0 ? (
        <Sentences actions={actions} isPart={trace.is_incomplete} />
      ) : (
        <a href={href(path)}>{counted(count, 'transaction')}</a>
      )}
      <span class="tail">
        {status !== 'success' && status !== 'large' && (
          <span class={status === 'pending' ? 'badge warn' : 'badge bad'}>
            {status === 'partly' ? 'partly failed' : status}
          </span>
        )}
        {change !== null && change !== 0n && <Amount of={change} signed />}
        {fees > 0n && (
          <span class="quiet fee">
            fee <Amount of={fees} />
          </span>
        )}
      </span>
    </li>
  )
}

function Pending({ raw }: { readonly raw: string }) {
  const found = useReplies([pendingOfAccount(raw)], { live: true })
  const actions = found.data?.[0].actions ?? []
  return actions.length === 0 ? (
    <WhyNone of={found} what="What is pending" />
  ) : (
    <div class="pending">
      <span class="badge warn">pending</span>
      <Sentences actions={actions} />
    </div>
  )
}

/** Pages of other days and kinds begin from nothing. */
export const AccountHistory = (props: PartProps) => {
  const times = chosenTimes()
  const kind = chosenKind()
  const order = chosenOrder()
  const filter = chosenRows()
  const keeps = chosenFilter()
  const key = JSON.stringify([kind, times, order])
  return (
    <>
      <HistoryFilters>
        <SaveButton
          key={key + filter}
          what="action"
          raw={props.raw}
          times={times}
          kind={kind}
          order={order}
          keeps={keeps}
        />
      </HistoryFilters>
      <Pending raw={props.raw} />
      {kind === 'all' ? (
        <Traces key={key} times={times} order={order} {...props} />
      ) : (
        <OfKind
          key={key}
          times={times}
          order={order}
          {...props}
          stamp={`${tick.value}`}
          kind={kind}
          keeps={keeps}
          filter={filter}
          Count={Chosen}
          word={wordFor(order)}
        />
      )}
    </>
  )
}

function Traces({ raw, stamp, times, order }: PartProps & { readonly times: TimeBounds; readonly order: ListOrder }) {
  const size = useRef<number | undefined>(undefined)
  /** The rest of a trace may have no transaction of the account: while one has not ended, each block is looked at. */
  const [goesOn, setGoesOn] = useState(false)
  const pages = usePages(
    (cursor) => accountTraces(raw, cursor, times, order, size.current),
    ({ traces, cursor }) => {
      size.current = nextTraces(traces.length, messagesIn(traces))
      return { rows: traces, cursor, grows: order === 'oldest' }
    },
    ({ trace_id, external_hash, start_lt }) => `${trace_id ?? external_hash} ${start_lt}`,
    goesOn ? `${stamp} ${tick.value}` : stamp,
    (traces) => newestOf(raw, transactionsIn(traces)),
  )
  // What new ones have pushed further down is not read again.
  const newest = pages.parts[0]?.slice(0, TRACES.first)
  const isOpen = newest?.some(({ trace_info: info }) => info.trace_state === 'pending') ?? false
  useEffect(() => setGoesOn(isOpen), [isOpen])
  const keeps = chosenFilter()
  const kept = useFilteredRows(pages, chosenRows(), (trace) => {
    const { actions = [] } = trace
    return keeps({
      isFailed: () => ['failed', 'partly'].includes(traceModel(trace).status),
      gain: () => ownPart(trace, raw).change ?? 0n,
      accounts: transactionsIn([trace]).map(({ account }) => account),
      actions,
    })
  })
  useFurtherPages(pages, kept.count)
  const cut = Object.keys(times).length === 0 && isCut(stamp, pages, (trace) => mayHaveFirst(trace, raw))
  return (
    <>
      <PageStart pages={pages} />
      <Chosen of={kept.count} all={pages.count} what="traces" />
      {pages.count === 0 && !cut && <NothingIn times={times} title="This account has no history." />}
      <ul class="rows">
        <Rows
          key={chosenRows()}
          of={kept}
          each={(trace, isFar) => <TraceItem key={pages.keyOf(trace)} trace={trace} raw={raw} isFar={isFar} />}
        />
      </ul>
      <PageEnd pages={pages} word={wordFor(order)} />
      {cut && <Earlier isAll={pages.count === 0} />}
    </>
  )
}
