// The network that a devnet is forked off, over its lite servers.

import { join } from 'node:path'
import type { Chain, Connect } from '../node/index.ts'
import type { Log } from '../observe/index.ts'
import { openNetwork } from './openNetwork.ts'
import type { Config } from './settings.ts'

export interface NetworkOfFork {
  /** Opened at the first use; rejects while it cannot be, and is tried again with the next use. */
  chain(): Promise<Chain>
  /** For what was read. */
  readonly folder: string
  close(): Promise<void>
}

/** Null for a chain of its own. */
export function networkOfFork(config: Config, log: Log, connect: Connect): NetworkOfFork | null {
  const { forkFrom: network } = config
  if (network === 'off') return null
  const data = join(config.data, 'fork')
  let opened: ReturnType<typeof openNetwork> | null = null
  const open = (): ReturnType<typeof openNetwork> => {
    if (opened !== null) return opened
    const opening = openNetwork({ ...config, network, data }, log, connect)
    opening.catch(() => {
      opened = null
    })
    opened = opening
    return opening
  }
  return {
    chain: async () => (await open()).chain,
    folder: join(data, 'accounts'),
    close: async () => await (await opened?.catch(() => null))?.close(),
  }
}
