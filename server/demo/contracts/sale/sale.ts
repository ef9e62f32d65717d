// Deploying and driving what sells an item: for a fixed price, by auction, and the marketplace that lists both.

import { beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountAddress, commentBody, type Deployment, operationBody, stateInit } from '../../../devchain/index.ts'
import { type Payload, storeAccount } from '../body.ts'
import { deployment } from '../code.ts'

/** The version of the public contracts as which one tells of itself. */
export type SaleForm = 3 | 4

export interface FixedPriceParts {
  readonly marketplace: AccountAddress
  readonly item: AccountAddress
  /** Who gets the coins; whoever brings the item when null. */
  readonly owner: AccountAddress | null
  /** Nanotons, fee and royalty included. */
  readonly price: bigint
  readonly feeTo: AccountAddress
  readonly fee: bigint
  readonly royaltyTo: AccountAddress
  readonly royalty: bigint
  /** Unix seconds; tells two sales of the same item apart. */
  readonly createdAt: number
}

/** A part of the highest bid: factor / base. */
export interface Share {
  readonly to: AccountAddress
  readonly factor: number
  readonly base: number
}

export interface AuctionParts {
  readonly marketplace: AccountAddress
  readonly item: AccountAddress
  /** Who gets the coins; whoever brings the item when null. */
  readonly owner: AccountAddress | null
  readonly minBid: bigint
  /** Buys at once; nothing does when absent. */
  readonly maxBid?: bigint
  /** By how many per cent a bid must be higher than the one before. */
  readonly minStep: number
  /** Unix seconds. */
  readonly endsAt: number
  /** Seconds a bid leaves others at least. */
  readonly stepTime: number
  readonly fee: Share
  readonly royalty: Share
  /** Unix seconds; tells two auctions of the same item apart. */
  readonly createdAt: number
}

const ops = { acceptCoins: 1, cancel: 3, update: 0x6c6c2080, cancelAuction: 0x5616c572, finish: 0x20c9eb18 } as const
const LIST_ITEM = 0x0fe0ede
/** For a purchase, a cancellation or an end: what moving the item costs, on top of a price. */
export const SALE_TRANSFER_VALUE = 100_000_000n

/** An item that comes back must be able to. */
function checkOwner(owner: AccountAddress | null): void {
  if (owner !== null && owner.workchain !== 0) throw new RangeError('Items belong to accounts of the basechain')
}

/** A sale without its item, which must be transferred to it. Throws RangeError when nothing would be left for the owner. */
export function fixedPriceSale(parts: FixedPriceParts, form: SaleForm = 3): Deployment {
  const { price, fee, royalty } = parts
  checkOwner(parts.owner)
  if (fee + royalty > price) throw new RangeError(`Fee and royalty are more than the price, ${price}`)
  const fees = storeAccount(storeAccount(beginCell(), parts.feeTo).storeCoins(fee), parts.royaltyTo).storeCoins(royalty)
  const head = storeAccount(beginCell().storeBit(0).storeUint(parts.createdAt, 32), parts.marketplace)
  const data = storeAccount(storeAccount(head, parts.item), parts.owner).storeCoins(price).storeRef(fees.end())
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
  const receivers = storeAccount(storeAccount(beginCell(), fee.to), royalty.to)
  const bids = storeAccount(beginCell(), parts.marketplace).storeCoins(parts.minBid).storeCoins(maxBid)
  const terms = storeAccount(bids.storeCoins(BigInt(parts.minStep)).storeUint(parts.stepTime, 32), parts.item)
  // Not ended, not canceled, nobody has bid anything at any time.
  const head = beginCell()
    .storeUint(0, 2 + 2)
    .storeCoins(0n)
    .storeUint(0, 32)
    .storeUint(parts.endsAt, 32)
  const data = storeAccount(head, parts.owner).storeUint(0, 64)
  for (const { factor, base } of [fee, royalty]) data.storeUint(factor, 32).storeUint(base, 32)
  data.storeRef(receivers.end()).storeRef(terms.storeUint(parts.createdAt, 32).end())
  return deployment(form === 4 ? 'sale/auctionV4' : 'sale/auction', data.storeBit(0).end())
}

/** A marketplace that lists what is sent to it. `number` tells several apart. */
export const marketplace = (number = 0): Deployment =>
  deployment('sale/marketplace', beginCell().storeUint(number, 32).end())

/** For a sale or an auction, from anybody: coins to begin with. */
export const saleAcceptCoinsBody = (queryId: bigint): Cell => operationBody(ops.acceptCoins, queryId).end()

/** For a sale, from the owner or the marketplace: gives the item back. */
export const saleCancelBody = (queryId: bigint): Cell => operationBody(ops.cancel, queryId).end()

/** For a sale, from the owner: another price, fee and royalty. */
export const saleUpdateBody = (
  queryId: bigint,
  { price, fee, royalty }: Pick<FixedPriceParts, 'price' | 'fee' | 'royalty'>,
) => operationBody(ops.update, queryId).storeCoins(price).storeCoins(fee).storeCoins(royalty).end()

/** For an auction nobody has bid in, from the owner or the marketplace; as a text when there is no query id. */
export const auctionCancelBody = (queryId: bigint | null = null): Cell =>
  queryId === null ? commentBody('cancel') : operationBody(ops.cancelAuction, queryId).end()

/** For an auction whose time is over, from the owner, the marketplace or the highest bidder. */
export const auctionFinishBody = (queryId: bigint | null = null): Cell =>
  queryId === null ? commentBody('finish') : operationBody(ops.finish, queryId).end()

/** What the owner of an item forwards with it to the marketplace, so that this contract sells it. */
export function listingPayload(seller: Deployment, body: Cell = saleAcceptCoinsBody(0n)): Payload {
  // The first bit, which says that the payload stands in the body, is written with it: 31 bits are left of the number.
  const cell = beginCell().storeUint(LIST_ITEM, 31).storeRef(stateInit(seller)).storeRef(body).end()
  return { form: 'inline', cell }
}
