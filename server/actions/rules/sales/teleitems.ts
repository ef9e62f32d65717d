// Auctions of names and numbers on Fragment begin and are called off: the item itself is the auction.

import { sales } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTeleitem } from '../dns/items.ts'
import { marketplaceName } from '../nft/marketplaces.ts'
import { CANCEL_TELEITEM } from './ending.ts'
import { START_TELEITEM } from './listing.ts'

const readStart = fieldsOf(sales.startNameAuction, 'auctionConfig')

/** A known name or number of Fragment that was sent a request, with its answer picked. */
function requestedItem(request: ActionBlock, facts: AccountsFacts) {
  const { source: owner = null, destination } = envelopeOf(request) ?? {}
  const item = destination ?? ''
  const known = facts.get(item)
  if (!isTeleitem(known)) return null
  const picked = new Picked(request)
  picked.next(request, isCall(sales.teleitemOk.opcode))
  const { collection = null, index = null } = known?.nftItem ?? {}
  const named = { item, collection, owner, seller: item, marketplace: marketplaceName(null, collection) }
  return { blocks: picked.blocks, named, index }
}

/** Invariant: a known name or number of Fragment takes the request to auction itself. */
export const teleitemStart: Rule = {
  name: 'sales/teleitemStart',
  begins: isCall(sales.startNameAuction.opcode),
  match(request, facts) {
    const requested = requestedItem(request, facts)
    const config = readBody(request, readStart)?.auctionConfig
    if (requested === null || config === undefined) return null
    const content = START_TELEITEM.content({
      ...requested.named,
      index: requested.index,
      lister: null,
      feeFactor: 0n,
      feeBase: 0n,
      royaltyBase: 0n,
      maxBid: config.maxBid,
      minBid: config.initialMinBid,
      feeAddress: config.beneficiaryAddress,
      royaltyAddress: null,
    })
    return { blocks: requested.blocks, content, failed: request.failed }
  },
}

/** Invariant: a known name or number of Fragment takes the request to end its auction. */
export const teleitemCancel: Rule = {
  name: 'sales/teleitemCancel',
  begins: isCall(sales.cancelNameAuction.opcode),
  match(request, facts) {
    const requested = requestedItem(request, facts)
    if (requested === null) return null
    const content = CANCEL_TELEITEM.content({ ...requested.named, marketplaceAddress: null })
    return { blocks: requested.blocks, content, failed: request.failed }
  },
}
