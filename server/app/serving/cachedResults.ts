// Results of calls, and the events that drop them.

import type { Registry } from '../../../shared/registry.ts'
import { createResultCache, followChainSeqno } from '../../methods/index.ts'
import type { LateTeam } from '../workers/lateTeam.ts'
import type { MethodSet } from './serviceParts.ts'

export interface CachedResults {
  readonly cache: ReturnType<typeof createResultCache>
  /** Newest known block of the chain. */
  readonly chainSeqno: () => number | null
  stop(): void
}

/** Results of calls, which new blocks of the chain and of the index drop, here and in the workers. */
export function cacheResults<R extends Registry>(
  { chain, index }: MethodSet<R>,
  memoryMb: number,
  team: LateTeam,
): CachedResults {
  const cache = createResultCache(memoryMb * 1024 * 1024)
  const head = followChainSeqno(chain?.chain, () => {
    cache.newBlock()
    team.publish('block')
  })
  const stopIndex = index?.view.onIndexed((indexed) => {
    if (indexed === null) cache.leaveIndex()
    else cache.newIndexed()
    team.publish(indexed === null ? 'unindexed' : 'indexed')
  })
  // While no blocks are made, no notification of one comes.
  if (index !== undefined && index.view.indexed() !== null) cache.newIndexed()
  const stopMoves = index?.view.onMoving(() => {
    cache.leaveIndex()
    team.publish('moving')
    return team.settled()
  })
  return {
    cache,
    chainSeqno: head.seqno,
    stop() {
      head.stop()
      stopIndex?.()
      stopMoves?.()
    },
  }
}
