// Who holds a jetton, the largest balances first.

import { holdersOf } from '../../../shared/explorer/accountPartQueries.ts'
import type { JettonWallet } from '../../index.ts'
import { Address } from '../parts/Address.tsx'
import { JettonBalance, JettonWallets } from './JettonWallets.tsx'
import type { PartProps } from './partProps.ts'
import type { TokenFacts } from './tokenFacts.tsx'

/** A part of all, to a hundredth of a percent. */
function shareOf(balance: string, supply: string): string {
  const hundredths = (BigInt(balance) * 10_000n) / BigInt(supply)
  return hundredths === 0n && BigInt(balance) > 0n ? '< 0.01%' : `${Number(hundredths) / 100}%`
}

interface HolderRowProps {
  readonly row: JettonWallet
  /** Null while it is not known, and for none. */
  readonly supply: string | null
}

const HolderRow = ({ row, row: { address, owner, balance }, supply }: HolderRowProps) => (
  <tr>
    <td>{owner === null ? <span class="quiet">unknown</span> : <Address of={owner} />}</td>
    <td class="number">
      <JettonBalance of={row} />
    </td>
    <td class="number">{supply === null || supply === '0' ? '' : shareOf(balance, supply)}</td>
    <td>
      <Address of={address} full />
    </td>
  </tr>
)

export const Holders = ({ raw, stamp, supply }: PartProps & Pick<TokenFacts, 'supply'>) => (
  <JettonWallets
    query={(cursor) => holdersOf(raw, cursor)}
    stamp={stamp}
    none="This jetton has no holders."
    label="Holders"
    columns={['Owner', { number: 'Balance' }, { number: 'Share' }, 'Wallet']}
    each={(row) => <HolderRow key={row.address} row={row} supply={supply} />}
    also={supply}
  />
)
