// The chain as everything above sees it: verbs whose answers need no further check. Two adapters implement it. The
// embedded chain reads its own cells; a remote chain is a `LiteServer`, the verifier, and a trusted head that it keeps.
// One suite runs every verb on both, and on lite servers that lie.

import type { Cell } from '../cell/index.ts'
import type { ShardTop } from '../tlb/index.ts'
import type { AccountId, BlockIdExt } from './blockId.ts'
import type { BackLink, SignatureSet } from './liteAnswers.ts'
import type { BlockQuery, HistoryQuery, ListQuery } from './liteServer.ts'
import type {
  ProvenBlock,
  ProvenPreviousBlocks,
  VerifiedAccount,
  VerifiedConfig,
  VerifiedLibraries,
  VerifiedList,
  VerifiedTransaction,
  WholeBlock,
} from './verify/index.ts'

export interface ReadOptions {
  /** Maximum time for the answer. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The caller, or `INDEX_SHARE`, for what is shared fairly: messages that are sent again, calls of few. */
  readonly share?: string | undefined
  /** What is read is proven to exist: a server that refuses it speaks for itself alone. */
  readonly exists?: boolean | undefined
  /** The masterchain block that registered the block of a shard that is read: servers drop both together. */
  readonly mcSeqno?: number | undefined
}

export interface HeadOptions extends ReadOptions {
  /** Waits for a newer block that is being proven: for what a recent block does not show yet. */
  readonly isNewest?: boolean | undefined
}

/** What differs between chains, for callers that have to know. */
export interface ChainTraits {
  /** Whether blocks may be undone: true only for a chain whose owner can revert it. */
  readonly canRewind: boolean
  /** First masterchain block that is always readable; null where servers prune old blocks. */
  readonly firstSeqno: number | null
  /** How long a message may stay pending before it is dropped. */
  readonly messageLifetimeMs: number
  /** Whether strangers deploy contracts: some kinds are detected by their code there, and by their get-methods elsewhere. */
  readonly isPublic: boolean
}

/** The newest masterchain block. */
export interface ChainHead {
  readonly id: BlockIdExt
  readonly utime: number
  /** Hash of the masterchain state after it. */
  readonly stateHash: Uint8Array
  /** The state the chain began with, as block 0 of the masterchain. */
  readonly zerostate: BlockIdExt
  /** Unix seconds of the chain's source, for clients that compare clocks. */
  readonly now: number
}

export type HeadReport =
  /** `isOther`: the block that was reported before this one was undone. So it was when this one is not above it. */
  | { readonly kind: 'head'; readonly id: BlockIdExt; readonly isOther?: boolean }
  /** No server delivers a new head; the next `head` report ends this state. */
  | { readonly kind: 'lost'; readonly reason: string }

export interface ListedName {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
}

export interface QueueSizes {
  /** The masterchain's queue first, then those of its shards. */
  readonly sizes: readonly { readonly id: BlockIdExt; readonly size: number }[]
  /** Most external messages the source queues: a setting, not part of the chain. */
  readonly externalLimit: number
}

/** Proofs that v2 passes on to callers who check them on their own. */
export interface ChainProofs {
  /** Steps back from a masterchain block to one that is not newer. */
  stepsBack(from: BlockIdExt, to: BlockIdExt, options?: ReadOptions): Promise<readonly BackLink[]>
  /** What validators signed a masterchain block with. */
  signatures(id: BlockIdExt, options?: ReadOptions): Promise<SignatureSet>
  /** From the masterchain block that registers it down to a shard block. */
  shardBlock(id: BlockIdExt, options?: ReadOptions): Promise<ShardBlockPath>
}

export interface ShardBlockPath {
  readonly masterchainId: BlockIdExt
  readonly links: readonly { readonly id: BlockIdExt; readonly proof: Uint8Array }[]
}

/**
 * A chain. Every verb rejects with LiteError (refused, pruned, timed out) or ProofError (the source answered with
 * something that is not true). No query and no server can make it reject with anything else.
 */
export interface Chain {
  readonly traits: ChainTraits
  readonly proofs: ChainProofs

  /** The newest block; over lite servers a recent one while a newer one is being proven. */
  head(options?: HeadOptions): Promise<ChainHead>
  /** The header of the block a query means. */
  find(query: BlockQuery, options?: ReadOptions): Promise<ProvenBlock>
  /** The name of the block a query means: the same block, and often without a call of a server. */
  idOf(query: BlockQuery, options?: ReadOptions): Promise<BlockIdExt>
  /** The header of a block named by both hashes; the caller vouches that the block is part of the chain. */
  header(id: BlockIdExt, options?: ReadOptions): Promise<ProvenBlock>
  /** A whole block. */
  block(id: BlockIdExt, options?: ReadOptions): Promise<WholeBlock>
  /** The whole state after a block; a remote chain is sure to have zerostates only. */
  state(id: BlockIdExt, options?: ReadOptions): Promise<Cell>

  /** An account after a masterchain block, or after a block of its own shard. */
  account(id: BlockIdExt, account: AccountId, options?: ReadOptions): Promise<VerifiedAccount>
  transactions(query: HistoryQuery, options?: ReadOptions): Promise<readonly VerifiedTransaction[]>
  /** Names of a block's transactions, at most 256 at once. */
  listTransactions(id: BlockIdExt, query: ListQuery, options?: ReadOptions): Promise<VerifiedList<ListedName>>
  /** The same with the transactions themselves. */
  blockTransactions(id: BlockIdExt, query: ListQuery, options?: ReadOptions): Promise<VerifiedList<VerifiedTransaction>>

  /** Parameters of the configuration after a masterchain block. */
  config(id: BlockIdExt, wanted: readonly number[] | 'all', options?: ReadOptions): Promise<VerifiedConfig>
  /** Blocks before a masterchain block that get-methods can see, and the hash of the configuration after it. */
  previousBlocks(id: BlockIdExt, options?: ReadOptions): Promise<ProvenPreviousBlocks>
  /** Public libraries by hash, at most 16 at once; missing ones are left out. */
  libraries(hashes: readonly Uint8Array[], options?: ReadOptions): Promise<VerifiedLibraries>
  /** The shards a masterchain block registers. */
  shards(id: BlockIdExt, options?: ReadOptions): Promise<readonly ShardTop[]>
  queueSizes(id: BlockIdExt, options?: ReadOptions): Promise<QueueSizes>

  /** Hands an external message over. LiteError `failed` with the exit code in its text when it is refused. */
  send(message: Uint8Array, options?: ReadOptions): Promise<void>
  /** Whether a message still waits for a block, by its normalised hash. Absent where another process has the list of them. */
  readonly waits?: (hashNorm: Uint8Array) => boolean
  /** The earliest time of the next block in Unix seconds, after the clock was moved; 0 when it was not. Absent where it cannot be. */
  readonly movedTo?: () => number
  /** Reports each new masterchain block, and when none can be had, until the returned function is called. */
  onHead(listener: (report: HeadReport) => void): () => void
}
