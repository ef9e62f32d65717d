// The trace of a message, from its preview to what came of it, in one view: the selected step and the parts that are open stay.

import type { ComponentChild } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { Trace } from '../../index.ts'
import { Address } from '../parts/Address.tsx'
import { type Step, traceModel } from './model.ts'
import type { TraceSteps } from './TraceView.tsx'
import { walk } from './treeLayout.ts'

export type DrawTrace = (trace: Trace, steps?: TraceSteps) => ComponentChild

const SENT_AGAIN =
  'It expired, its contract refuses it now, as after another with its seqno, or it waited too long to be followed.'

function Gone({ trace, from }: { readonly trace: Trace; readonly from: string | undefined }) {
  if (trace.trace_id !== null)
    return <>The rest is not followed any more: the whole trace is here with its last block.</>
  return (
    <>
      This message does not wait any more, and left no trace. {SENT_AGAIN} Look at{' '}
      {from === undefined ? 'its account' : <Address of={from} />} before it is sent again: below is what it would have
      done.
    </>
  )
}

function Words({ trace, isGone, from }: FollowedProps & { readonly from: string | undefined }) {
  if (trace.trace_info.trace_state !== 'pending') return <>It is in a block: this is what happened.</>
  if (isGone) return <Gone trace={trace} from={from} />
  return trace.trace_id === null ? (
    <>
      <strong>Waits for a block.</strong> This is a preview: what it would do now.
    </>
  ) : (
    <>
      <strong>A part is in a block.</strong> The rest is a preview.
    </>
  )
}

interface FollowedProps {
  readonly trace: Trace
  /** No longer pending, and in no block. */
  readonly isGone: boolean
}

export function FollowedTrace({ draw, ...followed }: FollowedProps & { readonly draw: DrawTrace }) {
  const { trace } = followed
  const isPending = trace.trace_info.trace_state === 'pending'
  const waited = useRef(isPending).current
  const steps = useMemo(() => {
    const { root } = traceModel(trace)
    return root === null ? [] : [...walk(root)].map(({ value }) => value)
  }, [trace])
  const [chosen, setChosen] = useState<Step | null>(null)
  const accountOf = ({ transaction }: Step) => transaction?.account
  // A trace that went another way has another step there, or none.
  const same = chosen && steps.find((step) => step.at === chosen.at && accountOf(step) === accountOf(chosen))
  const hash = same?.hash
  // It is not drawn again for blocks that change nothing in it.
  const drawn = useMemo(() => {
    const choose = (next: string): void => setChosen(steps.find((step) => step.hash === next) ?? null)
    return draw(trace, { selected: hash === undefined ? null : { hash }, ...(isPending && { onSelect: choose }) })
  }, [steps, hash])
  return (
    <>
      {waited && (
        <p class={followed.isGone && isPending ? 'pending gone' : 'pending'} role="status">
          <Words {...followed} from={steps[0]?.transaction?.account} />
        </p>
      )}
      {drawn}
    </>
  )
}
