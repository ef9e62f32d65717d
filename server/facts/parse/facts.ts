// What is read out of one block: rows as the store keeps them, but for what only the chain of blocks can say, and next to
// them what is needed to find that out.

import type { Cell } from '../../cell/index.ts'
import type { BlockIdExt } from '../../node/index.ts'
import type { AccountKey, AccountStateRow, BlockRow, WrittenMessage, WrittenTransaction } from '../../store/index.ts'

/** What a block does not contain. */
export interface ChainContext {
  /** Seqno of the masterchain block that committed it; its own for a masterchain block. */
  readonly mcSeqno: number
  /**
   * The protocol in force, which decides what a field of messages means: `globalVersion` of the last key block. Without it
   * that of the software which made the block is taken, which changes a little earlier.
   */
  readonly globalVersion?: number
}

/** A transaction without what its trace gives it. */
export interface TransactionFacts extends Omit<WrittenTransaction, 'traceId' | 'traceExternalHash'> {
  /** These are the rows of `messages` themselves. */
  readonly inMessage: WrittenMessage | null
  /** In the order they were sent. */
  readonly outMessages: readonly WrittenMessage[]
}

/** A tree of cells that the block shows only in part: the account must be read from the node. */
export type Incomplete = 'incomplete'

/** An account as a block left it. */
export interface ParsedAccount {
  readonly account: AccountKey
  /** Zeros and 0 for one that never had a transaction. */
  readonly lastTxHash: Uint8Array
  readonly lastTxLt: bigint
  /** Level-0 hash of the account's cell. */
  readonly hash: Uint8Array
  /**
   * Status `nonexist` for one that is gone; that row has the hash all such accounts have, and does not belong among the
   * states found by hash. `incomplete` when the dictionary of extra currencies did not change and so is not shown.
   */
  readonly state: AccountStateRow | Incomplete
  /** Bag of cells without CRC. */
  readonly data: Uint8Array | null | Incomplete
  /** The data as far as it is shown. Missing parts are mostly in the previous data: see `completeData`. */
  readonly shownData: Cell | null
  /** For `codeRow`, where the code is new. */
  readonly code: Cell | null | Incomplete
  /** What it was before the block, where the block shows that; null for one that was not there, too. */
  readonly before: AccountStateRow | null
}

/** The newest block of a shard. */
export type BlockTop = BlockIdExt

/** What only a block of the masterchain says. */
export interface MasterFacts {
  /** Of all shards, the masterchain not among them, by workchain and prefix. */
  readonly shardTops: readonly BlockTop[]
  /** Of the configuration a key block carries, in force from the next block on; null for other blocks. */
  readonly globalVersion: number | null
}

export interface BlockFacts {
  readonly block: BlockRow
  /** By logical time, then account. */
  readonly transactions: readonly TransactionFacts[]
  /**
   * Each hash once, in the order of the transactions. `outTxHash` is set where the producer is in this block: of a message
   * known from another block, keep what is known there.
   */
  readonly messages: readonly WrittenMessage[]
  /**
   * Every account whose state is another one after the block, with or without transactions, by account. Now and then one is
   * among them that is what it was, since only its neighbour in the dictionary came or went.
   */
  readonly accounts: readonly ParsedAccount[]
  /** Null for a block of a shard. */
  readonly master: MasterFacts | null
}
