// The network that a devnet is forked off, over its lite servers.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chain, type Connect, LiteError } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import { openNetwork } from './openNetwork.ts'

/** How long a start waits for the first server. */
const REACHED_MS = 20_000
/** Between two looks whether the newest block is proven: the first proof of a long chain takes some time. */
const PAUSE_MS = 500
/** After this long a network that could not be opened is tried again; each time doubled. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

export interface NetworkOfFork {
  /** Opened at the first use; rejects while it cannot be, and is tried again with a use after a pause. */
  chain(): Promise<Chain>
  /** Waits until the newest block is proven. Rejects with StartRefused when no server can be reached. */
  begin(): Promise<Chain>
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
  let isClosed = false
  let retryAt = Number.POSITIVE_INFINITY
  let retryMs = FIRST_RETRY_MS
  const open = (): ReturnType<typeof openNetwork> => {
    // Each attempt may write lines into the log, and there is one for every read.
    if (opened !== null && performance.now() < retryAt) return opened
    if (isClosed) return Promise.reject(new LiteError('cancelled', 'the service is stopping'))
    const opening = openNetwork({ ...config, network, data }, log, connect)
    opening.catch(() => {
      retryAt = performance.now() + retryMs
      retryMs = Math.min(LONGEST_RETRY_MS, 2 * retryMs)
    })
    opened = opening
    retryAt = Number.POSITIVE_INFINITY
    return opening
  }
  const begin = async (): Promise<Chain> => {
    const { chain, servers } = await open()
    if (!(await servers.ready(REACHED_MS)))
      throw new StartRefused(`--fork-from ${network}: none of the lite servers of --liteservers can be reached`)
    for (;;) {
      try {
        await chain.head()
        return chain
      } catch (error) {
        // Its progress is logged.
        if (!(error instanceof LiteError && error.isTransient)) throw error
        await sleep(PAUSE_MS)
      }
    }
  }
  return {
    begin,
    chain: async () => (await open()).chain,
    folder: join(data, 'accounts'),
    async close() {
      isClosed = true
      await (await opened?.catch(() => null))?.close()
    },
  }
}
