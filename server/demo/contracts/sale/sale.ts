// Deployment of contracts that sell an item, for a fixed price or by auction, of the marketplace that lists them, and the
// messages they accept.

import { sales } from '../../../bodies/index.ts'
import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountId, commentBody, type Deployment, operationBody, stateInit } from '../../../devchain/index.ts'
import { cellWriter, type OrderPayload, storeAddressOrNone } from '../body.ts'
import { deployment } from '../code.ts'

/** The version of public contracts whose get-methods it has. */
export type SaleForm = 3 | 4

export interface FixedPriceParts {
  readonly marketplace: AccountId
  readonly item: AccountId
  /** Receives the price; the account that brings the item when null. */
  readonly owner: AccountId | null
  /** Nanotons, fee and royalty included. */
  readonly price: bigint
  readonly feeTo: AccountId
  readonly fee: bigint
  readonly royaltyTo: AccountId
  readonly royalty: bigint
  /** Unix seconds; distinguishes sales of the same item. */
  readonly createdAt: number
}

/** A part of the highest bid: factor / base. */
export interface SalePart {
  readonly to: AccountId
  readonly factor: number
  readonly base: number
}

export interface AuctionParts {
  readonly marketplace: AccountId
  readonly item: AccountId
  /** Receives the price; the account that brings the item when null. */
  readonly owner: AccountId | null
  readonly minBid: bigint
  /** A bid of this amount ends the auction; no maximum by default. */
  readonly maxBid?: bigint
  /** Per cent by which a bid must exceed the previous one. */
  readonly minStep: number
  /** Unix seconds. */
  readonly endsAt: number
  /** Minimum seconds that the auction is open after a bid. */
  readonly stepTime: number
  readonly fee: SalePart
  readonly royalty: SalePart
  /** Unix seconds; distinguishes auctions of the same item. */
  readonly createdAt: number
}

const LIST_ITEM = 0x0fe0ede
/** For a purchase, a cancellation or an end: the cost of the transfer, in addition to the price. */
export const SALE_TRANSFER_VALUE = 100_000_000n

/** The owner must be able to receive the item back. */
function checkOwner(owner: AccountId | null): void {
  if (owner !== null && owner.workchain !== 0) throw new RangeError('Items belong to accounts of the basechain')
}

/** A sale without its item, which must be transferred to it. Throws RangeError when nothing would be left for the owner. */
export function fixedPriceSale(parts: FixedPriceParts, form: SaleForm = 3): Deployment {
  const { price, fee, royalty } = parts
  checkOwner(parts.owner)
  if (fee + royalty > price) throw new RangeError(`Fee and royalty are more than the price, ${price}`)
  const fees = storeAddressOrNone(
    storeAddressOrNone(beginCell(), parts.feeTo).storeCoins(fee),
    parts.royaltyTo,
  ).storeCoins(royalty)
  const head = storeAddressOrNone(beginCell().storeBit(0).storeUint(parts.createdAt, 32), parts.marketplace)
  const data = storeAddressOrNone(storeAddressOrNone(head, parts.item), parts.owner)
    .storeCoins(price)
    .storeRef(fees.end())
  // Holds no item, not sold at any time.
  data.storeBit(0).storeUint(0, 32)
  return deployment(form === 4 ? 'sale/fixedPriceV4' : 'sale/fixedPrice', data.end())
}

/** An auction without its item, which must be transferred to it. Throws RangeError when nothing would be left for the owner. */
export function saleAuction(parts: AuctionParts, form: SaleForm = 3): Deployment {
  const { fee, royalty, maxBid = 0n } = parts
  checkOwner(parts.owner)
  if (fee.base <= 0 || royalty.base <= 0 || fee.factor / fee.base + royalty.factor / royalty.base > 1)
    throw new RangeError('Fee and royalty are more than the bid')
  const receivers = storeAddressOrNone(storeAddressOrNone(beginCell(), fee.to), royalty.to)
  const bids = storeAddressOrNone(beginCell(), parts.marketplace).storeCoins(parts.minBid).storeCoins(maxBid)
  const terms = storeAddressOrNone(bids.storeCoins(BigInt(parts.minStep)).storeUint(parts.stepTime, 32), parts.item)
  // Not ended, not cancelled, no bid yet.
  const head = beginCell()
    .storeUint(0, 2 + 2)
    .storeCoins(0n)
    .storeUint(0, 32)
    .storeUint(parts.endsAt, 32)
  const data = storeAddressOrNone(head, parts.owner).storeUint(0, 64)
  for (const { factor, base } of [fee, royalty]) data.storeUint(factor, 32).storeUint(base, 32)
  data.storeRef(receivers.end()).storeRef(terms.storeUint(parts.createdAt, 32).end())
  return deployment(form === 4 ? 'sale/auctionV4' : 'sale/auction', data.storeBit(0).end())
}

/** A marketplace that lists the items sent to it. `number` distinguishes marketplaces. */
export const marketplace = (number = 0): Deployment =>
  deployment('sale/marketplace', beginCell().storeUint(number, 32).end())

/** For a sale or an auction, from any account: a top-up. */
export const saleAcceptCoinsBody = (queryId: bigint): Cell => operationBody(sales.acceptCoins.opcode, queryId).end()

/** For a sale, from the owner or the marketplace: returns the item. */
export const saleCancelBody = (queryId: bigint): Cell => operationBody(sales.cancel.opcode, queryId).end()

const writeUpdate = cellWriter(sales.update)

/** For a sale, from the owner: changes price, fee and royalty. */
export const saleUpdateBody = (
  queryId: bigint,
  { price, fee, royalty }: Pick<FixedPriceParts, 'price' | 'fee' | 'royalty'>,
) => writeUpdate({ queryId, newFullPrice: price, newMpFee: fee, newRoyaltyAmount: royalty })

/** For an auction without bids, from the owner or the marketplace: cancels it; a text when there is no query id. */
export const auctionCancelBody = (queryId: bigint | null = null): Cell =>
  queryId === null ? commentBody('cancel') : operationBody(sales.cancelAuction.opcode, queryId).end()

/** For an auction that has ended, from the owner, the marketplace or the highest bidder: settles it. */
export const auctionFinishBody = (queryId: bigint | null = null): Cell =>
  queryId === null ? commentBody('finish') : operationBody(sales.finish.opcode, queryId).end()

/** The payload of a transfer to the marketplace that lists an item with this contract. */
export function listingPayload(seller: Deployment, body: Cell = saleAcceptCoinsBody(0n)): OrderPayload {
  // The first bit, which marks an inline payload, is written with it: 31 bits of the operation are left.
  const cell = beginCell().storeUint(LIST_ITEM, 31).storeRef(stateInit(seller)).storeRef(body).end()
  return { form: 'inline', cell }
}
