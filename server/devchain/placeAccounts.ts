// Accounts of a forked network come into the chain: a block with nothing else.

import { type GrowingChain, workFor } from './chain/index.ts'
import { type AccountName, BlockTooLarge, NO_WORK } from './collate/index.ts'
import { type AccountPatch, BASECHAIN, MASTERCHAIN, readState } from './state/index.ts'

/** In several blocks where one would be too large. The time that was set for the next block stays for the one after. */
export async function placeAccounts(chain: GrowingChain, patches: readonly AccountPatch[]): Promise<void> {
  if (patches.length === 0) return
  const all = { ...NO_WORK, patches, isPatchesOnly: true }
  const keepTime = chain.parts.clock.save()
  try {
    await chain.advance({ shard: workFor(all, BASECHAIN), master: workFor(all, MASTERCHAIN) })
    keepTime()
  } catch (error) {
    if (!(error instanceof BlockTooLarge) || patches.length === 1) throw error
    const half = patches.length >> 1
    await placeAccounts(chain, patches.slice(0, half))
    await placeAccounts(chain, patches.slice(half))
  }
}

/** Whether the chain began with an account: none of the network takes its place, also after it was deleted. */
export function bornIn({ parts }: GrowingChain): (account: AccountName) => boolean {
  const { master, base } = parts.zerostates
  const [ofMaster, ofBase] = [master, base].map(({ root, id }) => readState(root, id).accounts)
  return ({ workchain, id }) => (workchain === MASTERCHAIN ? ofMaster : ofBase)?.get(id) !== undefined
}
