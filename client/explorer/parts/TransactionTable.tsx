import type { ComponentChildren } from 'preact'
import type { Transaction } from '../../index.ts'
import { callWords } from '../operations.ts'
import { changeOf, codeHashOf } from '../trace/transactionCost.ts'
import { Address } from './Address.tsx'
import { Amount } from './Amount.tsx'
import { groupDigits } from './groupDigits.ts'
import { Hash } from './Hash.tsx'
import { Table } from './Table.tsx'
import { When } from './When.tsx'

function Outcome({ transaction }: { readonly transaction: Transaction }) {
  const { compute_ph: compute, action, aborted } = transaction.description
  if (compute && !compute.skipped && !compute.success) return <span class="badge bad">exit {compute.exit_code}</span>
  if (action && !action.success) return <span class="badge bad">action {action.result_code}</span>
  if (compute?.skipped) return <span class="badge">no code ran</span>
  if (aborted) return <span class="badge bad">aborted</span>
  const ignored = action?.skipped_actions ?? 0
  return ignored > 0 ? <span class="badge warn">{ignored} ignored</span> : <span class="badge good">ok</span>
}

const gasOf = ({ description: { compute_ph: compute } }: Transaction): string =>
  compute && !compute.skipped ? groupDigits(compute.gas_used) : ''

interface WithAccount {
  readonly withAccount?: boolean
}

export const TransactionLine = ({
  transaction,
  withAccount = false,
}: WithAccount & { readonly transaction: Transaction }) => (
  <tr>
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
    <td class="nowrap">{callWords(transaction, codeHashOf(transaction))}</td>
    <td>
      {transaction.in_msg?.source ? (
        <Address of={transaction.in_msg.source} />
      ) : (
        <span class="quiet nowrap">{transaction.in_msg === null ? 'the chain' : 'outside'}</span>
      )}
    </td>
    <td>
      <Outcome transaction={transaction} />
    </td>
    <td class="number">{gasOf(transaction)}</td>
    <td class="number">
      <Amount of={changeOf([transaction])} signed />
    </td>
    <td class="number">{transaction.lt}</td>
  </tr>
)

/** A table whose rows are `TransactionRow`. */
export const TransactionFrame = ({
  withAccount = false,
  children,
}: WithAccount & { readonly children: ComponentChildren }) => (
  <Table
    label="Transactions"
    class="transactions"
    columns={[
      'Transaction',
      ...(withAccount ? ['Account'] : []),
      'Time',
      'Operation',
      'From',
      'Outcome',
      { number: 'Gas' },
      { number: 'Change' },
      { number: 'Logical time' },
    ]}
  >
    {children}
  </Table>
)

export interface TransactionTableProps extends WithAccount {
  readonly transactions: readonly Transaction[]
}

export const TransactionTable = ({ transactions, withAccount = false }: TransactionTableProps) => (
  <TransactionFrame withAccount={withAccount}>
    {transactions.map((one) => (
      <TransactionLine key={one.hash} transaction={one} withAccount={withAccount} />
    ))}
  </TransactionFrame>
)
