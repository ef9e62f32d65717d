// Names are won in an auction, and given back.

import type { Slice } from '../../../cell/index.ts'
import { CALL, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'
import { isDnsItem } from './items.ts'

const RELEASE = 0x4ed14b65
const FILL_UP = 0x370fec51

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

const readQueryId = (body: Slice): bigint => body.loadUintBig(64)

export const dnsRelease: Rule = {
  name: 'dns/release',
  begins: isCall(RELEASE),
  match(request, facts) {
    const { source: account = null, destination: item = null, value = null } = envelopeOf(request) ?? {}
    const known = facts.get(item ?? '')
    const queryId = readBody(request, readQueryId)
    if (!isDnsItem(known) || queryId === null) return null
    const { collection = null, index = null } = known?.nftItem ?? {}
    const content = DNS_RELEASE.content({ account, item, collection, index, queryId, value })
    return { blocks: new Set([request]), content, failed: request.failed }
  },
}

export const dnsPurchase: Rule = {
  name: 'dns/purchase',
  begins: isCall(FILL_UP),
  match(payout, facts) {
    const { source: item = null, value = null } = envelopeOf(payout) ?? {}
    const known = facts.get(item ?? '')
    const settling = CALL.of(payout.previous)
    const queryId = readBody(payout, readQueryId)
    if (!isDnsItem(known) || settling === undefined || queryId === null) return null
    const { collection = null, index = null } = known?.nftItem ?? {}
    // What settled the auction may be an action of its own: it is often the new owner's first order.
    const content = DNS_PURCHASE.content({ account: settling.source, item, collection, index, queryId, value })
    return { blocks: new Set([payout]), content, failed: payout.failed }
  },
}
