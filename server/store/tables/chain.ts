// Blocks, transactions and messages.

import { sql } from '../sql.ts'
import {
  account,
  bool,
  bytea,
  type Column,
  extraCurrencies,
  int2,
  int4,
  int8,
  nullable,
  numeric,
  oneOf,
  packedJson,
  parsedJson,
  search,
  shortened,
  uint32,
} from './column.ts'
import { group, type RowOf } from './fields.ts'
import { type RowFrom, table, type WrittenRowFrom } from './table.ts'

const blockKey = {
  workchain: int2,
  /** Signed, as TON writes it. */
  shard: int8,
  seqno: int4,
}

export type BlockKey = RowOf<typeof blockKey>

/** PostgreSQL's arrays of rows cannot be written with the names of their columns; 64 bits are text in JSON. */
const blockKeys = parsedJson<readonly BlockKey[]>(
  (text) => {
    const keys: readonly { workchain: number; shard: string; seqno: number }[] = JSON.parse(text)
    return keys.map(({ workchain, shard, seqno }) => ({ workchain, shard: BigInt(shard), seqno }))
  },
  (keys) => JSON.stringify(keys.map(({ workchain, shard, seqno }) => ({ workchain, shard: String(shard), seqno }))),
)

/** Rows that are deleted with their masterchain block. */
const ofBlock = { undo: { above: 'mcSeqno' } } as const

export const blocks = table(
  'blocks',
  {
    ...blockKey,
    rootHash: bytea,
    fileHash: bytea,
    /** Of the masterchain block that committed it; its own for a masterchain block. */
    mcSeqno: int4,
    globalId: int4,
    version: uint32,
    flags: int4,
    afterMerge: bool,
    beforeSplit: bool,
    afterSplit: bool,
    wantMerge: bool,
    wantSplit: bool,
    keyBlock: bool,
    vertSeqnoIncr: bool,
    vertSeqno: uint32,
    genUtime: uint32,
    startLt: int8,
    endLt: int8,
    /** Signed. */
    validatorListHashShort: int4,
    genCatchainSeqno: uint32,
    /** Signed: -1 when all bits are set. */
    minRefMcSeqno: int4,
    prevKeyBlockSeqno: uint32,
    /** 0 for a masterchain block. */
    masterRefSeqno: uint32,
    randSeed: bytea,
    createdBy: bytea,
    txCount: int4,
    /** One, or two after a merge. */
    prevBlocks: blockKeys,
  },
  ofBlock,
)

export type BlockRow = RowFrom<typeof blocks>

/** The newest blocks of all shards at a masterchain block, itself included. */
export const shardTops = table(
  'shard_tops',
  {
    /** Seqno of that masterchain block. */
    mcSeqno: int4,
    ...blockKey,
  },
  ofBlock,
)

export type ShardTopRow = RowFrom<typeof shardTops>

export const accountStatus = shortened(oneOf('uninit', 'frozen', 'active', 'nonexist'), { active: 'a' })

export const transactions = table(
  'transactions',
  {
    hash: bytea,
    account,
    lt: int8,
    now: uint32,
    mcSeqno: int4,
    /** The block it is in. */
    block: group(blockKey),
    prevHash: bytea,
    prevLt: int8,
    origStatus: accountStatus,
    endStatus: accountStatus,
    totalFees: numeric,
    totalFeesExtra: extraCurrencies,
    /** Finished JSON, as it goes over the wire. */
    description: packedJson,
    inMsgHash: nullable(bytea),
    stateBefore: bytea,
    stateAfter: bytea,
    /** Hash of the first transaction of its trace. */
    traceId: bytea,
    /** Hash of the external message its trace began with. */
    traceExternalHash: nullable(bytea),
    /** Of the message it received, for lists in the order of transactions. */
    inOpcode: search(nullable(int4)),
    inBodyHash: nullable(bytea),
    /** Made by the chain itself in the masterchain: tick-tock, fees to the elector. Lists may leave these out. */
    isSystem: search(bool),
  },
  ofBlock,
)

export type TransactionRow = RowFrom<typeof transactions>
export type WrittenTransaction = WrittenRowFrom<typeof transactions>

/** Bytes of a bag of cells that is not in the row of its message. */
export const LEAST_SHARED_BYTES = 384

/** A bag of cells; a large one is null in its row, and among the shared bags. */
const bag: Column<Uint8Array> = {
  ...bytea,
  isNullable: true,
  encode: (value) => (value.length < LEAST_SHARED_BYTES ? value : null),
}

/** Large bags of messages by the hash of their root cell, each once however many messages have it. */
export const sharedBags = table('shared_bags', { hash: bytea, bag: bytea }, { onConflict: 'keep' })

export type SharedBagRow = RowFrom<typeof sharedBags>

const messageKind = shortened(oneOf('internal', 'externalIn', 'externalOut'), { internal: 'i' })

export const messages = table(
  'messages',
  {
    hash: bytea,
    kind: messageKind,
    /** Of an external message sent in: its normalized hash, where that is not `hash`. */
    hashNorm: nullable(bytea),
    source: nullable(account),
    destination: nullable(account),
    value: nullable(numeric),
    valueExtra: nullable(extraCurrencies),
    fwdFee: nullable(numeric),
    ihrFee: nullable(numeric),
    extraFlags: nullable(numeric),
    importFee: nullable(numeric),
    createdLt: nullable(int8),
    createdAt: nullable(uint32),
    /** First 32 bits of the body, signed. */
    opcode: nullable(int4),
    ihrDisabled: nullable(bool),
    bounce: nullable(bool),
    bounced: nullable(bool),
    bodyHash: bytea,
    /** Bag of cells with CRC32C. */
    body: bag,
    initHash: nullable(bytea),
    init: nullable(bag),
    /** The transaction that sent it, if one did. The transaction that received it has it as `inMsgHash`. */
    outTxHash: nullable(bytea),
    /** Logical time of that transaction. */
    outLt: search(nullable(int8)),
  },
  {
    // The receiver may be indexed first, with the message but without its sender: only the sender is added later.
    onConflict: {
      key: 'hash',
      change: ['outTxHash', 'outLt'],
      where: sql`messages.out_tx_hash is null and excluded.out_tx_hash is not null`,
    },
  },
)

export type MessageRow = RowFrom<typeof messages>
export type WrittenMessage = WrittenRowFrom<typeof messages>
