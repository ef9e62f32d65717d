// The index as a process sees it that does not write it: it looks now and then how far the one that writes is.

import { sameBytes } from '../cell/index.ts'
import type { Log } from '../observe/index.ts'
import { type Database, type IndexState, readIndexState, StoreError } from '../store/index.ts'
import { IndexerError } from './indexerError.ts'
import type { IndexHeads } from './indexHead.ts'
import { factsOfTrouble } from './trouble.ts'

export interface WatchOptions {
  readonly database: Pick<Database, 'read'>
  readonly heads: IndexHeads
  readonly pollMs: number
  readonly log: Pick<Log, 'warn' | 'info'>
  /** Throws IndexerError for an index that this process must not read. */
  readonly check: (state: IndexState) => Promise<void>
  /** Called after each look, with what was wrong. */
  readonly onLooked: (trouble: unknown) => void
}

/** Looks until the signal aborts; resolves then. */
export async function watchIndex(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const { heads, pollMs, log, onLooked } = options
  let failed = false
  while (!signal.aborted) {
    try {
      await look(options)
      if (failed) log.info({}, 'index readable again')
      failed = false
      onLooked(null)
    } catch (error) {
      const isOver = signal.aborted || (error instanceof StoreError && error.code === 'closed')
      if (!failed && !isOver) log.warn(factsOfTrouble(error), 'index unreadable')
      failed = true
      // Answers of an index that is not ours any more must not be given from the cache either.
      if (error instanceof IndexerError) heads.set(null)
      if (!isOver) onLooked(error)
    }
    await heads.bell.pause({ pollMs, seqno: heads.indexed()?.seqno ?? -1 }, signal)
  }
}

async function look({ database, heads, check }: WatchOptions): Promise<void> {
  const state = await readIndexState(database.read)
  await check(state)
  const { head, first } = state
  heads.first = first
  const known = heads.indexed()
  const isKnown = head !== null && known !== null && sameBytes(known.rootHash, head.rootHash)
  if (!isKnown) heads.set(head === null ? null : { at: Date.now(), ...head })
}
