import { query } from '../../../shared/explorer/explorerQuery.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { useReplies } from '../useReplies.ts'

const MOST = 10

export function TopAccounts() {
  const { data, error, reload } = useReplies([query('v3.topAccountsByBalance', { limit: MOST })])
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  return (
    <Table label="Accounts with the largest balances" columns={['Account', { number: 'Balance' }]}>
      {data[0].map(({ account, balance }) => (
        <tr key={account}>
          <td>
            <Address of={account} />
          </td>
          <td class="number">
            <Amount of={balance} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
