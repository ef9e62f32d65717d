// Blocks, transactions and messages as their tables take them: what stands in each column.

import type { BlockRow, ExtraCurrencies, SentMessage, ShardTopRow, TakingTransaction } from '../rows.ts'
import { sql } from '../sql.ts'
import type { Table } from './bulk.ts'

export const jsonOf = (extra: ExtraCurrencies): string => JSON.stringify(extra)

/** Written as PostgreSQL's arrays of rows cannot be: with names, in the order they are. */
const previousJson = ({ prevBlocks }: BlockRow): string =>
  JSON.stringify(prevBlocks.map(({ workchain, shard, seqno }) => ({ workchain, shard: String(shard), seqno })))

export const blocksTable: Table<BlockRow> = {
  name: 'blocks',
  columns: [
    ['workchain', 'int2', (row) => row.workchain],
    ['shard', 'int8', (row) => row.shard],
    ['seqno', 'int4', (row) => row.seqno],
    ['root_hash', 'bytea', (row) => row.rootHash],
    ['file_hash', 'bytea', (row) => row.fileHash],
    ['mc_seqno', 'int4', (row) => row.mcSeqno],
    ['global_id', 'int4', (row) => row.globalId],
    ['version', 'int8', (row) => row.version],
    ['flags', 'int4', (row) => row.flags],
    ['after_merge', 'bool', (row) => row.afterMerge],
    ['before_split', 'bool', (row) => row.beforeSplit],
    ['after_split', 'bool', (row) => row.afterSplit],
    ['want_merge', 'bool', (row) => row.wantMerge],
    ['want_split', 'bool', (row) => row.wantSplit],
    ['key_block', 'bool', (row) => row.keyBlock],
    ['vert_seqno_incr', 'bool', (row) => row.vertSeqnoIncr],
    ['vert_seqno', 'int8', (row) => row.vertSeqno],
    ['gen_utime', 'int8', (row) => row.genUtime],
    ['start_lt', 'int8', (row) => row.startLt],
    ['end_lt', 'int8', (row) => row.endLt],
    ['validator_list_hash_short', 'int4', (row) => row.validatorListHashShort],
    ['gen_catchain_seqno', 'int8', (row) => row.genCatchainSeqno],
    ['min_ref_mc_seqno', 'int4', (row) => row.minRefMcSeqno],
    ['prev_key_block_seqno', 'int8', (row) => row.prevKeyBlockSeqno],
    ['master_ref_seqno', 'int8', (row) => row.masterRefSeqno],
    ['rand_seed', 'bytea', (row) => row.randSeed],
    ['created_by', 'bytea', (row) => row.createdBy],
    ['tx_count', 'int4', (row) => row.txCount],
    ['prev_blocks', 'json', (row) => previousJson(row)],
  ],
}

export const shardTopsTable: Table<ShardTopRow> = {
  name: 'shard_tops',
  columns: [
    ['mc_seqno', 'int4', (row) => row.mcSeqno],
    ['workchain', 'int2', (row) => row.workchain],
    ['shard', 'int8', (row) => row.shard],
    ['seqno', 'int4', (row) => row.seqno],
  ],
}

export const transactionsTable: Table<TakingTransaction> = {
  name: 'transactions',
  columns: [
    ['hash', 'bytea', (row) => row.hash],
    ['account', 'bytea', (row) => row.account],
    ['lt', 'int8', (row) => row.lt],
    ['now', 'int8', (row) => row.now],
    ['mc_seqno', 'int4', (row) => row.mcSeqno],
    ['workchain', 'int2', (row) => row.block.workchain],
    ['shard', 'int8', (row) => row.block.shard],
    ['seqno', 'int4', (row) => row.block.seqno],
    ['prev_hash', 'bytea', (row) => row.prevHash],
    ['prev_lt', 'int8', (row) => row.prevLt],
    ['orig_status', 'text', (row) => row.origStatus],
    ['end_status', 'text', (row) => row.endStatus],
    ['total_fees', 'numeric', (row) => row.totalFees],
    ['total_fees_extra', 'json', (row) => jsonOf(row.totalFeesExtra)],
    ['description', 'json', (row) => row.description],
    ['in_msg_hash', 'bytea', (row) => row.inMsgHash],
    ['state_before', 'bytea', (row) => row.stateBefore],
    ['state_after', 'bytea', (row) => row.stateAfter],
    ['trace_id', 'bytea', (row) => row.traceId],
    ['trace_external_hash', 'bytea', (row) => row.traceExternalHash],
    ['in_opcode', 'int4', (row) => row.inOpcode],
    ['in_body_hash', 'bytea', (row) => row.inBodyHash],
    ['is_system', 'bool', (row) => row.isSystem],
  ],
}

export const messagesTable: Table<SentMessage> = {
  name: 'messages',
  columns: [
    ['hash', 'bytea', (row) => row.hash],
    ['kind', 'text', (row) => row.kind],
    ['hash_norm', 'bytea', (row) => row.hashNorm],
    ['source', 'bytea', (row) => row.source],
    ['destination', 'bytea', (row) => row.destination],
    ['value', 'numeric', (row) => row.value],
    ['value_extra', 'json', (row) => (row.valueExtra === null ? null : jsonOf(row.valueExtra))],
    ['fwd_fee', 'numeric', (row) => row.fwdFee],
    ['ihr_fee', 'numeric', (row) => row.ihrFee],
    ['extra_flags', 'numeric', (row) => row.extraFlags],
    ['import_fee', 'numeric', (row) => row.importFee],
    ['created_lt', 'int8', (row) => row.createdLt],
    ['created_at', 'int8', (row) => row.createdAt],
    ['opcode', 'int4', (row) => row.opcode],
    ['ihr_disabled', 'bool', (row) => row.ihrDisabled],
    ['bounce', 'bool', (row) => row.bounce],
    ['bounced', 'bool', (row) => row.bounced],
    ['body_hash', 'bytea', (row) => row.bodyHash],
    ['body', 'bytea', (row) => row.body],
    ['init_hash', 'bytea', (row) => row.initHash],
    ['init', 'bytea', (row) => row.init],
    ['out_tx_hash', 'bytea', (row) => row.outTxHash],
    ['out_lt', 'int8', (row) => row.outLt],
  ],
  // Whoever consumed it may have been indexed first; the producer is then only added.
  onConflict: sql`on conflict (hash) do update set out_tx_hash = excluded.out_tx_hash, out_lt = excluded.out_lt
    where messages.out_tx_hash is null and excluded.out_tx_hash is not null`,
}
