import type { Api } from '../../index.ts'

export type NftSale = Api['v3.nft.sales']['result']['nft_sales'][number]

export interface ItemPrice {
  readonly amount: string
  /** Of an auction: the highest bid, or the smallest first one. */
  readonly words: 'price' | 'bid' | 'from'
}

/** What an item costs now; null when the contract does not say. */
export function priceOf({ details }: NftSale): ItemPrice | null {
  const { full_price: price, last_bid, bid = last_bid, min_bid: least } = details
  if (price !== undefined) return { amount: price, words: 'price' }
  if (bid !== undefined && BigInt(bid) > 0n) return { amount: bid, words: 'bid' }
  return least === undefined ? null : { amount: least, words: 'from' }
}
