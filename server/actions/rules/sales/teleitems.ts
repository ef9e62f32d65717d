// Auctions of names and numbers on Fragment begin and are called off: the item itself is the auction.

import { sales } from '../../../bodies/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTeleitem } from '../dns/items.ts'
import { marketplaceName } from '../nft/marketplaces.ts'
import { CANCEL_TELEITEM } from './ending.ts'
import { START_TELEITEM } from './listing.ts'

const readStart = fieldsOf(sales.startNameAuction, 'auctionConfig')

/** Invariant: a known name or number of Fragment takes the request to auction itself. */
export const teleitemStart: Rule = {
  name: 'sales/teleitemStart',
  begins: isCall(sales.startNameAuction.opcode),
  match(request, facts) {
    const { source: owner = null, destination } = envelopeOf(request) ?? {}
    const item = destination ?? ''
    const known = facts.get(item)
    const config = readBody(request, readStart)?.auctionConfig
    if (!isTeleitem(known) || config === undefined) return null
    const picked = new Picked(request)
    picked.next(request, isCall(sales.teleitemOk.opcode))
    const { collection = null, index = null } = known?.nftItem ?? {}
    const content = START_TELEITEM.content({
      item,
      collection,
      index,
      owner,
      lister: null,
      seller: item,
      marketplace: marketplaceName(null, collection),
      feeFactor: 0n,
      feeBase: 0n,
      royaltyBase: 0n,
      maxBid: config.maxBid,
      minBid: config.initialMinBid,
      feeAddress: config.beneficiaryAddress,
      royaltyAddress: null,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}

/** Invariant: a known name or number of Fragment takes the request to end its auction. */
export const teleitemCancel: Rule = {
  name: 'sales/teleitemCancel',
  begins: isCall(sales.cancelNameAuction.opcode),
  match(request, facts) {
    const { source: owner = null, destination } = envelopeOf(request) ?? {}
    const item = destination ?? ''
    const known = facts.get(item)
    if (!isTeleitem(known)) return null
    const picked = new Picked(request)
    picked.next(request, isCall(sales.teleitemOk.opcode))
    const collection = known?.nftItem?.collection ?? null
    const marketplace = marketplaceName(null, collection)
    const content = CANCEL_TELEITEM.content({
      owner,
      item,
      collection,
      seller: item,
      marketplaceAddress: null,
      marketplace,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
