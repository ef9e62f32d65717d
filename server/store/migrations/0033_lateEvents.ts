// Requests to an account that becomes a token later are events since the block that made it one: they go when that block is undone.

const TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const

/** Few events are late, so the indexes are small. */
export const lateEvents: readonly string[] = TABLES.map(
  (table) => `alter table ${table} add column if not exists late_mc_seqno int4;
create index if not exists ${table}_by_late on ${table} (late_mc_seqno) where late_mc_seqno is not null;`,
)
