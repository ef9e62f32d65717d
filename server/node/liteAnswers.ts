// Answers of lite servers as they go over the wire. An absent part is an array of length 0, as on the wire.

import type { AccountId, BlockIdExt, ZeroStateId } from './blockId.ts'

/** A bag of cells. */
type Boc = Uint8Array

export interface AccountStateVerb<Options> {
  (id: BlockIdExt, account: AccountId, options?: Options): Promise<AccountStateAnswer>
  /** Of a server in this process: the same answer without waiting, or null. */
  readonly atOnce?: (id: BlockIdExt, account: AccountId) => AccountStateAnswer | null
}

export interface MasterchainInfo {
  readonly last: BlockIdExt
  readonly lastUtime: number
  readonly stateRootHash: Uint8Array
  readonly init: ZeroStateId
  /** Version and capabilities of the server itself. */
  readonly version: number
  readonly capabilities: bigint
  /** The server's clock, unix seconds. */
  readonly now: number
}

export interface BlockHeaderAnswer {
  readonly id: BlockIdExt
  readonly mode: number
  /** Proof of the block with BlockInfo and what the mode adds. */
  readonly headerProof: Boc
}

export interface BlockStateAnswer {
  readonly id: BlockIdExt
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  readonly data: Boc
}

export interface LookupAnswer {
  readonly id: BlockIdExt
  readonly mode: number
  /** The masterchain block that registered the one found. */
  readonly masterchainId: BlockIdExt
  /** Empty when that is the block the client knows. */
  readonly clientMasterStateProof: Boc
  readonly masterBlockProof: Boc
  readonly shardLinks: readonly ShardBlockLink[]
  readonly header: Boc
  /** The header before it; proves that no earlier block fits. Empty for a look-up by seqno. */
  readonly previousHeader: Boc
}

export interface AccountStateAnswer {
  readonly id: BlockIdExt
  readonly shardBlock: BlockIdExt
  /** Two roots: masterchain block and state. Empty when `id` is of the account's own shard. */
  readonly shardProof: Boc
  /** Two roots: shard block and state. */
  readonly proof: Boc
  /** The Account cell, or a proof of it when it is pruned; empty when there is no account. */
  readonly state: Boc
}

/** Parts not selected by the mode are empty. */
export interface RunMethodAnswer {
  readonly mode: number
  readonly id: BlockIdExt
  readonly shardBlock: BlockIdExt
  readonly shardProof: Boc
  readonly proof: Boc
  /** Proof of the Account with what the run may have read. */
  readonly stateProof: Boc
  readonly initC7: Boc
  readonly libExtras: Boc
  /** -256 when there is no active account. */
  readonly exitCode: number
  /** VmStack. */
  readonly result: Boc
}

export interface ShardInfoAnswer {
  readonly id: BlockIdExt
  readonly shardBlock: BlockIdExt
  readonly shardProof: Boc
  readonly shardDescription: Boc
}

export interface AllShardsAnswer {
  readonly id: BlockIdExt
  readonly proof: Boc
  /** ShardHashes: a bit and a reference. */
  readonly data: Boc
}

export interface TransactionAnswer {
  readonly id: BlockIdExt
  readonly proof: Boc
  /** Empty when the account has no transaction with this lt in this block. */
  readonly transaction: Boc
}

export interface TransactionsAnswer {
  /** The block of each transaction. */
  readonly ids: readonly BlockIdExt[]
  /** One root per transaction. */
  readonly transactions: Boc
}

export interface TransactionMetadata {
  readonly depth: number
  readonly initiator: AccountId
  readonly initiatorLt: bigint
}

export interface LiteTransactionId {
  readonly mode: number
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly metadata: TransactionMetadata | null
}

interface TransactionList {
  readonly id: BlockIdExt
  readonly requestedCount: number
  /** Whether the block has more in this direction. */
  readonly incomplete: boolean
  readonly proof: Boc
}

export interface BlockTransactionsAnswer extends TransactionList {
  readonly ids: readonly LiteTransactionId[]
}

export interface BlockTransactionsExtAnswer extends TransactionList {
  /** One root per transaction; empty without any. */
  readonly transactions: Boc
}

export interface ConfigAnswer {
  readonly mode: number
  readonly id: BlockIdExt
  readonly stateProof: Boc
  readonly configProof: Boc
}

export interface BlockSignature {
  readonly nodeIdShort: Uint8Array
  /** 64 bytes. */
  readonly signature: Uint8Array
}

interface SignatureSetHead {
  /** 32 bits, unsigned. */
  readonly validatorSetHash: number
  readonly catchainSeqno: number
  readonly signatures: readonly BlockSignature[]
}

export interface OrdinarySignatureSet extends SignatureSetHead {
  readonly kind: 'ordinary'
}

/** Signatures of the newer consensus, which do not sign the block's name itself. */
export interface SimplexSignatureSet extends SignatureSetHead {
  readonly kind: 'simplex'
  readonly sessionId: Uint8Array
  readonly slot: number
  readonly candidate: Uint8Array
}

export type SignatureSet = OrdinarySignatureSet | SimplexSignatureSet

interface LinkHead {
  /** Whether `to` is a key block. */
  readonly toKeyBlock: boolean
  readonly from: BlockIdExt
  readonly to: BlockIdExt
  /** Header of `to`; empty for a zerostate. */
  readonly destProof: Boc
}

/** To an older block, which the state of the newer one names. */
export interface BackLink extends LinkHead {
  readonly kind: 'back'
  readonly proof: Boc
  readonly stateProof: Boc
}

/** To a newer block, signed by the validators that `from` names. */
export interface ForwardLink extends LinkHead {
  readonly kind: 'forward'
  readonly configProof: Boc
  readonly signatures: SignatureSet
}

export type BlockLink = BackLink | ForwardLink

export interface BlockProofAnswer {
  readonly complete: boolean
  readonly from: BlockIdExt
  readonly to: BlockIdExt
  readonly steps: readonly BlockLink[]
}

export interface ShardBlockLink {
  readonly id: BlockIdExt
  readonly proof: Boc
}

export interface ShardBlockProofAnswer {
  readonly masterchainId: BlockIdExt
  readonly links: readonly ShardBlockLink[]
}

export interface ValidatorStatsAnswer {
  readonly mode: number
  readonly id: BlockIdExt
  readonly count: number
  readonly complete: boolean
  readonly stateProof: Boc
  readonly dataProof: Boc
}

export interface LibraryEntry {
  readonly hash: Uint8Array
  readonly data: Boc
}

export interface LibrariesAnswer {
  readonly id: BlockIdExt
  readonly mode: number
  readonly result: readonly LibraryEntry[]
  readonly stateProof: Boc
  readonly dataProof: Boc
}

export interface QueueSize {
  readonly id: BlockIdExt
  readonly size: number
}

export interface QueueSizesAnswer {
  readonly shards: readonly QueueSize[]
  /** How many external messages the server holds at most. */
  readonly externalLimit: number
}

/** Messages of one account in its shard's dispatch queue. */
export interface DispatchQueueOfAccount {
  readonly account: Uint8Array
  readonly size: number
  readonly minLt: bigint
  readonly maxLt: bigint
}

export interface DispatchQueuesAnswer {
  readonly mode: number
  readonly id: BlockIdExt
  readonly queues: readonly DispatchQueueOfAccount[]
  readonly complete: boolean
  readonly proof: Boc
}

export interface DispatchQueueMessage {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly metadata: TransactionMetadata | null
}

export interface DispatchMessagesAnswer {
  readonly mode: number
  readonly id: BlockIdExt
  readonly messages: readonly DispatchQueueMessage[]
  readonly complete: boolean
  readonly proof: Boc
  /** One root per message, empty unless they were requested. */
  readonly bodies: Boc
}

export interface QueueSizeAnswer extends QueueSize {
  readonly mode: number
  readonly proof: Boc
}
