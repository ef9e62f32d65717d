// Items: moved, listed, sold and auctioned.

import { z } from 'zod'
import { accountField, amountField, booleanField, itemFields, queryId, textField, usualFields } from './fields.ts'

const { nft_collection, nft_item } = itemFields
const marketplace = textField('Name of the marketplace; null when unknown.')
const marketplaceAddress = accountField('Marketplace contract.')

const NftTransfer = z
  .object({
    ...itemFields,
    old_owner: accountField('Previous owner.').optional(),
    new_owner: accountField('Owner afterwards.'),
    is_purchase: booleanField('True when the item was bought.'),
    price: amountField('Price in nanotons.').optional(),
    ...queryId,
    response_destination: accountField('Receiver of the excess.'),
    custom_payload: textField('Payload for the item, base64 BoC.'),
    forward_payload: textField('Payload for the new owner, base64 BoC.'),
    forward_amount: amountField('Nanotons forwarded to the new owner.'),
    comment: usualFields.comment,
    is_encrypted_comment: usualFields.isEncrypted,
    marketplace,
    real_old_owner: accountField('Seller.'),
    marketplace_address: marketplaceAddress,
    payout_amount: amountField('Nanotons paid to the seller.'),
    payout_address: accountField('Receiver of the payout.'),
    payout_comment: textField('Comment of the payout.'),
    payout_comment_encrypted: booleanField('True when that comment is encrypted.'),
    payout_comment_encoded: booleanField('True when that comment is base64.'),
    royalty_amount: amountField('Royalty in nanotons.'),
    royalty_address: accountField('Receiver of the royalty.'),
  })
  .meta({ id: 'NftTransferDetails' })

const NftMint = z
  .object({ owner: accountField('Account that deployed the item.').optional(), ...itemFields })
  .meta({ id: 'NftMintDetails' })

const NftDiscovery = z
  .object({ source: accountField('Account that queried the item.'), ...itemFields })
  .meta({ id: 'NftDiscoveryDetails' })

const listing = {
  ...itemFields,
  owner: accountField('Seller.'),
  listing_address: accountField('Contract that deployed the sale.'),
  marketplace_address: marketplaceAddress,
  marketplace_fee_address: accountField('Receiver of the marketplace fee.'),
  royalty_address: accountField('Receiver of the royalty.'),
  marketplace,
}

const prices = {
  full_price: amountField('Price in nanotons, fees included.'),
  marketplace_fee: amountField('Marketplace fee in nanotons.'),
  royalty_amount: amountField('Royalty in nanotons.'),
}

const PutOnSale = z
  .object({ ...listing, sale_address: accountField('Sale contract.'), ...prices })
  .meta({ id: 'NftPutOnSaleDetails' })

const PutOnAuction = z
  .object({
    ...listing,
    auction_address: accountField('Auction contract.'),
    marketplace_fee_factor: amountField('Numerator of the marketplace fee.'),
    marketplace_fee_base: amountField('Denominator of the marketplace fee.'),
    royalty_fee_base: amountField('Denominator of the royalty.'),
    max_bid: amountField('Bid in nanotons that ends the auction.'),
    min_bid: amountField('Smallest bid in nanotons.'),
  })
  .meta({ id: 'NftPutOnAuctionDetails' })

const UpdateSale = z
  .object({
    source: accountField('Seller.'),
    sale_contract: accountField('Contract of the sale.'),
    nft_address: nft_item,
    marketplace_address: marketplaceAddress,
    marketplace,
    ...prices,
  })
  .meta({ id: 'NftUpdateSaleDetails' })

const ending = {
  owner: accountField('Owner afterwards.'),
  nft_item,
  nft_collection,
  marketplace_address: marketplaceAddress,
  marketplace,
}

const CancelSale = z
  .object({ ...ending, sale_address: accountField('Sale contract.') })
  .meta({ id: 'NftCancelSaleDetails' })

const EndAuction = z
  .object({ ...ending, auction_address: accountField('Auction contract.') })
  .meta({ id: 'NftEndAuctionDetails' })

const Bid = z
  .object({
    amount: amountField('Bid in nanotons.'),
    bidder: accountField('Account that bids.'),
    auction: accountField('Auction contract.'),
    ...itemFields,
  })
  .meta({ id: 'AuctionBidDetails' })

const Outbid = z
  .object({
    auction_address: accountField('Auction contract.'),
    bidder: accountField('Bidder who is refunded.'),
    new_bidder: accountField('Bidder with the higher bid.'),
    nft_item,
    nft_collection,
    amount: amountField('Refund in nanotons.'),
    marketplace: marketplace.optional(),
  })
  .meta({ id: 'AuctionOutbidDetails' })

export const nftsDetails = {
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
