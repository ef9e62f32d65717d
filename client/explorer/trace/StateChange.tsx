// What a transaction changed in the state of its account.

import type { Transaction } from '../../index.ts'
import { Amount } from '../parts/Amount.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Table } from '../parts/Table.tsx'

type State = Transaction['account_state_after']

const STATE_ROWS: readonly (readonly [name: string, field: keyof State])[] = [
  ['Status', 'account_status'],
  ['Balance', 'balance'],
  ['Code', 'code_hash'],
  ['Data', 'data_hash'],
  ['Account cell', 'hash'],
]

interface ValueProps {
  readonly of: State
  readonly field: keyof State
  /** What the value is, as words of a sentence. */
  readonly what: string
}

function Value({ of, field, what }: ValueProps) {
  const value = of[field]
  // Of what was between two transactions of one block the chain has the hash alone.
  if (typeof value !== 'string') return <span class="quiet">{of.balance === null ? 'not kept' : 'none'}</span>
  if (field === 'balance') return <Amount of={value} />
  return field === 'account_status' ? <span>{value}</span> : <Hash of={value} what={what} />
}

/** What is not known on one side is not said to have changed. */
const isChanged = ([before, after]: readonly [State, State], field: keyof State): boolean =>
  before[field] !== after[field] && (field === 'hash' || (before.balance !== null && after.balance !== null))

export function StateChange({ transaction }: { readonly transaction: Transaction }) {
  const { account_state_before: before, account_state_after: after, orig_status, end_status } = transaction
  const isPartly = before.balance === null || after.balance === null
  const states = [
    { ...before, account_status: before.account_status ?? orig_status },
    { ...after, account_status: after.account_status ?? end_status },
  ] as const
  return (
    <>
      <Table label="State" columns={['Part', 'Before', 'After']}>
        {STATE_ROWS.map(([name, field]) => (
          <tr key={field}>
            <th scope="row">{name}</th>
            <td>
              <Value of={states[0]} field={field} what={`hash of the ${name.toLowerCase()} before`} />
            </td>
            <td>
              <Value of={states[1]} field={field} what={`hash of the ${name.toLowerCase()} after`} />{' '}
              {isChanged(states, field) && <span class="badge warn">changed</span>}
            </td>
          </tr>
        ))}
      </Table>
      {isPartly && (
        <p class="hint">
          The account had several transactions in this block: between them the chain keeps only the hash of its state.
        </p>
      )}
    </>
  )
}
