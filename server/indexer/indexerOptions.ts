// What the indexer is started with.

import type { IndexFrom } from '../../shared/indexFrom.ts'
import type { Chain } from '../node/index.ts'
import type { Log } from '../observe/index.ts'
import type { ActionWrites, Database, MasterBlockRows } from '../store/index.ts'
import type { TvmRuns } from '../tvm/index.ts'

export interface IndexerOptions {
  readonly chain: Chain
  readonly database: Database
  /** Runs get-methods; without it no tokens are detected. */
  readonly pool?: Pick<TvmRuns, 'runGetMethod'>
  /** Network this index belongs to; a database indexed for another one is refused. */
  readonly network: string
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** False for a process that only reads what another one writes. */
  readonly writes?: boolean
  /** The first masterchain block of an empty index: by default the newest one, or the first one of an embedded chain. */
  readonly indexFrom?: IndexFrom | null
  /** How much of the chain's time the index keeps; all by default. */
  readonly keepSeconds?: number | null
  /** Forget what is indexed from this masterchain block on, once, before anything is written. */
  readonly reindexFrom?: number | null
  /** Poll interval for blocks that the node did not report. */
  readonly pollMs?: number
  /** How often a process that does not write looks how far the index is. */
  readonly watchMs?: number
  /** How long the node may take for one answer. */
  readonly timeoutMs?: number
  /** How long reads wait for the database to be open and for its chain to be checked. */
  readonly openingMs?: number
  /** Transactions one SQL transaction writes at most, but always at least one masterchain block. */
  readonly batchTransactions?: number
  /** Called with rows once they are readable, before all other listeners. */
  readonly onWritten?: (rows: MasterBlockRows, actions: ActionWrites) => void
  /** The same before they are written, which waits for it. */
  readonly onPrepared?: (rows: MasterBlockRows, actions: ActionWrites) => Promise<void> | void
  /** Pause after the first of several failures; each further one is twice as long. */
  readonly firstPauseMs?: number
  /** Longest pause after a failure. */
  readonly longestPauseMs?: number
}
