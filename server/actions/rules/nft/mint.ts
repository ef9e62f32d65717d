// An item that comes to life.

import { Kind } from '../../actionKind.ts'
import { sourceOf } from '../../base.ts'
import { digits, omitNulls } from '../../details.ts'
import type { Rule } from '../../rule.ts'

export interface NftMint {
  /** Who sent the message that brought it to life. */
  readonly source: string | null
  readonly item: string
  readonly collection: string | null
  readonly index: bigint
}

export const NFT_MINT = new Kind<NftMint>({
  type: 'nft_mint',
  describe: ({ source, item, collection, index }) => ({
    roles: { source, destination: item, asset: collection, assetSecondary: item },
    details: {
      ...omitNulls({ owner: source }),
      nft_item: item,
      nft_collection: collection,
      nft_item_index: digits(index),
    },
  }),
})

/** Invariant: one account came to life, and is known as an item; one whose first transaction failed is not minted. */
export const nftMint: Rule = {
  name: 'nft/mint',
  begins: ({ deployments }) => deployments.size === 1,
  match(block, facts) {
    const [item = ''] = block.deployments
    const known = facts.get(item)?.nftItem
    if (known === undefined) return null
    const { collection, index } = known
    const content = NFT_MINT.content({ source: sourceOf(block), item, collection, index })
    return { blocks: new Set([block]), content, failed: block.first.transaction.aborted }
  },
}
