// What a caller of `Trust` sets, and what it learns from it.

import type { BlockIdExt } from '../blockId.ts'
import type { ChainHead, ReadOptions } from '../chain.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import type { Clock } from '../systemClock.ts'
import type { Fork } from './heldBranch.ts'
import type { TrustStart } from './networks.ts'
import type { SyncReport } from './syncProgress.ts'
import type { TrustStore } from './trustFile.ts'

/**
 * How block ids become trusted. `full`: each head and each look-up is proven. `sampled`: one in sixteen is. `off`: none.
 * Answers about a block are always checked against its hashes.
 */
export type ProofPolicy = 'full' | 'sampled' | 'off'

export interface TrustOptions {
  /** Where trust starts; null: at the zerostate the server reports first, unproven. */
  readonly start?: TrustStart | null
  readonly policy?: ProofPolicy
  /** Seconds a head may be ahead of the clock; null for a chain whose owner sets its clock. */
  readonly aheadS?: number | null
  /** Accept a newest key block older than two terms of validators. */
  readonly isStaleAccepted?: boolean
  /** Whether the chain's owner can revert it: a lower block is followed then, once no server has the newest one any more. */
  readonly canRewind?: boolean
  readonly store?: TrustStore | null
  /** While more than one answer is needed to reach the head. */
  readonly onProgress?: (report: SyncReport) => void
  /** Called when the record could not be stored; proving continues. */
  readonly onTrouble?: (text: string) => void
  /** Called when servers are found on another branch than the one that is held, or that one is gone. */
  readonly onFork?: (text: string) => void
  /** Called when the chain was reverted, before a block of its new branch is followed. */
  readonly onRevert?: (() => void) | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** By which pauses are measured, however the clock is set. */
  readonly timer?: Clock
}

export type ProvenHead = Omit<ChainHead, 'now'> & {
  /** Another number where the chain was reverted: what was found of the chain before may not be part of it. */
  readonly branch: number
  /** The newest key block up to it, or block 0 before the first one; null where it is not proven. */
  readonly keyBlock: BlockIdExt | null
}

/** Where a chain takes its newest block from. */
export interface TrustedHead {
  readonly policy: ProofPolicy
  /** The newest block proven so far. */
  readonly head: ProvenHead | null
  /** The newest block of the servers, proven; a recent one while that is being proven. Rejects with LiteError or ProofError. */
  read(options?: ReadOptions): Promise<ChainHead>
  /** The same, after the proof of a newer block that is being proven. */
  readNewest(options?: ReadOptions): Promise<ChainHead>
}

/** Unproven facts of the server. */
export type ServerWords = Pick<MasterchainInfo, 'version' | 'capabilities' | 'now'>

export interface TrustStatus {
  readonly head: ProvenHead | null
  /** Seconds for which it has been the head, however the clock was set meanwhile. */
  readonly heldS: number
  /** The proof in progress, when it takes more than one answer. */
  readonly sync: SyncReport | null
  /** Why the last head could not be proven; null when it was. */
  readonly trouble: string | null
  /** No server has the proven head any more, and none has a newer one. */
  readonly isUndone: boolean
  /** Another branch that a server is on. */
  readonly fork: Fork | null
}
