// A contract that sells an item: what it costs, and who receives what.

import { saleAt } from '../../../shared/explorer/accountQueries.ts'
import { foreignText, itemName } from '../accountNames.ts'
import { Address } from '../parts/Address.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Facts } from '../parts/Facts.tsx'
import { chainNow, exactTime } from '../parts/When.tsx'
import { OneRow } from './OneRow.tsx'
import type { PartProps } from './partProps.ts'
import type { NftSale } from './salePrice.ts'

const KIND: Readonly<Record<NftSale['type'], string>> = {
  getgems_sale: 'for a fixed price',
  getgems_auction: 'auction',
  telemint: 'auction of a name',
}

function stateOf({ details }: NftSale): string {
  const { is_complete: isOver, end_flag: hasEnded, is_canceled: isCancelled, end_time: end = 0 } = details
  if (isCancelled) return 'cancelled'
  if (isOver || hasEnded) return 'over'
  return end > 0 && end < chainNow() ? 'its time is over, the item was not handed over yet' : 'open'
}

const inTon = (amount: string | undefined) => amount !== undefined && <Amount of={amount} />
/** An amount that is zero for none. */
const someTon = (amount: string | undefined) => amount !== undefined && BigInt(amount) > 0n && <Amount of={amount} />
const at = (utime: number | string | undefined) => Number(utime) > 0 && exactTime(Number(utime))
const who = (account: string | undefined) => account !== undefined && <Address of={account} />
const share = (factor: number | undefined, base: number | undefined) =>
  factor !== undefined && base !== undefined && base > 0 && `${Number(((100 * factor) / base).toFixed(2))}%`
const percent = (step: number | string | undefined) => step !== undefined && `${step}%`

/** An item by its name or its number, and its address. */
const soldItem = (item: string, index: string | undefined) => (
  <>
    <b>{itemName(item, index ?? null)}</b> <Address of={item} full />
  </>
)

function SaleFacts({ sale, raw }: { readonly sale: NftSale } & Pick<PartProps, 'raw'>) {
  const { details: of, nft_address: item, nft_owner_address: seller, marketplace_address: market } = sale
  return (
    <Facts
      rows={[
        ['Kind', KIND[sale.type]],
        ['State', stateOf(sale)],
        ['Item', item !== undefined && item !== raw && soldItem(item, sale.nft_item?.index)],
        ['Collection', who(sale.nft_item?.collection_address ?? undefined)],
        ['Name', of.token_name !== undefined && foreignText(of.token_name)],
        ['Seller', who(seller ?? of.beneficiary_address)],
        ['Price', inTon(of.full_price)],
        ['Highest bid', someTon(of.last_bid ?? of.bid)],
        ['Highest bidder', someTon(of.last_bid ?? of.bid) && who(of.last_member ?? of.bidder_address)],
        ['Bid at', at(of.last_bid_at ?? of.bid_ts)],
        ['Smallest bid', inTon(of.min_bid)],
        ['A bid is higher by', percent(of.min_step ?? of.min_bid_step)],
        ['Sold at once for', someTon(of.max_bid)],
        ['Ends', at(of.end_time)],
        ['Began', at(sale.created_at)],
        ['Marketplace', who(market)],
        ['Its fee', inTon(of.marketplace_fee) || share(of.mp_fee_factor, of.mp_fee_base)],
        [
          'Royalty',
          someTon(of.royalty_amount) ||
            share(of.royalty_fee_factor ?? of.royalty_numerator, of.royalty_fee_base ?? of.royalty_denominator),
        ],
        ['Royalty to', who(of.royalty_address ?? of.royalty_fee_address ?? of.royalty_destination)],
      ]}
    />
  )
}

export const NftSalePart = ({ raw, stamp }: PartProps) => (
  <OneRow
    query={saleAt(raw)}
    stamp={stamp}
    rows={({ nft_sales }) => nft_sales}
    none="The index has no sale at this address."
    show={(sale) => <SaleFacts sale={sale} raw={raw} />}
  />
)
