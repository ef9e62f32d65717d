// The outcome of a trace at a glance, and what it did.

import { useMemo } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import type { Action, Trace } from '../../index.ts'
import { accountPath, interfacesOf } from '../accountNames.ts'
import { ActionSentence, ActionTitle } from '../actions/ActionSentence.tsx'
import { inOrder } from '../actions/inOrder.ts'
import { namesOf } from '../decoders/stored.ts'
import { lazy } from '../lazyPage.tsx'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { useFirst } from '../parts/useFirst.tsx'
import { TimeAndAge } from '../parts/When.tsx'
import { href } from '../router.ts'
import { ignoredActions, type Step, type TraceModel } from './model.ts'
import { orZero } from './orZero.ts'
import { phasesOf } from './phasesOf.ts'
import { codeHashOf } from './transactionCost.ts'

const StakeRefused = lazy(async () => (await import('./StakeRefused.tsx')).StakeRefused)

const OUTCOMES = {
  pending: { text: 'Pending', kind: 'warn' },
  success: { text: 'Success', kind: 'good' },
  partly: { text: 'Partly failed', kind: 'warn' },
  failed: { text: 'Failed', kind: 'bad' },
  large: { text: 'Too large', kind: '' },
} as const

function Cause({ step }: { readonly step: Step }) {
  const { transaction, message } = step
  const hasFailed = step.outcome === 'failed'
  if (transaction === null || !(hasFailed || ignoredActions(transaction) > 0)) return null
  const interfaces = interfacesOf(transaction.account)
  const phases = phasesOf(transaction, interfaces, namesOf(codeHashOf(transaction), interfaces)?.errors)
  const own = phases.filter(({ name }) => name !== 'Bounce')
  const failed = own.find(({ outcome }) => outcome === 'failed') ?? own.find(({ outcome }) => outcome === 'skipped')
  const back = phases.find(({ name }) => name === 'Bounce')
  const stays = hasFailed && orZero(message?.value) > 0n ? '; the rest of the value stays there' : ''
  return (
    <p class={hasFailed ? 'cause' : 'cause partly'}>
      <Address of={transaction.account} />: {failed?.text ?? 'failed'}
      {back ? `; ${back.text}` : stays}.{failed?.hint && <span class="hint"> {failed.hint}</span>}
      {failed?.isOwn && (
        <span class="hint">
          {' '}
          <a href={href(accountPath(transaction.account, 'contract'))}>Add the ABI of the contract</a> to see it in
          words.
        </span>
      )}
    </p>
  )
}

export function Summary({ trace, model }: { readonly trace: Trace; readonly model: TraceModel }) {
  const { text, kind } = OUTCOMES[model.status]
  const count = trace.trace_info.transactions
  // The block that its preview has does not exist.
  const isWaiting = model.status === 'pending' && trace.trace_id === null
  return (
    <section class="summary" aria-label="Outcome">
      <p class="summary-line">
        <span class={`badge big ${kind}`}>{isWaiting ? 'Preview' : text}</span>
        <span>{counted(count, 'transaction')}</span>
        {model.size > 0 && (
          <span>
            fees <Amount of={model.fees} />
          </span>
        )}
        {!isWaiting && (
          <span>
            {trace.trace_id === null ? 'emulated on the state of block' : 'block'}{' '}
            <a href={href(`/block/${trace.mc_seqno_end}`)}>{trace.mc_seqno_end}</a>
          </span>
        )}
        {trace.trace_id !== null && (
          <span>
            <TimeAndAge at={trace.start_utime} />
          </span>
        )}
      </p>
      {model.cause && <Cause step={model.cause} />}
      {trace.actions?.some(({ type, success }) => !success && type === 'election_deposit') && (
        <StakeRefused trace={trace} />
      )}
    </section>
  )
}

/** Actions that are shown at first: the graph and the list are below them. */
const FIRST_ACTIONS = 20

export interface ActionsProps {
  readonly actions: readonly Action[]
  /** Not all of them are in blocks. */
  readonly isPreview: boolean
  readonly onMark: (transactions: readonly string[]) => void
}

export function Actions({ actions, isPreview, onMark }: ActionsProps) {
  const { shown, more } = useFirst(
    useMemo(() => inOrder(actions), [actions]),
    FIRST_ACTIONS,
    'actions',
  )
  if (actions.length === 0) return null
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">{isPreview ? 'What would happen' : 'What happened'}</h2>
      <ol class="actions">
        {shown.map((action) => (
          <li
            key={action.action_id}
            class={action.success ? undefined : 'failed'}
            onMouseEnter={() => onMark(action.transactions)}
            onMouseLeave={() => onMark([])}
          >
            <span class="badge">
              <ActionTitle action={action} />
            </span>
            <ActionSentence action={action} />
            {!action.success && <span class="badge bad">failed</span>}
          </li>
        ))}
      </ol>
      {more}
    </section>
  )
}
