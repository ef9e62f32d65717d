// Bids in auctions, and those they outbid.

import { dns } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, envelopeOf, isCall, isComment, TON_TRANSFER } from '../../base.ts'
import { digits, omitNulls } from '../../details.ts'
import type { AccountsFacts } from '../../input.ts'
import type { Rule } from '../../rule.ts'
import { isDnsItem, isTeleitem } from '../dns/items.ts'
import { marketplaceName } from '../nft/marketplaces.ts'

const OUTBID_WORDS = 'Your bid has been outbid by another user'

interface Bid {
  readonly amount: bigint | null
  readonly bidder: string | null
  readonly auction: string
  readonly item: string
  readonly collection: string | null
  readonly index: bigint | null
}

const AUCTION_BID = new Kind<Bid>({
  type: 'auction_bid',
  describe: ({ amount, bidder, auction, item, collection, index }) => ({
    roles: { source: bidder, destination: auction, asset: collection, assetSecondary: item },
    details: {
      amount: digits(amount),
      bidder,
      auction,
      nft_item: item,
      nft_collection: collection,
      nft_item_index: digits(index),
    },
    accounts: [item],
  }),
})

const isOrder = isComment('cancel', 'finish', 'stop')

/** The item an account auctions off. */
function auctionedBy(account: string, block: ActionBlock, facts: AccountsFacts): string | null {
  const known = facts.get(account)
  if (known?.auction !== undefined) return known.auction.nft
  if (isTeleitem(known)) return account
  return isDnsItem(known) && block.next.some(isCall(dns.outbidNotification.opcode)) ? account : null
}

/** Invariant: a known auction is sent TON that is no order to it. */
export const auctionBid: Rule = {
  name: 'sales/bid',
  begins: (block) => TON_TRANSFER.is(block) && block.deployments.size === 0 && !isOrder(block),
  match(block, facts) {
    const { source: bidder = null, destination, value: amount = null } = envelopeOf(block) ?? {}
    const auction = destination ?? ''
    const item = auctionedBy(auction, block, facts)
    if (item === null) return null
    const { collection = null, index = null } = facts.get(item)?.nftItem ?? {}
    const content = AUCTION_BID.content({ amount, bidder, auction, item, collection, index })
    return { blocks: new Set([block]), content, failed: block.first.transaction.aborted }
  },
}

interface Outbid extends Bid {
  readonly refunded: string | null
  readonly marketplace: string | null
}

const AUCTION_OUTBID = new Kind<Outbid>({
  type: 'auction_outbid',
  describe: ({ amount, bidder, auction, item, collection, refunded, marketplace }) => ({
    roles: {
      source: auction,
      sourceSecondary: bidder,
      destination: refunded,
      asset: collection,
      assetSecondary: item,
    },
    details: {
      auction_address: auction,
      bidder: refunded,
      new_bidder: bidder,
      nft_item: item,
      nft_collection: collection,
      amount: digits(amount),
      ...omitNulls({ marketplace }),
    },
    accounts: [item],
  }),
})

const isRefund = (block: ActionBlock): boolean =>
  isCall(dns.outbidNotification.opcode)(block) || TON_TRANSFER.of(block)?.comment.text?.includes(OUTBID_WORDS) === true

/** Invariant: the auction, sent a bid, sends one other account its bid back. */
export const auctionOutbid: Rule = {
  name: 'sales/outbid',
  begins: (block) => AUCTION_BID.is(block),
  match(block, facts) {
    const bid = AUCTION_BID.of(block)
    const refunds = block.next.filter((next) => isRefund(next) && envelopeOf(next)?.source === bid?.auction)
    const [refund] = refunds
    if (bid === undefined || refund === undefined || refunds.length > 1) return null
    const { destination: refunded = null, value: amount = null } = envelopeOf(refund) ?? {}
    const market = facts.get(bid.auction)?.auction?.marketplace ?? null
    const marketplace = marketplaceName(market, bid.collection)
    const content = AUCTION_OUTBID.content({ ...bid, amount, refunded, marketplace })
    // The bid is an action of its own.
    return { blocks: new Set([refund]), content, failed: cameBack(refund) }
  },
}
