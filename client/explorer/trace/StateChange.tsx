// What a transaction changed in the state of its account.

import { Amount } from '../parts/Amount.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Table } from '../parts/Table.tsx'
import type { Transaction } from './model.ts'

type State = Transaction['account_state_after']

const STATE_ROWS: readonly (readonly [name: string, field: keyof State])[] = [
  ['Status', 'account_status'],
  ['Balance', 'balance'],
  ['Code', 'code_hash'],
  ['Data', 'data_hash'],
  ['Account cell', 'hash'],
]

function Value({ of, field }: { readonly of: State; readonly field: keyof State }) {
  const value = of[field]
  if (typeof value !== 'string') return <span class="quiet">none</span>
  if (field === 'balance') return <Amount of={value} />
  return field === 'account_status' ? <span>{value}</span> : <Hash of={value} />
}

export function StateChange({ transaction }: { readonly transaction: Transaction }) {
  const { account_state_before: before, account_state_after: after } = transaction
  return (
    <Table label="State" columns={['Part', 'Before', 'After']}>
      {STATE_ROWS.map(([name, field]) => (
        <tr key={field}>
          <th scope="row">{name}</th>
          <td>
            <Value of={before} field={field} />
          </td>
          <td>
            <Value of={after} field={field} />{' '}
            {before[field] !== after[field] && <span class="badge warn">changed</span>}
          </td>
        </tr>
      ))}
    </Table>
  )
}
