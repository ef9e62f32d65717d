// Options for opening an embedded chain.

import type { TvmRuns } from '../tvm/index.ts'
import type { TransactionTexts } from './archive/index.ts'
import type { AheadLimits, CollationLimits } from './collate/index.ts'
import type { ForkOptions } from './fork/index.ts'
import type { Files } from './log/index.ts'
import type { MempoolLimits } from './mempool/index.ts'
import type { MiningMode } from './mining/mode.ts'
import type { Story } from './story/index.ts'
import type { Warn } from './warn.ts'

export interface DevchainOptions {
  /** Folder of the chain; without one it is in memory. */
  readonly folder?: string
  /** Names the network in blocks and in signatures of wallets; testnet's by default, so that its wallets work. */
  readonly globalId?: number
  readonly mining?: MiningMode
  /** Milliseconds without a message after which an empty block is made, in mode `auto`, while the chain is used. */
  readonly idleBlockMs?: number
  /** What the `player` of a new chain plays; the chain starts that much time ago. */
  readonly story?: Story | null
  /** Older stories that a chain started for one of them continues. */
  readonly stories?: readonly Story[]
  /** Validators of a new chain, 1 to 32; an existing one keeps those it has. */
  readonly validators?: number
  /** 32 bytes from which the validators' keys and the randomness of blocks are derived; for reproducible chains. */
  readonly seed?: Uint8Array
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number
  /** States of this many newest steps stay in memory. */
  readonly keptStates?: number
  /** Number of steps between two snapshots, which bounds the replay at a start. */
  readonly snapshotEvery?: number
  readonly limits?: CollationLimits
  /** Threads that execute messages of blocks under load. */
  readonly ahead?: Partial<AheadLimits>
  readonly mempool?: Partial<MempoolLimits>
  /** The network to fork a chain off, or that it was forked off; absent for a chain of its own. */
  readonly fork?: ForkOptions
  /** Where messages are tried out; by default a thread of the chain's own, from the first of them on. */
  readonly trials?: TvmRuns
  /** How the log is written; for tests of disks that fail. */
  readonly files?: Files
  /** `interval` acknowledges before the disk has it: for bulk work that could be done again. */
  readonly sync?: 'always' | 'interval'
  /** How transactions are written: their texts are kept with them, unless absent. */
  readonly texts?: TransactionTexts
  /** For what an operator has to act on; `log` when absent. */
  readonly alarm?: Warn
  readonly log?: Warn
}

export const TESTNET_GLOBAL_ID = -3
export const DEFAULT_IDLE_BLOCK_MS = 5000
export const DEFAULT_KEPT_STATES = 256
export const DEFAULT_SNAPSHOT_EVERY = 1000
