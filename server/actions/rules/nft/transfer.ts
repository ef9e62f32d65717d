// A transfer of an item: its owner requests it, and the new owner is notified. The blocks before may show a sale.

import { nft } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, envelopeOf, isCall, isComment, sourceOf, TON_TRANSFER } from '../../base.ts'
import type { AccountsFacts, SaleFacts } from '../../input.ts'
import { EXCESS, NFT_OWNERSHIP_ASSIGNED, NFT_TRANSFER_OPCODE as REQUEST } from '../../opcodes.ts'
import { cellText, fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { endsAuction } from './assigned.ts'
import { marketplaceName } from './marketplaces.ts'
import { isPaidFor } from './paidFor.ts'
import { NFT_TRANSFER, type NftTransfer, type Purchase } from './transferKind.ts'

type Request = Pick<
  NftTransfer,
  'queryId' | 'newOwner' | 'responseDestination' | 'customPayload' | 'forwardAmount' | 'forwardPayload'
>

const readTransfer = fieldsOf(nft.transfer)

function requestOf(block: ActionBlock): Request | null {
  const fields = readBody(block, readTransfer)
  if (fields === null) return null
  const { queryId, newOwner, responseDestination, customPayload, forwardAmount, forwardPayload } = fields
  return {
    queryId,
    newOwner,
    responseDestination,
    customPayload: customPayload === null ? null : cellText(customPayload),
    forwardAmount,
    forwardPayload: forwardPayload?.cell ?? null,
  }
}

const readPrevOwner = fieldsOf(nft.ownershipAssigned, 'prevOwner')

/** Words that end an auction: not the bidder's money. */
export const isOrderToEnd = isComment('finish', 'stop')

/** The contract that sold the item, when the transfer comes from one. */
function sellerOf(request: ActionBlock, item: string, facts: AccountsFacts): SaleFacts | null {
  const before = request.previous
  const seller = sourceOf(request)
  // An action of its own, as an earlier transfer, is no payment.
  if (before === null || seller === null || destinationOf(before) !== seller) return null
  const known = facts.get(seller)
  if (known?.auction?.nft === item) return known.auction
  return known?.sale?.nft === item && TON_TRANSFER.is(before) ? known.sale : null
}

function purchaseOf(
  request: ActionBlock,
  transfer: Pick<NftTransfer, 'item' | 'newOwner'>,
  facts: AccountsFacts,
): Purchase | null {
  const { item, newOwner } = transfer
  const seller = sellerOf(request, item, facts)
  if (seller === null || seller.nftOwner === newOwner) return null
  const isSale = facts.get(sourceOf(request) ?? '')?.sale !== undefined
  if (isSale && envelopeOf(request.previous)?.source !== newOwner) return null
  if (!isPaidFor(request.previous, seller.price)) return null
  const collection = facts.get(item)?.nftItem?.collection ?? null
  return {
    price: seller.price,
    marketplace: marketplaceName(seller.marketplace, collection),
    marketplaceAddress: seller.marketplace,
    realOldOwner: seller.nftOwner,
    payout: null,
    royalty: null,
  }
}

/**
 * Invariant: a known item is requested to go to another owner; a price is shown where a known contract of sale was
 * paid it.
 */
export const nftTransfer: Rule = {
  name: 'nft/transfer',
  begins: isCall(REQUEST),
  match(request, facts) {
    const envelope = envelopeOf(request)
    const item = envelope?.destination ?? ''
    const known = facts.get(item)?.nftItem
    const requested = requestOf(request)
    if (known === undefined || requested === null) return null
    const picked = new Picked(request)
    // Before it is passed on, a name may give itself to the winner of an auction that is over.
    const isOwn = (next: ActionBlock) => envelopeOf(next)?.destination === requested.newOwner || !endsAuction(next)
    const assigned = picked.next(request, (next) => isCall(NFT_OWNERSHIP_ASSIGNED)(next) && isOwn(next))
    picked.every(request, isCall(EXCESS))
    const notified = assigned === null ? null : readBody(assigned, readPrevOwner)
    const purchase = purchaseOf(request, { item, newOwner: requested.newOwner }, facts)
    if (purchase !== null && request.previous !== null && !isOrderToEnd(request.previous))
      picked.previous(request, () => true)
    const content = NFT_TRANSFER.content({
      item,
      collection: known.collection,
      index: known.index,
      oldOwner: notified?.prevOwner ?? envelope?.source ?? null,
      purchase,
      ...requested,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
