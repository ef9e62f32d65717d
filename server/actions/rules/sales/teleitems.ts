// Auctions of names and numbers on Fragment begin and are called off: the item itself is the auction.

import { openCell, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTeleitem } from '../dns/items.ts'
import { marketplaceName } from '../nft/marketplaces.ts'
import { CANCEL_TELEITEM } from './ending.ts'
import { START_TELEITEM } from './listing.ts'

const START = 0x487a8e81
const CANCEL = 0x371638ae
const OK = 0xa37a0983

/** Behind the operation. */
function readConfig(body: Slice) {
  const config = openCell(body.skip(64).loadRef())
  const beneficiary = readAddress(config)
  return { beneficiary, minBid: config.loadCoins(), maxBid: config.loadCoins() }
}

export const teleitemStart: Rule = {
  name: 'sales/teleitemStart',
  begins: isCall(START),
  match(request, facts) {
    const { source: owner = null, destination } = envelopeOf(request) ?? {}
    const item = destination ?? ''
    const known = facts.get(item)
    const config = readBody(request, readConfig)
    if (!isTeleitem(known) || config === null) return null
    const picked = new Picked(request)
    picked.next(request, isCall(OK))
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
      minBid: config.minBid,
      feeAddress: config.beneficiary,
      royaltyAddress: null,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}

export const teleitemCancel: Rule = {
  name: 'sales/teleitemCancel',
  begins: isCall(CANCEL),
  match(request, facts) {
    const { source: owner = null, destination } = envelopeOf(request) ?? {}
    const item = destination ?? ''
    const known = facts.get(item)
    if (!isTeleitem(known)) return null
    const picked = new Picked(request)
    picked.next(request, isCall(OK))
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
