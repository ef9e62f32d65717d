// A contract requests the data of an item.

import { nft } from '../../../bodies/index.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'

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

const readReport = fieldsOf(nft.reportStaticData, 'index', 'collection')

/** Invariant: a contract, requested its static data, reports it; its collection is shown where that knows the item. */
export const nftDiscovery: Rule = {
  name: 'nft/discovery',
  begins: isCall(nft.getStaticData.opcode),
  match(request, facts) {
    const report = request.next.find(isCall(nft.reportStaticData.opcode))
    const fields = report === undefined ? null : readBody(report, readReport)
    const envelope = envelopeOf(request)
    if (report === undefined || fields === null || envelope === undefined) return null
    const { source, destination: item } = envelope
    const isKnown = facts.get(item ?? '')?.nftItem?.collection === fields.collection
    const collection = isKnown ? fields.collection : null
    const content = NFT_DISCOVERY.content({ source, item, collection, index: fields.index })
    return { blocks: new Set([request, report]), content, failed: request.failed }
  },
}
