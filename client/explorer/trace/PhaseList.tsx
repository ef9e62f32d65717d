import type { Transaction } from '../../index.ts'
import { interfacesOf } from '../accountNames.ts'
import { namesOf } from '../decoders/stored.ts'
import { Amount } from '../parts/Amount.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { type Phase, phasesOf } from './phasesOf.ts'
import { codeHashOf, feesOf } from './transactionCost.ts'

const SIGNS = { ok: '✓', failed: '✕', skipped: '○' } as const
const WORDS = { ok: 'went well', failed: 'failed', skipped: 'skipped' } as const

const percentUsed = ({ used, limit }: { readonly used: bigint; readonly limit: bigint }): number =>
  Number((used * 100n) / limit)

const PhaseItem = ({ phase }: { readonly phase: Phase }) => (
  <li class={`phase ${phase.outcome}`}>
    <span class="sign" role="img" aria-label={WORDS[phase.outcome]}>
      {SIGNS[phase.outcome]}
    </span>
    <div>
      <p class="phase-head">
        <strong>{phase.name}</strong> <span>{phase.text}</span>
        {phase.fee > 0n && (
          <span class="push">
            <Amount of={phase.fee} />
          </span>
        )}
      </p>
      {phase.hint && <p class="hint">{phase.hint}</p>}
      {phase.gas && (
        <p class="gas">
          {phase.gas.limit > 0n && <meter min={0} max={100} value={percentUsed(phase.gas)} aria-label="Gas used" />}
          <span>
            {groupDigits(String(phase.gas.used))}
            {phase.gas.limit > 0n && ` of ${groupDigits(String(phase.gas.limit))}`} gas
          </span>
        </p>
      )}
      {phase.facts.length > 0 && (
        <p class="quiet">
          {phase.facts.map(([name, value], at) => (
            <span key={name}>
              {at > 0 && ' · '}
              {name}: {typeof value === 'string' ? value : <Amount of={value.nanotons} />}
            </span>
          ))}
        </p>
      )}
    </div>
  </li>
)

/** One phase after the other, with what each cost. */
export function PhaseList({ transaction }: { readonly transaction: Transaction }) {
  const interfaces = interfacesOf(transaction.account)
  const phases = phasesOf(transaction, interfaces, namesOf(codeHashOf(transaction), interfaces)?.errors)
  return (
    <>
      <ol class="phases">
        {phases.map((phase) => (
          <PhaseItem key={phase.name} phase={phase} />
        ))}
      </ol>
      <p class="total">
        All fees of the transaction: <Amount of={feesOf(transaction)} />
      </p>
    </>
  )
}
