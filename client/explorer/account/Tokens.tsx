import { jettonsOf } from '../../../shared/explorer/accountQueries.ts'
import type { JettonWallet } from '../../index.ts'
import { foreignText, tokenOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { JettonBalance, JettonWallets } from './JettonWallets.tsx'
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

const TokenRow = ({ row, row: { address, jetton } }: { readonly row: JettonWallet }) => (
  <tr>
    <td class="named">
      <Name jetton={jetton} />
    </td>
    <td class="number">
      <JettonBalance of={row} />
    </td>
    <td>
      <Address of={jetton} full />
    </td>
    <td>
      <Address of={address} full />
    </td>
  </tr>
)

export const Tokens = ({ raw, stamp }: PartProps) => (
  <JettonWallets
    query={(cursor) => jettonsOf(raw, cursor)}
    stamp={stamp}
    none="This account holds no jettons."
    label="Tokens"
    columns={['Token', { number: 'Balance' }, 'Master', 'Wallet']}
    each={(row) => <TokenRow key={row.address} row={row} />}
  />
)
