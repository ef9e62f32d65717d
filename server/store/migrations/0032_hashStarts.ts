// Transactions and actions are found by the first bytes of the hash of their trace: in an index of the order of these, all rows of one
// trace share a key, where a hash index has each on its own. The indexes are a third as large.

const TABLES = ['transactions', 'actions'] as const

/** The tables are analyzed: without that the planner has no statistics of an expression. */
export const hashStarts: readonly string[] = TABLES.map(
  (table) => `create index ${table}_by_trace_start on ${table} (substring(trace_id for 7));
drop index ${table}_by_trace;
alter index ${table}_by_trace_start rename to ${table}_by_trace;
analyze ${table};`,
)
