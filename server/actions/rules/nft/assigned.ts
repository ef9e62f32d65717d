// Items that notify their new owner without a transfer request: names and numbers sold on Fragment.

import { dns, nft, sales } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { CALL, envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import { NFT_OWNERSHIP_ASSIGNED } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { marketplaceName } from './marketplaces.ts'
import { NFT_MINT } from './mint.ts'
import { isPaidFor } from './paidFor.ts'
import { NFT_TRANSFER, type Payout, type Purchase } from './transferKind.ts'

const readAssigned = fieldsOf(nft.ownershipAssigned)
const readBid = fieldsOf(sales.bidInfo, 'bid')

/** What the highest bid was, where the payload says so. */
function bidIn(payload: Cell | null): bigint | null {
  if (payload === null) return null
  return orNull(() => {
    const slice = openCell(payload)
    return sales.bidInfo.begins(slice) ? readBid(slice).bid : null
  })
}

/** Whether an item tells the winner of its auction so. */
export const endsAuction = (notice: ActionBlock): boolean =>
  bidIn(readBody(notice, readAssigned)?.forwardPayload?.cell ?? null) !== null

const isMint = (block: ActionBlock | null): boolean =>
  block !== null && (NFT_MINT.is(block) || isCall(sales.mintItem.opcode)(block))

const isTrigger = (block: ActionBlock): boolean =>
  TON_TRANSFER.is(block) || (CALL.is(block) && block.first.message?.kind === 'externalIn')

const payoutOf = (block: ActionBlock | undefined): Payout | null => {
  const envelope = envelopeOf(block)
  return envelope === undefined ? null : { amount: envelope.value, address: envelope.destination, comment: null }
}

/** Takes what was paid out, and by what. */
function payouts(assigned: ActionBlock, picked: Picked): Pick<Purchase, 'payout' | 'royalty'> {
  const trigger = assigned.previous
  if (trigger === null || !isTrigger(trigger)) return { payout: null, royalty: null }
  const paid = trigger.next.filter(isCall(dns.auctionFillUp.opcode))
  if (paid.length > 2) return { payout: null, royalty: null }
  picked.previous(assigned, () => true)
  // What those who were paid send is theirs.
  for (const block of paid) picked.blocks.add(block)
  return { payout: payoutOf(paid.at(-1)), royalty: paid.length === 2 ? payoutOf(paid[0]) : null }
}

/** Invariant: a known item notifies its new owner; a price is shown where it was paid. */
export const nftAssigned: Rule = {
  name: 'nft/assigned',
  begins: isCall(NFT_OWNERSHIP_ASSIGNED),
  match(assigned, facts) {
    const envelope = envelopeOf(assigned)
    const item = envelope?.source ?? ''
    const known = facts.get(item)?.nftItem
    const fields = readBody(assigned, readAssigned)
    if (known === undefined || fields === null) return null
    const { queryId, prevOwner: oldOwner } = fields
    const forwardPayload = fields.forwardPayload?.cell ?? null
    const picked = new Picked(assigned)
    // Of blocks that are joined already, the first is not what made the item notify.
    const trigger = assigned.previous?.first === assigned.first.parent ? assigned.previous : null
    const said = isMint(trigger) ? null : bidIn(forwardPayload)
    const bid = isPaidFor(trigger, said) ? said : null
    const { collection, index } = known
    const purchase =
      bid === null
        ? null
        : {
            price: bid,
            marketplace: marketplaceName(null, collection),
            marketplaceAddress: null,
            realOldOwner: null,
            ...payouts(assigned, picked),
          }
    const content = NFT_TRANSFER.content({
      item,
      collection,
      index,
      newOwner: envelope?.destination ?? null,
      responseDestination: null,
      customPayload: null,
      forwardAmount: null,
      purchase,
      queryId,
      oldOwner,
      forwardPayload,
    })
    // The item has its new owner before it notifies.
    return { blocks: picked.blocks, content, failed: false }
  },
}
