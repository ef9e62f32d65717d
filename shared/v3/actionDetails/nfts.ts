// Items: moved, listed, sold and auctioned.

import { z } from 'zod'
import { account, amount, flag, itemFields, queryId, text } from './fields.ts'

const { nft_collection, nft_item } = itemFields
const marketplace = text('Name of the marketplace; null when unknown.')
const marketplaceAddress = account('Marketplace contract.')

const NftTransfer = z
  .object({
    ...itemFields,
    old_owner: account('Previous owner.').optional(),
    new_owner: account('Owner afterwards.'),
    is_purchase: flag('True when the item was bought.'),
    price: amount('Price in nanotons.').optional(),
    ...queryId,
    response_destination: account('Receiver of the excess.'),
    custom_payload: text('Payload for the item, base64 BoC.'),
    forward_payload: text('Payload for the new owner, base64 BoC.'),
    forward_amount: amount('Nanotons forwarded to the new owner.'),
    comment: text('Comment, base64 when encrypted.'),
    is_encrypted_comment: flag('True when the comment is encrypted.'),
    marketplace,
    real_old_owner: account('Seller.'),
    marketplace_address: marketplaceAddress,
    payout_amount: amount('Nanotons paid to the seller.'),
    payout_address: account('Receiver of the payout.'),
    payout_comment: text('Comment of the payout.'),
    payout_comment_encrypted: flag('True when that comment is encrypted.'),
    payout_comment_encoded: flag('True when that comment is base64.'),
    royalty_amount: amount('Royalty in nanotons.'),
    royalty_address: account('Receiver of the royalty.'),
  })
  .meta({ id: 'NftTransferDetails' })

const NftMint = z
  .object({ owner: account('Account that deployed the item.').optional(), ...itemFields })
  .meta({ id: 'NftMintDetails' })

const NftDiscovery = z
  .object({ source: account('Account that queried the item.'), ...itemFields })
  .meta({ id: 'NftDiscoveryDetails' })

const listing = {
  ...itemFields,
  owner: account('Seller.'),
  listing_address: account('Contract that deployed the sale.'),
  marketplace_address: marketplaceAddress,
  marketplace_fee_address: account('Receiver of the marketplace fee.'),
  royalty_address: account('Receiver of the royalty.'),
  marketplace,
}

const prices = {
  full_price: amount('Price in nanotons, fees included.'),
  marketplace_fee: amount('Marketplace fee in nanotons.'),
  royalty_amount: amount('Royalty in nanotons.'),
}

const PutOnSale = z
  .object({ ...listing, sale_address: account('Sale contract.'), ...prices })
  .meta({ id: 'NftPutOnSaleDetails' })

const PutOnAuction = z
  .object({
    ...listing,
    auction_address: account('Auction contract.'),
    marketplace_fee_factor: amount('Numerator of the marketplace fee.'),
    marketplace_fee_base: amount('Denominator of the marketplace fee.'),
    royalty_fee_base: amount('Denominator of the royalty.'),
    max_bid: amount('Bid in nanotons that ends the auction.'),
    min_bid: amount('Smallest bid in nanotons.'),
  })
  .meta({ id: 'NftPutOnAuctionDetails' })

const UpdateSale = z
  .object({
    source: account('Seller.'),
    sale_contract: account('Contract of the sale.'),
    nft_address: nft_item,
    marketplace_address: marketplaceAddress,
    marketplace,
    ...prices,
  })
  .meta({ id: 'NftUpdateSaleDetails' })

const ending = {
  owner: account('Owner afterwards.'),
  nft_item,
  nft_collection,
  marketplace_address: marketplaceAddress,
  marketplace,
}

const CancelSale = z.object({ ...ending, sale_address: account('Sale contract.') }).meta({ id: 'NftCancelSaleDetails' })

const EndAuction = z
  .object({ ...ending, auction_address: account('Auction contract.') })
  .meta({ id: 'NftEndAuctionDetails' })

const Bid = z
  .object({
    amount: amount('Bid in nanotons.'),
    bidder: account('Account that bids.'),
    auction: account('Auction contract.'),
    ...itemFields,
  })
  .meta({ id: 'AuctionBidDetails' })

const Outbid = z
  .object({
    auction_address: account('Auction contract.'),
    bidder: account('Bidder who is refunded.'),
    new_bidder: account('Bidder with the higher bid.'),
    nft_item,
    nft_collection,
    amount: amount('Refund in nanotons.'),
    marketplace: marketplace.optional(),
  })
  .meta({ id: 'AuctionOutbidDetails' })

export const nfts = {
  nft_transfer: NftTransfer,
  nft_purchase: NftTransfer,
  nft_mint: NftMint,
  nft_discovery: NftDiscovery,
  nft_put_on_sale: PutOnSale,
  nft_put_on_auction: PutOnAuction,
  nft_update_sale: UpdateSale,
  nft_cancel_sale: CancelSale,
  nft_cancel_auction: EndAuction,
  nft_finish_auction: EndAuction,
  teleitem_start_auction: PutOnAuction,
  teleitem_cancel_auction: EndAuction,
  auction_bid: Bid,
  auction_outbid: Outbid,
}
