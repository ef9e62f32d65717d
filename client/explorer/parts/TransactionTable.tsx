import type { Transaction } from '../../index.ts'
import { Address } from './Address.tsx'
import { Amount, groupDigits } from './Amount.tsx'
import { Hash } from './Hash.tsx'
import { Table } from './Table.tsx'
import { When } from './When.tsx'

const changeOf = ({ account_state_before: before, account_state_after: after }: Transaction): bigint | null =>
  before.balance === null || after.balance === null ? null : BigInt(after.balance) - BigInt(before.balance)

const Change = ({ of: change }: { readonly of: bigint | null }) =>
  change === null ? null : <Amount of={change} signed />

function callOf({ in_msg: message, description }: Transaction): string {
  if (message === null) return description.type.replace('_', '-')
  if (message.bounced) return 'bounced'
  return (
    message.decoded_opcode?.replaceAll('_', ' ') ??
    message.opcode ??
    (message.source === null ? 'external' : 'transfer')
  )
}

function Outcome({ transaction }: { readonly transaction: Transaction }) {
  const { compute_ph: compute, action, aborted } = transaction.description
  if (compute && !compute.skipped && !compute.success) return <span class="badge bad">exit {compute.exit_code}</span>
  if (action && !action.success) return <span class="badge bad">action {action.result_code}</span>
  if (compute?.skipped) return <span class="badge">no code ran</span>
  return aborted ? <span class="badge bad">aborted</span> : <span class="badge good">ok</span>
}

const gasOf = ({ description: { compute_ph: compute } }: Transaction): string =>
  compute && !compute.skipped ? groupDigits(compute.gas_used) : ''

export interface TransactionTableProps {
  readonly transactions: readonly Transaction[]
  readonly withAccount?: boolean
}

export const TransactionTable = ({ transactions, withAccount = false }: TransactionTableProps) => (
  <Table
    label="Transactions"
    columns={[
      'Transaction',
      ...(withAccount ? ['Account'] : []),
      'Time',
      'Operation',
      'From',
      'Outcome',
      { number: 'Gas' },
      { number: 'Balance' },
    ]}
  >
    {transactions.map((transaction) => (
      <tr key={transaction.hash}>
        <td>
          <Hash of={transaction.hash} to="/tx/" copy={false} />
        </td>
        {withAccount && (
          <td>
            <Address of={transaction.account} />
          </td>
        )}
        <td class="nowrap">
          <When at={transaction.now} />
        </td>
        <td>{callOf(transaction)}</td>
        <td>
          {transaction.in_msg?.source ? (
            <Address of={transaction.in_msg.source} />
          ) : (
            <span class="quiet">{transaction.in_msg === null ? 'the chain' : 'outside'}</span>
          )}
        </td>
        <td>
          <Outcome transaction={transaction} />
        </td>
        <td class="number">{gasOf(transaction)}</td>
        <td class="number">
          <Change of={changeOf(transaction)} />
        </td>
      </tr>
    ))}
  </Table>
)
