// A sale gets another price.

import { sales } from '../../../bodies/index.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'
import { marketplaceName } from '../nft/marketplaces.ts'

interface SaleUpdate {
  readonly source: string | null
  readonly sale: string
  readonly item: string
  readonly collection: string | null
  readonly marketplaceAddress: string | null
  readonly fullPrice: bigint
  readonly fee: bigint
  readonly royalty: bigint
}

const UPDATE_SALE = new Kind<SaleUpdate>({
  type: 'nft_update_sale',
  describe: ({ source, sale, item, collection, marketplaceAddress, fullPrice, fee, royalty }) => ({
    roles: { source, destination: sale, asset: collection, assetSecondary: item },
    details: {
      source,
      sale_contract: sale,
      nft_address: item,
      marketplace_address: marketplaceAddress,
      marketplace: marketplaceName(marketplaceAddress, collection),
      full_price: digits(fullPrice),
      marketplace_fee: digits(fee),
      royalty_amount: digits(royalty),
    },
    accounts: [item],
  }),
})

const readUpdate = fieldsOf(sales.update)

/** Invariant: a known sale takes a request for another price. */
export const updateSale: Rule = {
  name: 'sales/update',
  begins: isCall(sales.update.opcode),
  match(request, facts) {
    const { source = null, destination } = envelopeOf(request) ?? {}
    const sale = destination ?? ''
    const known = facts.get(sale)?.sale
    const update = readBody(request, readUpdate)
    if (known === undefined || update === null) return null
    const collection = facts.get(known.nft)?.nftItem?.collection ?? null
    const { nft: item, marketplace: marketplaceAddress } = known
    const { newFullPrice: fullPrice, newMpFee: fee, newRoyaltyAmount: royalty } = update
    const about = { source, sale, item, collection, marketplaceAddress }
    const content = UPDATE_SALE.content({ ...about, fullPrice, fee, royalty })
    return { blocks: new Set([request]), content, failed: request.first.transaction.aborted }
  },
}
