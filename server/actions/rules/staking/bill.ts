// Bills of liquid staking: items for what comes at the end of a round.

import { liquidStaking } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall } from '../../base.ts'
import { NFT_MINT } from '../nft/mint.ts'

/** The bill that came to life behind a block. */
export function billBehind(block: ActionBlock): string | null {
  for (const next of block.next) {
    if (next.failed) continue
    const minted = NFT_MINT.of(next)
    if (minted !== undefined) return minted.item
    if (isCall(liquidStaking.nftInit.opcode)(next)) return destinationOf(next)
  }
  return null
}
