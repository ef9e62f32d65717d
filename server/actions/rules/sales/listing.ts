// An item is listed: it goes to the deployer of the sale contract, and from there to that contract.

import type { ActionBlock, Content } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf } from '../../base.ts'
import { digits } from '../../details.ts'
import type { AccountsFacts } from '../../input.ts'
import { Picked, type Rule } from '../../rule.ts'
import { marketplaceName } from '../nft/marketplaces.ts'
import { NFT_TRANSFER, type NftTransfer } from '../nft/transferKind.ts'
import { type AuctionData, readAuctionData, readSaleData, type SaleData } from './deployData.ts'

export interface Listing {
  readonly item: string
  readonly collection: string | null
  readonly index: bigint | null
  readonly owner: string | null
  /** Who deploys the contract. */
  readonly lister: string | null
  /** The contract that sells. */
  readonly seller: string
  readonly marketplace: string | null
}

const roles = ({ owner, lister, seller, collection, item }: Listing) => ({
  source: owner,
  sourceSecondary: lister,
  destination: seller,
  asset: collection,
  assetSecondary: item,
})

const itemDetails = ({ collection, item, index, owner, lister }: Listing) => ({
  nft_collection: collection,
  nft_item: item,
  nft_item_index: digits(index),
  owner,
  listing_address: lister,
})

const PUT_ON_SALE = new Kind<Listing & SaleData>({
  type: 'nft_put_on_sale',
  describe: (listing) => ({
    roles: roles(listing),
    details: {
      ...itemDetails(listing),
      sale_address: listing.seller,
      marketplace_address: null,
      full_price: digits(listing.fullPrice),
      marketplace_fee: digits(listing.marketplaceFee),
      royalty_amount: digits(listing.royalty),
      marketplace_fee_address: listing.feeAddress,
      royalty_address: listing.royaltyAddress,
      marketplace: listing.marketplace,
    },
  }),
})

const describeAuction = (listing: Listing & AuctionData) => ({
  roles: roles(listing),
  details: {
    ...itemDetails(listing),
    auction_address: listing.seller,
    marketplace_address: null,
    marketplace_fee_factor: digits(listing.feeFactor),
    marketplace_fee_base: digits(listing.feeBase),
    royalty_fee_base: digits(listing.royaltyBase),
    max_bid: digits(listing.maxBid),
    min_bid: digits(listing.minBid),
    marketplace_fee_address: listing.feeAddress,
    royalty_address: listing.royaltyAddress,
    marketplace: listing.marketplace,
  },
})

const PUT_ON_AUCTION = new Kind<Listing & AuctionData>({ type: 'nft_put_on_auction', describe: describeAuction })

export const START_TELEITEM = new Kind<Listing & AuctionData>({
  type: 'teleitem_start_auction',
  describe: describeAuction,
})

interface Found {
  readonly deployment: ActionBlock
  readonly handover: ActionBlock
  readonly seller: string
}

/** Of plain blocks, the first in which each account came to life. */
function deploymentsAmong(blocks: readonly ActionBlock[]): ReadonlyMap<string, ActionBlock> {
  const first = new Map<string, ActionBlock>()
  for (const block of blocks)
    if (block.deployments.size > 0 && envelopeOf(block) !== undefined)
      for (const account of block.deployments) if (!first.has(account)) first.set(account, block)
  return first
}

/** The deployment behind a transfer and the transfer of the item to what was deployed. */
function listingBehind({ next }: ActionBlock, { item }: NftTransfer): Found | null {
  const deployments = deploymentsAmong(next)
  for (const handover of next) {
    const given = NFT_TRANSFER.of(handover)
    const seller = given?.newOwner
    if (given?.item !== item || typeof seller !== 'string') continue
    const deployment = deployments.get(seller)
    if (deployment !== undefined) return { deployment, handover, seller }
  }
  return null
}

function contentOf(
  { seller, deployment }: Found,
  listing: Omit<Listing, 'seller' | 'marketplace'>,
  facts: AccountsFacts,
): Content | null {
  const known = facts.get(seller)
  const init = deployment.first.message?.init ?? null
  const market = known?.auction?.marketplace ?? known?.sale?.marketplace ?? null
  const all = { seller, marketplace: marketplaceName(market, listing.collection), ...listing }
  if (known?.auction !== undefined) {
    const data = readAuctionData(init)
    return data === null ? null : PUT_ON_AUCTION.content({ ...all, ...data })
  }
  if (known?.sale === undefined) return null
  const data = readSaleData(init, known.sale)
  return data === null ? null : PUT_ON_SALE.content({ ...all, ...data })
}

/**
 * Invariant: an item goes to an account which deploys a known sale or auction and transfers the item to it; terms
 * are those it was deployed with.
 */
export const putOnSale: Rule = {
  name: 'sales/listing',
  begins: (block) => NFT_TRANSFER.is(block),
  match(block, facts) {
    const transfer = NFT_TRANSFER.of(block)
    const found = transfer === undefined ? null : listingBehind(block, transfer)
    if (transfer === undefined || found === null) return null
    const { item, collection, index, oldOwner: owner, newOwner: lister } = transfer
    const content = contentOf(found, { item, collection, index, owner, lister }, facts)
    if (content === null) return null
    const picked = new Picked(block, found.deployment, found.handover)
    return { blocks: picked.blocks, content, failed: block.failed || found.handover.failed }
  },
}
