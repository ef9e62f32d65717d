import { jettonsOf } from '../../../shared/explorer/accountQueries.ts'
import type { JettonWallet } from '../../index.ts'
import { decimalsOf, foreignText, symbolOf, tokenOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { PageEnd } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { usePages } from '../parts/usePages.ts'
import type { PartProps } from './partProps.ts'

function Name({ jetton }: { readonly jetton: string }) {
  const token = tokenOf(jetton)
  const name = foreignText(token?.name ?? '')
  if (token?.valid === false || name === '') return <span class="quiet">unknown token</span>
  return (
    <>
      {name} {token?.is_scam && <span class="badge bad">reported as scam</span>}
    </>
  )
}

const TokenRow = ({ row: { address, jetton, balance } }: { readonly row: JettonWallet }) => (
  <tr>
    <td class="named">
      <Name jetton={jetton} />
    </td>
    <td class="number">
      <Amount of={balance} decimals={decimalsOf(jetton)} symbol={symbolOf(jetton)} />
    </td>
    <td>
      <Address of={jetton} full />
    </td>
    <td>
      <Address of={address} full />
    </td>
  </tr>
)

export function Tokens({ raw, stamp }: PartProps) {
  const pages = usePages(
    (cursor) => jettonsOf(raw, cursor),
    ({ jetton_wallets: rows, cursor }) => ({ rows, cursor }),
    ({ address }) => address,
    stamp,
  )
  if (pages.count === 0) return <Empty title="This account holds no jettons." />
  return (
    <>
      {pages.count !== null && (
        <Table label="Tokens" columns={['Token', { number: 'Balance' }, 'Master', 'Wallet']}>
          <Rows of={pages} each={(row) => <TokenRow key={row.address} row={row} />} />
        </Table>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}
