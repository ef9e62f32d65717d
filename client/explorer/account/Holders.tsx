// Who holds a jetton, the largest balances first.

import { holdersOf } from '../../../shared/explorer/accountPartQueries.ts'
import type { JettonWallet } from '../../index.ts'
import { decimalsOf, symbolOf } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { PageEnd } from '../parts/PageEnd.tsx'
import { Rows } from '../parts/Rows.tsx'
import { Table } from '../parts/Table.tsx'
import { usePages } from '../parts/usePages.ts'
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

const HolderRow = ({ row: { address, owner, balance, jetton }, supply }: HolderRowProps) => (
  <tr>
    <td>{owner === null ? <span class="quiet">unknown</span> : <Address of={owner} />}</td>
    <td class="number">
      <Amount of={balance} decimals={decimalsOf(jetton)} symbol={symbolOf(jetton)} />
    </td>
    <td class="number">{supply === null || supply === '0' ? '' : shareOf(balance, supply)}</td>
    <td>
      <Address of={address} full />
    </td>
  </tr>
)

export function Holders({ raw, stamp, supply }: PartProps & Pick<TokenFacts, 'supply'>) {
  const pages = usePages(
    (cursor) => holdersOf(raw, cursor),
    ({ jetton_wallets: rows, cursor }) => ({ rows, cursor }),
    ({ address }) => address,
    stamp,
  )
  if (pages.count === 0) return <Empty title="This jetton has no holders." />
  return (
    <>
      {pages.count !== null && (
        <Table label="Holders" columns={['Owner', { number: 'Balance' }, { number: 'Share' }, 'Wallet']}>
          <Rows of={pages} each={(row) => <HolderRow key={row.address} row={row} supply={supply} />} also={supply} />
        </Table>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}
