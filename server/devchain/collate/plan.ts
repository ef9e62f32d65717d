// What is settled about a block before anything is executed: what it builds on, and when it happens.

import type { Validator } from '../../node/index.ts'
import type { AccountPatch, ChainState, MasterState, Workchain } from '../state/index.ts'
import type { External } from './messages/external.ts'
import type { Injected } from './messages/injected.ts'

export interface BlockPlan {
  readonly workchain: Workchain
  readonly previous: ChainState
  /** The masterchain state referred to: its configuration, libraries and validators count. */
  readonly master: MasterState
  /** The other chain as this block sees it. */
  readonly neighbour: ChainState
  /** Of the block's validators, as the masterchain state says. */
  readonly catchainSeqno: number
  /** Those that make blocks of this chain, in the order their short hash has them. */
  readonly validators: readonly Validator[]
  readonly utime: number
  readonly startLt: bigint
  /** 32 bytes. */
  readonly randSeed: Uint8Array
}

/** Work for the block in addition to messages that are already queued. */
export interface BlockWork {
  readonly externals: readonly External[]
  readonly patches: readonly AccountPatch[]
  readonly injected: readonly Injected[]
  /** Whether the patches are all of it: messages that wait are left for the next block. */
  readonly isPatchesOnly?: boolean
}

/** They take turns. */
export function creatorOf({ validators, previous }: BlockPlan): Uint8Array {
  const creator = validators[(previous.id.seqno + 1) % validators.length]
  if (creator === undefined) throw new Error('A configuration without validators')
  return creator.publicKey
}

export const NO_WORK: BlockWork = { externals: [], patches: [], injected: [] }

export interface CollationLimits {
  readonly maxTransactions: number
  /** Wall time in milliseconds after which a block takes in nothing more. */
  readonly maxMs: number
  /** Whether the limits of the network do not count either. */
  readonly isUnbounded?: boolean
}

export const DEFAULT_LIMITS: CollationLimits = { maxTransactions: 1000, maxMs: 500 }

/** Blocks start at multiples of this, zero excepted. */
const LT_ALIGN = 1_000_000n

/** The next possible start at or above a logical time. */
export function alignLt(lt: bigint): bigint {
  const beyond = lt % LT_ALIGN
  return beyond === 0n && lt !== 0n ? lt : lt - beyond + LT_ALIGN
}
