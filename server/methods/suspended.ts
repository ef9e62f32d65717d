// Accounts the configuration forbids to be activated until a date.

import { type BlockIdExt, isSameBlock, type LiteServer, verifyConfig } from '../node/index.ts'
import { type ConfigValue, configParam } from '../tlb/index.ts'
import { upstream } from './errors.ts'

const SUSPENDED = 44

/** The list as of a block; null when the configuration has none. */
export type SuspendedReader = (block: BlockIdExt, signal: AbortSignal) => Promise<ConfigValue<typeof SUSPENDED> | null>

/** Remembers the list of the last block asked about, since nearly all calls are about the newest. */
export function createSuspendedReader(node: Pick<LiteServer, 'config'>): SuspendedReader {
  let last: { readonly block: BlockIdExt; readonly list: ConfigValue<typeof SUSPENDED> | null } | null = null
  const read = async (block: BlockIdExt, signal: AbortSignal) => {
    const { config } = verifyConfig(block, [SUSPENDED], await node.config(block, [SUSPENDED], 0, { signal }))
    return configParam(config, SUSPENDED)
  }
  return async (block, signal) => {
    if (last !== null && isSameBlock(last.block, block)) return last.list
    const list = await upstream(read(block, signal))
    last = { block, list }
    return list
  }
}
