// Who holds a jetton, the largest balances first.

import { holdersOf } from '../../../shared/explorer/accountPartQueries.ts'
import { decimalsOf, symbolOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Table } from '../parts/Table.tsx'
import { PageEnd } from './PageEnd.tsx'
import type { PartProps } from './partProps.ts'
import { usePages } from './usePages.ts'

export function Holders({ raw, stamp }: PartProps) {
  const pages = usePages(
    (cursor) => holdersOf(raw, cursor),
    ({ jetton_wallets: rows, cursor }) => ({ rows, cursor }),
    ({ address }) => address,
    stamp,
  )
  if (pages.rows?.length === 0) return <Empty title="This jetton has no holders." />
  return (
    <>
      {pages.rows !== null && (
        <Table label="Holders" columns={['Owner', { number: 'Balance' }, 'Wallet']}>
          {pages.rows.map(({ address, owner, balance }) => (
            <tr key={address}>
              <td>{owner === null ? <span class="quiet">unknown</span> : <Address of={owner} />}</td>
              <td class="number">
                <Amount of={balance} decimals={decimalsOf(raw)} symbol={symbolOf(raw)} />
              </td>
              <td>
                <Address of={address} full />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}
