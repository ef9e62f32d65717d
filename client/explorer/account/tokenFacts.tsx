// What an account is as a token: whose jettons it holds, how many of a jetton there are, whose item it is.

import { itemAt, jettonMasterAt, jettonWalletAt, saleOf } from '../../../shared/explorer/accountQueries.ts'
import type { AccountStateFull } from '../../index.ts'
import { foreignText } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import type { FactsProps } from '../parts/Facts.tsx'
import { type Loaded, useReplies } from '../useReplies.ts'

export interface TokenFacts extends FactsProps {
  /** Of the jetton that it is; null for none. */
  readonly supply: string | null
  /** False while something of it loads. */
  readonly isWhole: boolean
  readonly found: readonly Loaded<unknown>[]
}

export function useTokenFacts(raw: string, state: AccountStateFull | undefined): TokenFacts {
  const stamp = { stamp: state?.last_transaction_lt ?? '' }
  const when = <Q,>(kind: string, query: Q): readonly Q[] => (state?.interfaces.includes(kind) ? [query] : [])
  const wallets = useReplies(when('jetton_wallet', jettonWalletAt(raw)), stamp)
  const masters = useReplies(when('jetton_master', jettonMasterAt(raw)), stamp)
  const items = useReplies(when('nft_item', itemAt(raw)), stamp)
  const wallet = wallets.data?.[0]?.jetton_wallets[0]
  const master = masters.data?.[0]?.jetton_masters[0]
  const item = items.data?.[0]?.nft_items[0]
  const jetton = wallet?.jetton ?? raw
  const amount = wallet?.balance ?? master?.total_supply
  const sale = item && saleOf(item)
  const owner = wallet?.owner ?? (sale ? item.real_owner : item?.owner_address)
  const domain = item?.content?.domain
  const rows: FactsProps['rows'] = [
    [
      wallet ? 'Holds' : 'Supply',
      amount && (
        <>
          <Amount of={amount} jetton={jetton} />{' '}
          {wallet && (
            <>
              of <Address of={jetton} full />
            </>
          )}
        </>
      ),
    ],
    ['Admin', master?.admin_address && <Address of={master.admin_address} />],
    ['Domain', typeof domain === 'string' && foreignText(domain)],
    ['Collection', item?.collection_address && <Address of={item.collection_address} />],
    ['Owner', (wallet ?? item) && <Address of={owner} />],
    ['On sale at', sale && <Address of={sale} />],
  ]
  const found = [wallets, masters, items]
  const isWhole = found.every(({ data, error }) => data !== null || error !== null)
  return { rows, supply: master?.total_supply ?? null, isWhole, found }
}
