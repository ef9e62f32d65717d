// Blocks, transactions and messages as their tables take them: names of columns, and what stands in each.

import type { SqlValue } from '../database.ts'
import type { BlockRow, ExtraCurrencies, MessageRow, ShardTopRow, TransactionRow } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Table } from './bulk.ts'

/** A row by the names of its columns. */
export type Columns = Readonly<Record<string, SqlValue>>

export const jsonOf = (extra: ExtraCurrencies): string => JSON.stringify(extra)

/** Written as PostgreSQL's arrays of rows cannot be: with names, in the order they are. */
const previousJson = ({ prevBlocks }: BlockRow): string =>
  JSON.stringify(prevBlocks.map(({ workchain, shard, seqno }) => ({ workchain, shard: String(shard), seqno })))

export const blocksTable: Table<Columns> = {
  name: 'blocks',
  columns: [
    ['workchain', 'int2'],
    ['shard', 'int8'],
    ['seqno', 'int4'],
    ['root_hash', 'bytea'],
    ['file_hash', 'bytea'],
    ['mc_seqno', 'int4'],
    ['global_id', 'int4'],
    ['version', 'int8'],
    ['flags', 'int4'],
    ['after_merge', 'bool'],
    ['before_split', 'bool'],
    ['after_split', 'bool'],
    ['want_merge', 'bool'],
    ['want_split', 'bool'],
    ['key_block', 'bool'],
    ['vert_seqno_incr', 'bool'],
    ['vert_seqno', 'int8'],
    ['gen_utime', 'int8'],
    ['start_lt', 'int8'],
    ['end_lt', 'int8'],
    ['validator_list_hash_short', 'int4'],
    ['gen_catchain_seqno', 'int8'],
    ['min_ref_mc_seqno', 'int4'],
    ['prev_key_block_seqno', 'int8'],
    ['master_ref_seqno', 'int8'],
    ['rand_seed', 'bytea'],
    ['created_by', 'bytea'],
    ['tx_count', 'int4'],
    ['prev_blocks', 'json'],
  ],
}

export const blockColumns = (row: BlockRow): Columns => ({
  workchain: row.workchain,
  shard: row.shard,
  seqno: row.seqno,
  root_hash: row.rootHash,
  file_hash: row.fileHash,
  mc_seqno: row.mcSeqno,
  global_id: row.globalId,
  version: row.version,
  flags: row.flags,
  after_merge: row.afterMerge,
  before_split: row.beforeSplit,
  after_split: row.afterSplit,
  want_merge: row.wantMerge,
  want_split: row.wantSplit,
  key_block: row.keyBlock,
  vert_seqno_incr: row.vertSeqnoIncr,
  vert_seqno: row.vertSeqno,
  gen_utime: row.genUtime,
  start_lt: row.startLt,
  end_lt: row.endLt,
  validator_list_hash_short: row.validatorListHashShort,
  gen_catchain_seqno: row.genCatchainSeqno,
  min_ref_mc_seqno: row.minRefMcSeqno,
  prev_key_block_seqno: row.prevKeyBlockSeqno,
  master_ref_seqno: row.masterRefSeqno,
  rand_seed: row.randSeed,
  created_by: row.createdBy,
  tx_count: row.txCount,
  prev_blocks: previousJson(row),
})

export const shardTopsTable: Table<Columns> = {
  name: 'shard_tops',
  columns: [
    ['mc_seqno', 'int4'],
    ['workchain', 'int2'],
    ['shard', 'int8'],
    ['seqno', 'int4'],
  ],
}

export const shardTopColumns = ({ mcSeqno, workchain, shard, seqno }: ShardTopRow): Columns => ({
  mc_seqno: mcSeqno,
  workchain,
  shard,
  seqno,
})

export const transactionsTable: Table<Columns> = {
  name: 'transactions',
  columns: [
    ['hash', 'bytea'],
    ['account', 'bytea'],
    ['lt', 'int8'],
    ['now', 'int8'],
    ['mc_seqno', 'int4'],
    ['workchain', 'int2'],
    ['shard', 'int8'],
    ['seqno', 'int4'],
    ['prev_hash', 'bytea'],
    ['prev_lt', 'int8'],
    ['orig_status', 'text'],
    ['end_status', 'text'],
    ['total_fees', 'numeric'],
    ['total_fees_extra', 'json'],
    ['description', 'json'],
    ['in_msg_hash', 'bytea'],
    ['state_before', 'bytea'],
    ['state_after', 'bytea'],
    ['trace_id', 'bytea'],
    ['trace_external_hash', 'bytea'],
  ],
}

export const transactionColumns = (row: TransactionRow): Columns => ({
  hash: row.hash,
  account: row.account,
  lt: row.lt,
  now: row.now,
  mc_seqno: row.mcSeqno,
  workchain: row.block.workchain,
  shard: row.block.shard,
  seqno: row.block.seqno,
  prev_hash: row.prevHash,
  prev_lt: row.prevLt,
  orig_status: row.origStatus,
  end_status: row.endStatus,
  total_fees: row.totalFees,
  total_fees_extra: jsonOf(row.totalFeesExtra),
  description: row.description,
  in_msg_hash: row.inMsgHash,
  state_before: row.stateBefore,
  state_after: row.stateAfter,
  trace_id: row.traceId,
  trace_external_hash: row.traceExternalHash,
})

export const messagesTable: Table<Columns> = {
  name: 'messages',
  columns: [
    ['hash', 'bytea'],
    ['kind', 'text'],
    ['hash_norm', 'bytea'],
    ['source', 'bytea'],
    ['destination', 'bytea'],
    ['value', 'numeric'],
    ['value_extra', 'json'],
    ['fwd_fee', 'numeric'],
    ['ihr_fee', 'numeric'],
    ['extra_flags', 'numeric'],
    ['import_fee', 'numeric'],
    ['created_lt', 'int8'],
    ['created_at', 'int8'],
    ['opcode', 'int4'],
    ['ihr_disabled', 'bool'],
    ['bounce', 'bool'],
    ['bounced', 'bool'],
    ['body_hash', 'bytea'],
    ['body', 'bytea'],
    ['init_hash', 'bytea'],
    ['init', 'bytea'],
    ['out_tx_hash', 'bytea'],
  ],
  // Whoever consumed it may have been indexed first; the producer is then only added.
  onConflict: sql`on conflict (hash) do update set out_tx_hash = excluded.out_tx_hash
    where messages.out_tx_hash is null and excluded.out_tx_hash is not null`,
}

export const messageColumns = (row: MessageRow): Columns => ({
  hash: row.hash,
  kind: row.kind,
  hash_norm: row.hashNorm,
  source: row.source,
  destination: row.destination,
  value: row.value,
  value_extra: row.valueExtra === null ? null : jsonOf(row.valueExtra),
  fwd_fee: row.fwdFee,
  ihr_fee: row.ihrFee,
  extra_flags: row.extraFlags,
  import_fee: row.importFee,
  created_lt: row.createdLt,
  created_at: row.createdAt,
  opcode: row.opcode,
  ihr_disabled: row.ihrDisabled,
  bounce: row.bounce,
  bounced: row.bounced,
  body_hash: row.bodyHash,
  body: row.body,
  init_hash: row.initHash,
  init: row.init,
  out_tx_hash: row.outTxHash,
})
