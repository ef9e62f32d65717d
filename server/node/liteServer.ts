// The functions of TON's lite servers as verbs. Answers are what goes over the wire: bags of cells and proofs, neither
// parsed nor verified; `verify/` turns them into checked values.

import type { Cell } from '../cell/index.ts'
import type { AccountId, BlockIdExt, ShardId } from './blockId.ts'
import type {
  AccountStateVerb,
  AllShardsAnswer,
  BlockHeaderAnswer,
  BlockProofAnswer,
  BlockStateAnswer,
  BlockTransactionsAnswer,
  BlockTransactionsExtAnswer,
  ConfigAnswer,
  DispatchMessagesAnswer,
  DispatchQueuesAnswer,
  LibrariesAnswer,
  LibraryEntry,
  LookupAnswer,
  MasterchainInfo,
  QueueSizeAnswer,
  QueueSizesAnswer,
  RunMethodAnswer,
  ShardBlockProofAnswer,
  ShardInfoAnswer,
  TransactionAnswer,
  TransactionsAnswer,
  ValidatorStatsAnswer,
} from './liteAnswers.ts'

/** The share of reads that keep the index up to date. Where calls are few, callers get more of them. */
export const INDEX_SHARE = 'index'

export interface LiteOptions {
  /** Answer only once this masterchain block is known; LiteError `timeout` when it does not come. */
  readonly waitSeqno?: number | undefined
  /** For waiting and answering together; servers never wait longer than 10 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The caller, or `INDEX_SHARE`, for what is shared fairly: the TVM, messages that are sent again, calls of few. */
  readonly share?: string | undefined
  /** Called by a server over the network when the answer is here, and is only to be read by us, in turn with others. */
  readonly arrived?: (() => void) | undefined
}

/** Which server a group of calls needs. */
export interface AttemptOptions extends LiteOptions {
  /** The block the calls are about. */
  readonly about?: BlockIdExt | undefined
  /** The logical time of what is read, where no block is known. */
  readonly lt?: bigint | undefined
  /** Only servers that know the newest head. */
  readonly newest?: boolean | undefined
  /** What is read is proven to exist: whatever a server refuses, another one is queried. */
  readonly exists?: boolean | undefined
  /** More servers are tried: the block exists, but all may have removed what is read of it. Or each is called about its own head. */
  readonly isWide?: boolean | undefined
  /** The masterchain block that is looked for, or that registered the block of a shard. */
  readonly mcSeqno?: number | undefined
}

/** One block of a shard, by exactly one of these. */
export type BlockQuery = ShardId &
  (
    | { readonly seqno: number }
    /** The first block that ends at or after this logical time. */
    | { readonly lt: bigint }
    /** The first block made at or after this unix time. */
    | { readonly utime: number }
  )

/** A get-method to run. */
export interface MethodQuery {
  readonly account: AccountId
  readonly methodId: number
  /** A bag of cells with a VmStack, or empty. */
  readonly params: Uint8Array
  /** `runParts`. */
  readonly mode: number
}

/** Where to begin a walk through an account's transactions, newest first. */
export interface HistoryQuery {
  readonly account: AccountId
  readonly lt: bigint
  readonly hash: Uint8Array
  /** At most 16 are returned at once. */
  readonly count: number
}

/** One transaction of a block. */
export interface TransactionQuery {
  readonly account: AccountId
  readonly lt: bigint
}

/** A shard as a masterchain block registers it. */
export interface ShardQuery extends ShardId {
  /** Only this very shard; otherwise the one that contains it. */
  readonly exact: boolean
}

/** Which transactions of a block to list. */
export interface ListQuery {
  /** At most 256 are listed at once. */
  readonly count: number
  /** Continue after this one, in the direction of the list. */
  readonly after?: { readonly account: Uint8Array; readonly lt: bigint }
  readonly reverse?: boolean
  readonly wantProof?: boolean
  /** Trace depth and initiator, where the chain records them. */
  readonly wantMetadata?: boolean
}

/** Which rows of the validators' statistics to show. */
export interface ValidatorStatsQuery {
  readonly limit: number
  readonly startAfter?: Uint8Array
  /** Include `startAfter` itself. */
  readonly inclusive?: boolean
  /** Sets a bit of the mode, and nothing else: servers list all validators, whenever they made a block. */
  readonly modifiedAfter?: number
}

/** Which accounts' dispatch queues to show. */
export interface DispatchQueuesQuery {
  /** At most 64 are shown at once. */
  readonly count: number
  /** Only accounts after this one. */
  readonly after?: Uint8Array
  readonly wantProof?: boolean
}

/** Which messages of dispatch queues to show. */
export interface DispatchMessagesQuery {
  /** At most 64 are shown at once, 16 with bodies. */
  readonly count: number
  /** Start after this logical time of this account. */
  readonly account: Uint8Array
  readonly afterLt: bigint
  readonly onlyThisAccount?: boolean
  readonly wantProof?: boolean
  readonly wantBodies?: boolean
}

/** Parts of a header beyond BlockInfo, as bits of a mode. */
export const headerParts = {
  stateUpdate: 1,
  valueFlow: 2,
  extra: 16,
  shardHashes: 32,
  previousSignatures: 64,
} as const

/** Parts of a state beyond the requested parameters, as bits of a mode. */
export const configParts = {
  stateRoot: 1,
  libraries: 2,
  stateExtra: 4,
  shardHashes: 8,
  validatorSet: 16,
  specialContracts: 32,
  accountsRoot: 64,
  previousBlocks: 128,
  workchains: 256,
  capabilities: 512,
  /** From the last key block instead of the state. */
  fromKeyBlock: 0x8000,
} as const

/** Options of a chain of proofs, as bits of a mode; the bit for a target is set by the target itself. */
export const chainParts = {
  /** To the newest block, whether its shards are known or not. */
  newest: 2,
  /** Over key blocks up to the newer of both ends only: then the last step to a newer target has its signatures. */
  nearReference: 0x1000,
} as const

/** Parts of the answer to a get-method, as bits of a mode. */
export const runParts = { proof: 1, stateProof: 2, result: 4, initC7: 8, libExtras: 16, fullC7: 32 } as const

/**
 * A source of chain data: the embedded chain or the lite servers of a network. Every verb rejects with LiteError; no query
 * and no remote server can make it reject with anything else.
 */
export interface LiteServer {
  readonly kind: 'devchain' | 'remote'
  /** Of one server among several. */
  readonly name?: string
  /** Of one server among several: what this work called last. */
  readonly lastVerb?: string | null

  masterchainInfo(options?: LiteOptions): Promise<MasterchainInfo>
  /** Resolves once the masterchain has reached this seqno. LiteError `timeout` after 10 s or the given time. */
  waitMasterchainSeqno(seqno: number, options?: Omit<LiteOptions, 'waitSeqno'>): Promise<void>

  /** `mode`: `headerParts`. */
  lookup(query: BlockQuery, mode?: number, options?: LiteOptions): Promise<BlockHeaderAnswer>
  /** `lookup` with proofs from a known masterchain block to the answer. */
  lookupWithProof(query: BlockQuery, known: BlockIdExt, options?: LiteOptions): Promise<LookupAnswer>
  /** `mode`: `headerParts`. */
  header(id: BlockIdExt, mode?: number, options?: LiteOptions): Promise<BlockHeaderAnswer>
  /** The bag of cells whose SHA-256 is the file hash. */
  block(id: BlockIdExt, options?: LiteOptions): Promise<Uint8Array>
  /** The same as cells, where the node is in this process. */
  readonly blockRoot?: (id: BlockIdExt, options?: LiteOptions) => Promise<Cell>
  state(id: BlockIdExt, options?: LiteOptions): Promise<BlockStateAnswer>

  /** `id` is a masterchain block, or a block of the account's own shard. */
  readonly accountState: AccountStateVerb<LiteOptions>
  /** `accountState` with the account pruned of code, data and libraries. */
  readonly accountStatePruned: AccountStateVerb<LiteOptions>
  runMethod(id: BlockIdExt, query: MethodQuery, options?: LiteOptions): Promise<RunMethodAnswer>

  transactions(query: HistoryQuery, options?: LiteOptions): Promise<TransactionsAnswer>
  /** `id` is the block the transaction is in. */
  oneTransaction(id: BlockIdExt, query: TransactionQuery, options?: LiteOptions): Promise<TransactionAnswer>
  listTransactions(id: BlockIdExt, query: ListQuery, options?: LiteOptions): Promise<BlockTransactionsAnswer>
  listTransactionsExt(id: BlockIdExt, query: ListQuery, options?: LiteOptions): Promise<BlockTransactionsExtAnswer>

  /** `id` is a masterchain block; `mode`: `configParts`. */
  config(id: BlockIdExt, params: readonly number[] | 'all', mode?: number, options?: LiteOptions): Promise<ConfigAnswer>
  validatorStats(id: BlockIdExt, query: ValidatorStatsQuery, options?: LiteOptions): Promise<ValidatorStatsAnswer>
  /** Up to 16 public libraries of the newest state; unknown ones are left out. */
  libraries(hashes: readonly Uint8Array[], options?: LiteOptions): Promise<readonly LibraryEntry[]>
  /** Libraries in the state of a masterchain block; mode 1 proves publishers too, 2 leaves out the library cells. */
  librariesWithProof(
    id: BlockIdExt,
    hashes: readonly Uint8Array[],
    mode?: number,
    options?: LiteOptions,
  ): Promise<LibrariesAnswer>

  shards(id: BlockIdExt, options?: LiteOptions): Promise<AllShardsAnswer>
  shardInfo(id: BlockIdExt, query: ShardQuery, options?: LiteOptions): Promise<ShardInfoAnswer>
  /** Proofs of 16 steps at most; without a target to the newest. `mode`: `chainParts`, by default `nearReference`. */
  blockProof(
    known: BlockIdExt,
    target: BlockIdExt | null,
    mode?: number,
    options?: LiteOptions,
  ): Promise<BlockProofAnswer>
  /** Links from the masterchain block that registered it down to a shard block. */
  shardBlockProof(id: BlockIdExt, options?: LiteOptions): Promise<ShardBlockProofAnswer>

  queueSizes(shard?: ShardId, options?: LiteOptions): Promise<QueueSizesAnswer>
  blockQueueSize(id: BlockIdExt, wantProof?: boolean, options?: LiteOptions): Promise<QueueSizeAnswer>
  /** Messages in dispatch queues, by account. */
  dispatchQueues(id: BlockIdExt, query: DispatchQueuesQuery, options?: LiteOptions): Promise<DispatchQueuesAnswer>
  dispatchMessages(id: BlockIdExt, query: DispatchMessagesQuery, options?: LiteOptions): Promise<DispatchMessagesAnswer>

  /** Hands an external message over. LiteError with the exit code in its text when the contract refuses it. */
  send(message: Uint8Array, options?: LiteOptions): Promise<void>

  /**
   * Only for a pool of servers: runs calls that belong together on one server, and again on another when that one refuses,
   * is late, or sends something `work` rejects with ProofError. `work` must have no side effects.
   */
  readonly attempt?: <T>(work: (server: LiteServer) => Promise<T>, options?: AttemptOptions) => Promise<T>

  /** Only for a pool of servers: what the best of them said last, if it was a moment ago. Takes no call. */
  readonly heard?: () => MasterchainInfo | null

  /** Only for a pool of servers: calls back when none can be called any more, until the returned function is called. */
  readonly onAway?: (listener: () => void) => () => void

  /** Only for a pool of servers: runs `work` on each that was not dropped. One that is away has failed. */
  readonly each?: (work: (server: LiteServer) => Promise<unknown>) => Promise<readonly ServerOutcome[]>

  /** Calls back with each new masterchain block, until the returned function is called. */
  onHead(listener: (id: BlockIdExt) => void): () => void
}

/** How one server of several did. */
export interface ServerOutcome {
  readonly name: string
  /** Null when it did what it was called for. */
  readonly error: unknown
}

export const outcomeOf = (name: string, work: Promise<unknown>): Promise<ServerOutcome> =>
  work.then(
    () => ({ name, error: null }),
    (error: unknown) => ({ name, error }),
  )

/** Runs `work` on each server. Never rejects. */
export const eachOf = async (
  server: LiteServer,
  work: (server: LiteServer) => Promise<unknown>,
): Promise<readonly ServerOutcome[]> =>
  server.each === undefined ? [await outcomeOf('the lite server', work(server))] : await server.each(work)

/** Runs calls that belong together, on one server of several where there are several. */
export const attemptOn = <T>(
  server: LiteServer,
  work: (server: LiteServer) => Promise<T>,
  options?: AttemptOptions,
): Promise<T> => (server.attempt === undefined ? work(server) : server.attempt(work, options))
