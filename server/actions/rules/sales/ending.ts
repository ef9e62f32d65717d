// A sale or an auction ends: the item goes back to its owner, or to the buyer.

import { sales } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, either, isCall, isComment } from '../../base.ts'
import type { AccountFacts, SaleFacts } from '../../input.ts'
import type { Rule, Test } from '../../rule.ts'
import { marketplaceName } from '../nft/marketplaces.ts'
import { NFT_PURCHASE } from '../nft/purchase.ts'
import { isOrderToEnd } from '../nft/transfer.ts'
import { NFT_TRANSFER } from '../nft/transferKind.ts'

export interface Ending {
  /** Who has the item now. */
  readonly owner: string | null
  readonly item: string
  readonly collection: string | null
  readonly seller: string
  readonly marketplaceAddress: string | null
  readonly marketplace: string | null
}

const endingKind = (type: string, sellerName: string): Kind<Ending> =>
  new Kind({
    type,
    describe: ({ owner, item, collection, seller, marketplaceAddress, marketplace }) => ({
      roles: { source: owner, destination: seller, asset: collection, assetSecondary: item },
      details: {
        owner,
        nft_item: item,
        nft_collection: collection,
        [sellerName]: seller,
        marketplace_address: marketplaceAddress,
        marketplace,
      },
      accounts: [item],
    }),
  })

const CANCEL_SALE = endingKind('nft_cancel_sale', 'sale_address')
const CANCEL_AUCTION = endingKind('nft_cancel_auction', 'auction_address')
const FINISH_AUCTION = endingKind('nft_finish_auction', 'auction_address')
export const CANCEL_TELEITEM = endingKind('teleitem_cancel_auction', 'auction_address')

interface EndingRule {
  readonly name: string
  readonly kind: Kind<Ending>
  readonly begins: Test
  readonly sellerOf: (known: AccountFacts | undefined) => SaleFacts | undefined
  /** Whether the item may have been bought. */
  readonly mayBeSold: boolean
}

const itemOf = (block: ActionBlock, mayBeSold: boolean) =>
  NFT_TRANSFER.of(block) ?? (mayBeSold ? NFT_PURCHASE.of(block) : undefined)

const endingRule = ({ name, kind, begins, sellerOf, mayBeSold }: EndingRule): Rule => ({
  name: `sales/${name}`,
  begins,
  match(trigger, facts) {
    const seller = destinationOf(trigger) ?? ''
    const known = sellerOf(facts.get(seller))
    if (known === undefined) return null
    const given = trigger.next.find((next) => itemOf(next, mayBeSold)?.item === known.nft)
    const transfer = given === undefined ? undefined : itemOf(given, mayBeSold)
    if (given === undefined || transfer === undefined) return null
    const { newOwner: owner, item, collection } = transfer
    const content = kind.content({
      owner,
      item,
      collection,
      seller,
      marketplaceAddress: known.marketplace,
      marketplace: marketplaceName(known.marketplace, collection),
    })
    // What becomes of the item is an action of its own.
    return { blocks: new Set([trigger]), content, failed: trigger.first.transaction.aborted || given.failed }
  },
})

/** Invariant: a known sale, requested to end, transfers its item. */
export const cancelSale = endingRule({
  name: 'cancelSale',
  kind: CANCEL_SALE,
  begins: isCall(sales.cancel.opcode),
  sellerOf: (known) => known?.sale,
  mayBeSold: false,
})

/** Invariant: a known auction, requested to end, transfers its item. */
export const finishAuction = endingRule({
  name: 'finishAuction',
  kind: FINISH_AUCTION,
  begins: either(isOrderToEnd, isCall(sales.finish.opcode, sales.finishOlder.opcode)),
  sellerOf: (known) => known?.auction,
  mayBeSold: true,
})

/** Invariant: a known auction, requested to be cancelled, transfers its item. */
export const cancelAuction = endingRule({
  name: 'cancelAuction',
  kind: CANCEL_AUCTION,
  begins: either(isComment('cancel'), isCall(sales.cancelAuction.opcode)),
  sellerOf: (known) => known?.auction,
  mayBeSold: false,
})
