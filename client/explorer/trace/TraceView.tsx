// A trace with one transaction of it selected, as sentences, as a graph or list, and in full.

import { useMemo, useState } from 'preact/hooks'
import { hexOf } from '../../../shared/explorer/views.ts'
import type { Trace } from '../../index.ts'
import { lazy } from '../lazyPage.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { remembered, rememberTraceAs } from '../remembered.ts'
import { go } from '../router.ts'
import { Graph, MOST_IN_GRAPH } from './Graph.tsx'
import { List } from './List.tsx'
import { traceModel } from './model.ts'
import { Panel } from './Panel.tsx'
import { Actions, Summary } from './Summary.tsx'

const FlowTable = lazy(async () => (await import('./FlowTable.tsx')).FlowTable)

const NARROW = 760
const FLOW = 'flow'

export interface Selection {
  /** In the form that the trace has. */
  readonly hash: string
}

/** Changes the address to that of another step, without scrolling. */
function goToStep(hash: string): void {
  const { scrollY: before } = window
  go(`/tx/${hexOf(hash) ?? ''}${location.search}`, { replace: true })
  scrollTo(0, before)
}

/** The selected step; others open as addresses of their own, unless `onSelect` takes them. */
export interface TraceSteps {
  readonly selected: Selection | null
  readonly onSelect?: (hash: string) => void
}

interface TraceViewProps extends TraceSteps {
  readonly trace: Trace
}

export function TraceView({ trace, selected, onSelect = goToStep }: TraceViewProps) {
  const [marked, setMarked] = useState<readonly string[]>([])
  const model = useMemo(() => traceModel(trace), [trace])
  const hash = selected?.hash ?? model.cause?.hash ?? null
  const transaction = hash === null ? undefined : trace.transactions?.[hash]
  const parts = model.root && { root: model.root, size: model.size, selected: hash, onSelect, marked }
  const list = { id: 'list', title: 'List', content: () => parts && <List {...parts} /> }
  const graph = { id: 'graph', title: 'Graph', content: () => parts && <Graph {...parts} /> }
  const isPreview = trace.trace_id === null || model.status === 'pending'
  const isSmall = model.size > MOST_IN_GRAPH || innerWidth < NARROW
  return (
    <>
      <Summary trace={trace} model={model} />
      <Actions actions={trace.actions ?? []} isPreview={isPreview} onMark={setMarked} />
      {trace.warning && model.status !== 'large' && <Empty title={trace.warning} />}
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
