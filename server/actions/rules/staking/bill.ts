// Bills of liquid staking: items for what comes at the end of a round.

import { liquidStaking } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall } from '../../base.ts'
import { NFT_MINT } from '../nft/mint.ts'

interface Bill {
  readonly item: string | null
  readonly failed: boolean
}

/** The bill that came to life behind a block. */
export function billBehind(block: ActionBlock): Bill | null {
  for (const next of block.next) {
    const { failed } = next
    const minted = NFT_MINT.of(next)
    if (minted !== undefined) return { item: minted.item, failed }
    if (isCall(liquidStaking.nftInit.opcode)(next)) return { item: destinationOf(next), failed }
  }
  return null
}
