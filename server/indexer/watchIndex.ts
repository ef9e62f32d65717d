// The index as a process sees it that does not write it: it looks now and then how far the one that writes is.

import type { Log } from '../log.ts'
import { type Database, readCursor, readMaster, StoreError } from '../store/index.ts'
import type { IndexHeads } from './indexHead.ts'

export interface WatchOptions {
  readonly database: Pick<Database, 'read'>
  readonly heads: IndexHeads
  readonly pollMs: number
  readonly log: Pick<Log, 'warn' | 'info'>
}

/** Looks until the signal aborts; resolves then. */
export async function watchIndex({ database, heads, pollMs, log }: WatchOptions, signal: AbortSignal): Promise<void> {
  let failed = false
  while (!signal.aborted) {
    try {
      await look(database, heads)
      if (failed) log.info({}, 'the index can be read again')
      failed = false
    } catch (error) {
      const isOver = signal.aborted || (error instanceof StoreError && error.code === 'closed')
      if (!failed && !isOver) log.warn({ err: error }, 'the index cannot be read')
      failed = true
    }
    await pause(pollMs, signal)
  }
}

async function look({ read }: Pick<Database, 'read'>, heads: IndexHeads): Promise<void> {
  const cursor = await readCursor(read)
  const master = cursor === null ? null : await readMaster(read, cursor.lastMcSeqno)
  const known = heads.indexed()
  const isKnown = master !== null && known !== null && Buffer.compare(known.rootHash, master.rootHash) === 0
  if (!isKnown) heads.set(master === null ? null : { at: Date.now(), ...master })
}

/** Resolves after the time, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
