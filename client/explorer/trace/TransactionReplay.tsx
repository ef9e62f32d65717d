// A transaction executed again by the service: each instruction of the TVM with its gas and its stack.

import { useRef } from 'preact/hooks'
import { replayOf } from '../../../shared/explorer/traceQueries.ts'
import type { Transaction } from '../../index.ts'
import { Copy } from '../parts/Copy.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { useFolded } from '../parts/useFolded.ts'
import { useStepState } from '../parts/useStepState.ts'
import { useReplies } from '../useReplies.ts'
import { readVmLog, stackItems, type VmStep } from './vmLog.ts'

/** Steps that are shown at first, and that each press of the button adds. */
const PART = 100
/** Values of one stack that are shown, from the top; and letters of a value next to its instruction. */
const MOST_VALUES = 64
const SHORT_VALUE = 40

const number = (value: number): string => groupDigits(String(value))

const short = (value: string): string => (value.length > SHORT_VALUE ? `${value.slice(0, SHORT_VALUE)}…` : value)

/** The stack before a step, its top first. */
function Stack({ items }: { readonly items: readonly string[] }) {
  if (items.length === 0) return <p class="quiet">The stack was empty.</p>
  return (
    <>
      <ol class="stack" start={0} aria-label="Stack before the step, its top first">
        {items.slice(0, MOST_VALUES).map((value, at) => (
          <li key={at}>
            <span class="quiet">s{at}</span> <code>{value}</code>
          </li>
        ))}
      </ol>
      {items.length > MOST_VALUES && <p class="quiet">{items.length - MOST_VALUES} more below.</p>}
    </>
  )
}

interface StepProps {
  /** Hash of the transaction. */
  readonly of: string
  readonly step: VmStep
  /** Words of the end, for the last step of the run. */
  readonly exit: string | null
  readonly isBad: boolean
}

function Step({ of, step, exit, isBad }: StepProps) {
  const [isOpen, fold] = useFolded(`step ${step.number} ${of}`)
  const items = stackItems(step.stack)
  return (
    <li class={exit === null ? 'vm-step' : `vm-step exit${isBad ? ' failed' : ''}`}>
      <details {...fold}>
        <summary>
          <span class="vm-number">{step.number}</span> <code class="vm-name">{step.instruction}</code>{' '}
          <span class="vm-gas">{step.used === null ? '' : `${number(step.used)} gas`}</span>{' '}
          <code class="vm-top">{items.slice(0, 2).map(short).join(' ')}</code>
          {exit !== null && <span class={isBad ? 'badge bad' : 'badge good'}>{exit}</span>}
        </summary>
        {isOpen && (
          <div class="vm-more">
            <p class="quiet">
              {step.left !== null && <>{number(step.left)} gas left. </>}
              {step.place && (
                <>
                  Bit {step.place.offset} of the code cell <code>{step.place.cell}</code>.
                </>
              )}
            </p>
            {step.notes.length > 0 && (
              <ul class="plain">
                {step.notes.map((note, at) => (
                  <li key={at}>{note}</li>
                ))}
              </ul>
            )}
            <Stack items={items} />
          </div>
        )}
      </details>
    </li>
  )
}

interface StepsProps {
  /** Hash of the transaction. */
  readonly of: string
  readonly steps: readonly VmStep[]
  readonly exitCode: number | null
}

function Steps({ of, steps, exitCode }: StepsProps) {
  const [most, setMost] = useStepState(`steps ${of}`, PART)
  const list = useRef<HTMLOListElement>(null)
  const shown = steps.slice(-most)
  const earlier = steps.length - shown.length
  const last = steps.at(-1)
  const missing = (steps[0]?.number ?? 1) - 1
  const isBad = exitCode !== 0 && exitCode !== 1
  const exit = exitCode === null ? 'end' : `exit code ${exitCode}`
  return (
    <>
      <p class="replay-line">
        {number(last?.number ?? 0)} {last?.number === 1 ? 'step' : 'steps'}; the last one is{' '}
        <code>{last?.instruction}</code>, {exit}.{' '}
        <button
          type="button"
          class="second small"
          onClick={() => {
            const summary = list.current?.querySelector<HTMLElement>('.exit summary')
            summary?.scrollIntoView({ block: 'center' })
            summary?.focus({ preventScroll: true })
          }}
        >
          Go to the exit
        </button>
      </p>
      {missing > 0 && (
        <p class="hint">The service keeps the last 256 kB of a log: the first {number(missing)} steps are not in it.</p>
      )}
      {earlier > 0 && (
        <button
          type="button"
          class="second small"
          onClick={() => {
            // The last press removes the button.
            if (earlier <= PART) list.current?.querySelector('summary')?.focus({ preventScroll: true })
            setMost(most + PART)
          }}
        >
          Show {Math.min(PART, earlier)} of {number(earlier)} earlier steps
        </button>
      )}
      <ol class="vm-steps" aria-label="Steps" start={shown[0]?.number} ref={list}>
        {shown.map((step) => (
          <Step key={step.number} of={of} step={step} exit={step === last ? exit : null} isBad={isBad} />
        ))}
      </ol>
    </>
  )
}

export function TransactionReplay({ transaction }: { readonly transaction: Transaction }) {
  const { data, error, reload } = useReplies([replayOf(transaction.hash)])
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const [again] = data
  const compute = transaction.description.compute_ph
  const steps = readVmLog(again.vm_log, compute?.skipped === false ? compute.vm_steps : null)
  return (
    <>
      <p>
        {again.is_equal ? (
          <span class="badge good">Same result</span>
        ) : (
          <span class="badge bad">Another result than on the chain</span>
        )}{' '}
        {again.reason ?? 'Run again on the state, configuration and time of its block.'}{' '}
        {again.vm_log !== '' && <Copy text={again.vm_log} what="log of the TVM" label="Copy log" />}
      </p>
      {steps.length === 0 ? (
        <Empty title="No code was run: the compute phase was skipped." />
      ) : (
        <Steps of={transaction.hash} steps={steps} exitCode={again.exit_code} />
      )}
    </>
  )
}
