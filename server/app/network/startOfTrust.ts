// Where trust in a network of lite servers starts, and which starts cannot succeed.

import {
  type BlockIdExt,
  isSameBlock,
  OTHER_NETWORK,
  publicStart,
  type ServerPool,
  startOf,
  TrustError,
  type TrustStart,
  trustErrorIn,
} from '../../node/index.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import type { ListedServers } from './liteServers.ts'

export const isPublic = (network: string): network is 'testnet' | 'mainnet' =>
  network === 'testnet' || network === 'mainnet'

/** Where trust in a network begins. Throws StartRefused. */
export function startOfTrust(network: Config['network'], { config, isLocal }: ListedServers): TrustStart {
  const { facts } = config
  if (isPublic(network)) {
    try {
      return publicStart(network, facts, { isGivenTrusted: isLocal })
    } catch (error) {
      if (!(error instanceof TrustError)) throw error
      throw new StartRefused(`--liteservers: ${error.message}; name the one of ${network}, or choose another network`, {
        cause: error,
      })
    }
  }
  if (facts === null)
    throw new StartRefused(
      `--liteservers: the network ${network} needs a whole global.config.json, whose "validator" says how the chain began`,
    )
  return startOf(facts)
}

/** A start of trust, or a list, that no waiting will make good; null when the servers may still become usable. */
export function trustRefusalOf(
  error: unknown,
  { servers }: Pick<ServerPool, 'servers'>,
  { network, start, listed }: { readonly network: string; readonly start: TrustStart; readonly listed: ListedServers },
): StartRefused | null {
  if (servers.every(({ reason }) => reason === OTHER_NETWORK)) {
    const wanted = isPublic(network) ? network : 'the one its "zero_state" is of'
    return new StartRefused(
      `--liteservers: every lite server in the list serves another network than ${wanted}: fetch the list of that network again`,
    )
  }
  const wrong = trustErrorIn(error)
  if (wrong === null) return null
  const { init = null, hardForks = [] } = listed.config.facts ?? {}
  const isHere = (one: BlockIdExt | null): boolean => one !== null && isSameBlock(one, start.block)
  const named = isHere(init) ? 'init_block' : hardForks.some(isHere) ? 'hardforks' : null
  if (named !== null)
    return new StartRefused(
      `--liteservers: ${wrong.message}: take "${named}" from the network's own configuration, or leave it out`,
      { cause: error },
    )
  // A block that was released with the program: servers that are behind it are still fetching the chain.
  if (wrong.code === 'ahead') return null
  return new StartRefused(`--liteservers: ${wrong.message}: name other lite servers of this network`, { cause: error })
}
