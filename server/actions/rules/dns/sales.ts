// Names are won in an auction, and given back.

import { dns, nft } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall, sourceOf, TON_TRANSFER } from '../../base.ts'
import { digits } from '../../details.ts'
import { NFT_TRANSFER_OPCODE } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'
import { isDnsItem } from './items.ts'

interface NameSale {
  /** Who released it, or got it. */
  readonly account: string | null
  readonly item: string | null
  readonly collection: string | null
  readonly index: bigint | null
  readonly queryId: bigint
  readonly value: bigint | null
}

const DNS_RELEASE = new Kind<NameSale>({
  type: 'dns_release',
  describe: ({ account, item, collection, index, queryId, value }) => ({
    roles: { source: account, destination: item, asset: collection, assetSecondary: item },
    details: {
      query_id: digits(queryId),
      source: account,
      nft_item: item,
      nft_collection: collection,
      nft_item_index: digits(index),
      value: digits(value),
    },
  }),
})

const DNS_PURCHASE = new Kind<NameSale>({
  type: 'dns_purchase',
  describe: ({ account, item, collection, index, queryId, value }) => ({
    roles: { source: item, destination: account, asset: collection, assetSecondary: item },
    details: {
      nft_collection: collection,
      nft_item: item,
      nft_item_index: digits(index),
      new_owner: account,
      price: digits(value),
      query_id: digits(queryId),
      payout_amount: digits(value),
    },
  }),
})

const readRelease = fieldsOf(dns.balanceRelease)
const readFillUp = fieldsOf(dns.auctionFillUp)

/** Invariant: a name of `.ton` is sent the request to be put up for auction again. */
export const dnsRelease: Rule = {
  name: 'dns/release',
  begins: isCall(dns.balanceRelease.opcode),
  match(request, facts) {
    const { source: account = null, destination: item = null, value = null } = envelopeOf(request) ?? {}
    const known = facts.get(item ?? '')
    const fields = readBody(request, readRelease)
    if (!isDnsItem(known) || fields === null) return null
    const { collection = null, index = null } = known?.nftItem ?? {}
    const content = DNS_RELEASE.content({ account, item, collection, index, value, ...fields })
    return { blocks: new Set([request]), content, failed: request.failed }
  },
}

/** What a name takes from its owner only; with anything else, any account may settle the auction. */
const isOwnersOrder = (block: ActionBlock): boolean =>
  TON_TRANSFER.is(block) || isCall(NFT_TRANSFER_OPCODE, nft.editContent.opcode, dns.changeRecord.opcode)(block)

/** Who bought a name by the end of its auction; null where nothing says. */
function winnerOf(settling: ActionBlock, owner: string | null): string | null {
  const released = DNS_RELEASE.of(settling)
  if (released === undefined) {
    const sender = envelopeOf(settling)?.source ?? null
    return isOwnersOrder(settling) ? sender : (owner ?? sender)
  }
  // A year after its auction a name may be released at once: its balance goes to the winner, who loses the name.
  const isRest = isCall(dns.balanceRelease.opcode)
  return destinationOf(settling.next.find((next) => isRest(next) && sourceOf(next) === released.item))
}

/**
 * Invariant: a name of `.ton`, called after its auction, sends the winning bid on to its collection. The price is what it
 * sent. The winner is who gave an order that only owners can give, or else its owner.
 */
export const dnsPurchase: Rule = {
  name: 'dns/purchase',
  begins: isCall(dns.auctionFillUp.opcode),
  match(payout, facts) {
    const { source: item = null, value = null } = envelopeOf(payout) ?? {}
    const known = facts.get(item ?? '')
    const settling = payout.previous
    const fields = readBody(payout, readFillUp)
    if (!isDnsItem(known) || settling === null || fields === null) return null
    const { collection = null, index = null, owner = null } = known?.nftItem ?? {}
    const account = winnerOf(settling, owner)
    if (account === null) return null
    // What settled the auction may be an action of its own: it is often the new owner's first order.
    const content = DNS_PURCHASE.content({ account, item, collection, index, value, ...fields })
    return { blocks: new Set([payout]), content, failed: payout.failed }
  },
}
