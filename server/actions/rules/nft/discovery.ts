// A contract requests the data of an item.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const GET_STATIC_DATA = 0x2fcb26a2
const REPORT_STATIC_DATA = 0x8b771735

interface Discovery {
  readonly source: string | null
  readonly item: string | null
  readonly collection: string | null
  readonly index: bigint
}

const NFT_DISCOVERY = new Kind<Discovery>({
  type: 'nft_discovery',
  describe: ({ source, item, collection, index }) => ({
    roles: { source, destination: item, asset: collection, assetSecondary: item },
    details: { source, nft_item: item, nft_collection: collection, nft_item_index: digits(index) },
  }),
})

/** Behind the operation. */
const readReport = (body: Slice) => ({
  index: body.skip(64).loadUintBig(256),
  collection: readAddress(body),
})

export const nftDiscovery: Rule = {
  name: 'nft/discovery',
  begins: isCall(GET_STATIC_DATA),
  match(request) {
    const picked = new Picked(request)
    const report = picked.next(request, isCall(REPORT_STATIC_DATA))
    const fields = report === null ? null : readBody(report, readReport)
    const envelope = envelopeOf(request)
    if (fields === null || envelope === undefined) return null
    const content = NFT_DISCOVERY.content({ source: envelope.source, item: envelope.destination, ...fields })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
