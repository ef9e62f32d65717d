// How an indexer does, for metrics and readiness.

import type { FirstBlock } from '../store/index.ts'
import type { IndexHead } from './indexHead.ts'

/** `following` is the one that writes, `watching` the one that could or only reads; `stopped` will do nothing more. */
export type IndexerState = 'starting' | 'following' | 'watching' | 'waiting' | 'stopped'

export interface IndexerStatus {
  readonly state: IndexerState
  /** Whether it is the one that writes, also while it has trouble and waits. */
  readonly leads: boolean
  /** What is wrong, while something is, and the tries that failed since the last success. */
  readonly trouble: string | null
  readonly failures: number
  /** Whether the index is of another chain, or of a newer version: then it is neither read nor written. */
  readonly isRefused: boolean
  /** Whether the index, which another process writes, has blocks that the chain does not have any more. */
  readonly isApart: boolean
  readonly head: IndexHead | null
  /** How far back the index goes; null while that is unknown. */
  readonly first: FirstBlock | null
  /** Masterchain blocks the chain is ahead; null while that is unknown. */
  readonly lag: number | null
  readonly blocksPerSecond: number
  /** Accounts that are indexed without data, code or their whole newest state, which no server has any more. */
  readonly lacking: number
  /** Whether this process began the index without a first state of the chain, which no server returned. */
  readonly lacksFirstState: boolean
  /** Masterchain blocks written by this process. */
  readonly blocks: number
}
