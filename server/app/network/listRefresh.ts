// Fetches the list of lite servers again while none of them can be reached: it may name others by now.

import type { ServerPool } from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import { failureText, SameTrouble } from '../../process/index.ts'
import type { SharedSources } from './chainForWorkers.ts'
import { type ListedServers, ListFault, logSkipped } from './liteServers.ts'

const CHECK_MS = 5_000

interface Refreshing {
  readonly pool: Pick<ServerPool, 'servers' | 'replace'>
  /** Other processes with the same list. */
  readonly shared: Pick<SharedSources, 'replace'>
  readonly listed: Pick<ListedServers, 'refresh'>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly everyMs?: number
}

/** Returns what ends it. */
export function refreshList({ pool, shared, listed, log, everyMs = CHECK_MS }: Refreshing): () => void {
  let isFetching = false
  let isEnded = false
  const trouble = new SameTrouble()
  const look = async (): Promise<void> => {
    try {
      const config = await listed.refresh()
      trouble.end()
      // A pool that is closed must not connect again.
      if (config === null || isEnded) return
      log.info({ servers: config.servers.length }, 'lite servers: the list was fetched again, and has changed')
      logSkipped(config, log)
      for (const one of [pool, shared]) one.replace(config.servers)
    } catch (error) {
      const reason = failureText(error)
      if (isEnded || !trouble.isNew(reason)) return
      if (error instanceof ListFault)
        log.warn({ reason }, 'lite servers: none can be reached, and their list cannot be fetched again')
      else log.warn({ err: error }, 'lite servers: an error of this program kept their list from being fetched again')
    }
  }
  const timer = setInterval(() => {
    if (isFetching || pool.servers.some(({ state }) => state !== 'away' && state !== 'dropped')) return
    isFetching = true
    void look().finally(() => {
      isFetching = false
    })
  }, everyMs)
  timer.unref()
  return () => {
    isEnded = true
    clearInterval(timer)
  }
}
