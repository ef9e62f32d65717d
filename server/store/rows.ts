// What is kept of the chain, row by row, in the values the rest of the program counts with: 64-bit numbers and amounts
// as bigint, hashes and bags of cells as bytes, `null` for what a row does not have. An account is 33 bytes: its
// workchain plus 128, then its 32 address bytes, so that the order of the bytes is the order of accounts.

export type AccountKey = Uint8Array

export interface BlockKey {
  readonly workchain: number
  /** Signed, as TON writes it. */
  readonly shard: bigint
  readonly seqno: number
}

export interface BlockRow extends BlockKey {
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
  /** Seqno of the masterchain block that committed it; its own for a masterchain block. */
  readonly mcSeqno: number
  readonly globalId: number
  readonly version: number
  readonly flags: number
  readonly afterMerge: boolean
  readonly beforeSplit: boolean
  readonly afterSplit: boolean
  readonly wantMerge: boolean
  readonly wantSplit: boolean
  readonly keyBlock: boolean
  readonly vertSeqnoIncr: boolean
  readonly vertSeqno: number
  readonly genUtime: number
  readonly startLt: bigint
  readonly endLt: bigint
  /** Signed. */
  readonly validatorListHashShort: number
  readonly genCatchainSeqno: number
  /** Signed: -1 when all bits are set. */
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  /** 0 for a masterchain block. */
  readonly masterRefSeqno: number
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  readonly txCount: number
  /** One, or two after a merge. */
  readonly prevBlocks: readonly BlockKey[]
}

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

/** Amounts of extra currencies by id. */
export type ExtraCurrencies = Readonly<Record<string, string>>

export interface TransactionRow {
  readonly hash: Uint8Array
  readonly account: AccountKey
  readonly lt: bigint
  readonly now: number
  readonly mcSeqno: number
  /** The block it is in. */
  readonly block: BlockKey
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
  readonly origStatus: AccountStatus
  readonly endStatus: AccountStatus
  readonly totalFees: bigint
  readonly totalFeesExtra: ExtraCurrencies
  /** Finished JSON, as it goes over the wire. */
  readonly description: string
  readonly inMsgHash: Uint8Array | null
  readonly stateBefore: Uint8Array
  readonly stateAfter: Uint8Array
  /** Hash of the first transaction of its trace. */
  readonly traceId: Uint8Array
  /** Hash of the external message its trace began with. */
  readonly traceExternalHash: Uint8Array | null
}

/** A transaction as it is written: with what the message says that it took in, for the indexes of its order. */
export interface TakingTransaction extends TransactionRow {
  /** The chain's own housekeeping, which lists may leave out: of the masterchain alone. */
  readonly isSystem: boolean
  readonly inOpcode: number | null
  readonly inBodyHash: Uint8Array | null
}

export type MessageKind = 'internal' | 'externalIn' | 'externalOut'

export interface MessageRow {
  readonly hash: Uint8Array
  readonly kind: MessageKind
  /** Of an external message sent in: its normalized hash, where that is another one than `hash`. */
  readonly hashNorm: Uint8Array | null
  readonly source: AccountKey | null
  readonly destination: AccountKey | null
  readonly value: bigint | null
  readonly valueExtra: ExtraCurrencies | null
  readonly fwdFee: bigint | null
  readonly ihrFee: bigint | null
  readonly extraFlags: bigint | null
  readonly importFee: bigint | null
  readonly createdLt: bigint | null
  readonly createdAt: number | null
  /** First 32 bits of the body, signed. */
  readonly opcode: number | null
  readonly ihrDisabled: boolean | null
  readonly bounce: boolean | null
  readonly bounced: boolean | null
  readonly bodyHash: Uint8Array
  /** Bag of cells with CRC32C. */
  readonly body: Uint8Array
  readonly initHash: Uint8Array | null
  readonly init: Uint8Array | null
  /** The transaction that produced it, where one did. The one that consumed it has it as `inMsgHash`. */
  readonly outTxHash: Uint8Array | null
}

/** A message as it is written: with the logical time of the transaction that sent it, where that is known. */
export interface SentMessage extends MessageRow {
  readonly outLt: bigint | null
}

/** What an account was after a block, found by the hash of its cell. */
export interface AccountStateRow {
  readonly hash: Uint8Array
  readonly balance: bigint
  readonly extra: ExtraCurrencies
  readonly status: AccountStatus
  readonly frozenHash: Uint8Array | null
  readonly dataHash: Uint8Array | null
  readonly codeHash: Uint8Array | null
}

/** What an account is now. */
export interface AccountRow extends AccountStateRow {
  readonly account: AccountKey
  readonly lastTxHash: Uint8Array
  readonly lastTxLt: bigint
  /** Bag of cells without CRC. */
  readonly data: Uint8Array | null
  /** The masterchain block after which it was so. */
  readonly mcSeqno: number
}

export interface CodeRow {
  readonly hash: Uint8Array
  /** Bag of cells without CRC. */
  readonly boc: Uint8Array
  /** Ids of its get-methods, ascending; null when it has no table of methods. */
  readonly methods: readonly number[] | null
  readonly interfaces: readonly string[]
}

export type TraceState = 'pending' | 'complete' | 'broken'
export type ClassificationState = 'unclassified' | 'ok' | 'failed' | 'broken'

export interface TraceRow {
  /** Hash of its first transaction. */
  readonly traceId: Uint8Array
  /** Hash of the message it began with; null when it began with none. */
  readonly externalHash: Uint8Array | null
  readonly mcSeqnoStart: number
  readonly mcSeqnoEnd: number
  readonly startLt: bigint
  readonly startUtime: number
  readonly endLt: bigint
  readonly endUtime: number
  readonly state: TraceState
  /** Messages sent and not yet consumed. */
  readonly pendingEdges: number
  /** Messages that arrived, the first one included, and those that leave the chain. */
  readonly edges: number
  readonly nodes: number
  readonly classification: ClassificationState
}

/** One of the newest blocks of all shards at a masterchain block. */
export interface ShardTopRow extends BlockKey {
  /** Of that masterchain block. */
  readonly mcSeqno: number
}

/** A message of an unfinished trace that nobody has consumed yet. */
export interface PendingEdgeRow {
  readonly msgHash: Uint8Array
  readonly traceId: Uint8Array
}

/** An account that takes part in a complete trace. */
export interface TraceAccountRow {
  readonly account: AccountKey
  readonly traceId: Uint8Array
  readonly endLt: bigint
  readonly endUtime: number
}

/** How far the index is. */
/** Which chain the index is of. */
export interface IdentityRow {
  readonly network: string
  /** Of the first state of the masterchain. */
  readonly genesisRootHash: Uint8Array
  readonly genesisFileHash: Uint8Array
  readonly globalId: number
}

export interface CursorRow {
  readonly network: string
  /** The first masterchain block that is indexed, and the last. */
  readonly firstMcSeqno: number
  readonly lastMcSeqno: number
}
