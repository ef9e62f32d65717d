// A purchase on Getgems: the transfer of the item together with what its seller was paid.

import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, TON_TRANSFER } from '../../base.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isGetgems } from './marketplaces.ts'
import { isOrderToEnd } from './transfer.ts'
import { NFT_TRANSFER, type NftTransfer, transferDetails, transferRoles } from './transferKind.ts'

export const NFT_PURCHASE = new Kind<NftTransfer>({
  type: 'nft_purchase',
  describe: (transfer) => ({ roles: transferRoles(transfer), details: transferDetails(transfer) }),
})

/** What its owner was paid for it: who made the item gets a royalty as well, which is less. */
function paymentTo(owner: string, blocks: readonly ActionBlock[]): ActionBlock | undefined {
  let most: ActionBlock | undefined
  for (const block of blocks) {
    const paid = TON_TRANSFER.of(block)
    if (paid?.destination === owner && (paid.value ?? 0n) > (TON_TRANSFER.of(most)?.value ?? -1n)) most = block
  }
  return most
}

/** Invariant: a known contract of sale, once paid, transfers the item and pays its former owner. */
export const nftPurchase: Rule = {
  name: 'nft/purchase',
  begins: (block) => NFT_TRANSFER.is(block),
  match(block) {
    const transfer = NFT_TRANSFER.of(block)
    const purchase = transfer?.purchase ?? null
    if (transfer === undefined || purchase === null || !isGetgems(purchase.marketplace)) return null
    const { realOldOwner } = purchase
    if (realOldOwner === null) return null
    const trigger = block.previous
    const isEnded = trigger !== null && isOrderToEnd(trigger)
    const picked = new Picked(block)
    const paid = paymentTo(realOldOwner, (isEnded ? trigger : block).next)
    const payment = TON_TRANSFER.of(paid)
    if (paid === undefined || payment === undefined) return null
    // What the seller sends back is the seller's.
    picked.blocks.add(paid)
    // A seller that cannot take it has not been paid.
    const payout = cameBack(paid) ? null : { amount: payment.value, address: realOldOwner, comment: payment.comment }
    const content = NFT_PURCHASE.content({ ...transfer, purchase: { ...purchase, payout, royalty: null } })
    // The call that ended the auction is not part of it: both are siblings.
    return { blocks: picked.blocks, content, failed: block.failed, isScattered: isEnded }
  },
}
