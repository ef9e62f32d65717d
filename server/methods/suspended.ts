// Accounts the configuration forbids to be activated until a date.

import { type BlockIdExt, type Chain, isSameBlock } from '../node/index.ts'
import { type ConfigValue, configParam } from '../tlb/index.ts'

const SUSPENDED = 44

/** The list as of a block; null when the configuration has none. */
export type SuspendedReader = (block: BlockIdExt, signal: AbortSignal) => Promise<ConfigValue<typeof SUSPENDED> | null>

/** Caches the list of the last block that was read, since nearly all calls are about the newest. */
export function createSuspendedReader(chain: Pick<Chain, 'config'>): SuspendedReader {
  let last: { readonly block: BlockIdExt; readonly list: ConfigValue<typeof SUSPENDED> | null } | null = null
  const read = async (block: BlockIdExt, signal: AbortSignal) => {
    const { config } = await chain.config(block, [SUSPENDED], { signal })
    return configParam(config, SUSPENDED)
  }
  return async (block, signal) => {
    if (last !== null && isSameBlock(last.block, block)) return last.list
    const list = await read(block, signal)
    last = { block, list }
    return list
  }
}
