// The chain of the service: the embedded one, or one read from lite servers.

import type { Connect } from '../node/index.ts'
import type { Log } from '../observe/index.ts'
import { type ChainService, openEmbeddedChain } from './chainService.ts'
import { openRemoteChain } from './openRemoteChain.ts'
import type { Config } from './settings.ts'
import { StartRefused } from './startRefused.ts'

const NO_LIST_FOR_DEVNET =
  '--liteservers: devnet is a chain of its own; add --network testnet, mainnet or custom to read the one of these servers'

/** Throws StartRefused. */
export async function openChainService(config: Config, log: Log, connect: Connect): Promise<ChainService> {
  if (config.network !== 'devnet') return await openRemoteChain(config, log, connect)
  if (config.liteservers !== '') throw new StartRefused(NO_LIST_FOR_DEVNET)
  return await openEmbeddedChain(config, log)
}
