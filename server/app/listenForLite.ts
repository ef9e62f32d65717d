import type { ChainService } from './chainService.ts'
import { type ListenerParts, type LiteListening, startLiteListener } from './liteListener.ts'
import { StartRefused } from './startRefused.ts'

/** Listens for clients of lite servers, if the settings say so and the chain can serve them. Throws StartRefused. */
export async function listenForLite(
  chain: ChainService | undefined,
  parts: Pick<ListenerParts, 'config' | 'access' | 'log' | 'metrics'>,
): Promise<LiteListening | null> {
  if (chain === undefined || chain.lite === null) {
    if (chain !== undefined && parts.config.litePort !== 'off')
      throw new StartRefused('--lite-port: there is no chain to serve clients of lite servers from')
    return null
  }
  return await startLiteListener({ ...parts, source: chain.lite, touch: chain.touch })
}
