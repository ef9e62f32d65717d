// An index that keeps a span of time: rows of older masterchain blocks are removed, the newest state of everything stays.

/** Every row of them is replaced in the span that is kept: a fifth, the usual part of dead rows, would be much of the disk. */
const REPLACED = [
  'transactions',
  'messages',
  'account_states',
  'traces',
  'trace_accounts',
  'actions',
  'action_accounts',
  'transaction_texts',
  'jetton_transfers',
]

export const kept: readonly string[] = [
  'alter table indexer_cursor add column pruned_before int4;',
  // With unfinished traces, so that those that end before a block are found by it.
  'drop index traces_by_master;\ncreate index traces_by_master on traces (mc_seqno_end);',
  REPLACED.map((table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.03);`).join('\n'),
]
