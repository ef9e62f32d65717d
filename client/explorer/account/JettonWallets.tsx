// A list of jetton wallets, page by page: those of an owner, or of a jetton.

import type { jettonsOf } from '../../../shared/explorer/accountQueries.ts'
import type { JettonWallet } from '../../index.ts'
import { Amount } from '../parts/Amount.tsx'
import { Empty } from '../parts/Empty.tsx'
import { PageEnd, PageStart } from '../parts/PageEnd.tsx'
import { Rows, type RowsProps } from '../parts/Rows.tsx'
import { Table, type TableProps } from '../parts/Table.tsx'
import { usePages } from '../parts/usePages.ts'

interface JettonWalletsProps
  extends Pick<TableProps, 'label' | 'columns'>,
    Pick<RowsProps<JettonWallet>, 'each' | 'also'> {
  readonly query: (cursor?: string) => ReturnType<typeof jettonsOf>
  readonly stamp: string
  /** Text for an empty list. */
  readonly none: string
}

export function JettonWallets({ query, stamp, none, label, columns, each, also = null }: JettonWalletsProps) {
  const pages = usePages(
    query,
    ({ jetton_wallets: rows, cursor }) => ({ rows, cursor, moves: true, grows: true }),
    ({ address }) => address,
    stamp,
  )
  if (pages.count === 0) return <Empty title={none} />
  return (
    <>
      <PageStart pages={pages} />
      {pages.count !== null && (
        <Table label={label} columns={columns}>
          <Rows of={pages} each={each} also={also} />
        </Table>
      )}
      <PageEnd pages={pages} word="more" />
    </>
  )
}

export const JettonBalance = ({ of: { balance, jetton } }: { readonly of: JettonWallet }) => (
  <Amount of={balance} jetton={jetton} />
)
