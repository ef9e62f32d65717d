// Who holds a jetton, the largest balances first.

import { holdersOf } from '../../../shared/explorer/explorerQueries.ts'
import { decimalsOf, tokenOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { useReplies } from '../useReplies.ts'
import type { PartProps } from './partProps.ts'

export function Holders({ raw, stamp }: PartProps) {
  const { data, error, reload } = useReplies([holdersOf(raw)], { stamp })
  if (error !== null && data === null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const wallets = data[0].jetton_wallets
  if (wallets.length === 0) return <Empty title="This jetton has no holders." />
  return (
    <Table label="Holders" columns={['Owner', 'Wallet', { number: 'Balance' }]}>
      {wallets.map(({ address, owner, balance }) => (
        <tr key={address}>
          <td>{owner === null ? <span class="quiet">unknown</span> : <Address of={owner} />}</td>
          <td>
            <Address of={address} full />
          </td>
          <td class="number">
            <Amount of={balance} decimals={decimalsOf(raw)} symbol={tokenOf(raw)?.symbol ?? ''} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
