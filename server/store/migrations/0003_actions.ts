// Actions of traces. Lists are ordered by the end of the trace, and within a trace by the end of the action, by logical time or by
// seconds; each index begins with the column of a filter and continues in that order.

export const actions = `
create table actions (
  trace_id bytea not null,
  action_id bytea not null,
  type text not null,
  success bool not null,
  start_lt int8 not null,
  end_lt int8 not null,
  start_utime int8 not null,
  end_utime int8 not null,
  trace_end_lt int8 not null,
  trace_end_utime int8 not null,
  trace_mc_seqno_end int4 not null,
  trace_external_hash bytea,
  trace_external_hash_norm bytea,
  transactions bytea[] not null,
  accounts bytea[] not null,
  details json not null,
  parent_action_id bytea,
  ancestor_types text[] not null,
  parent_gasless_action bytea,
  -- One that was never sent and is tried again has the same id in another trace.
  primary key (trace_id, action_id)
);
create index actions_by_id on actions (action_id);
create index actions_by_lt on actions (trace_end_lt, trace_id, end_lt, action_id);
create index actions_by_time on actions (trace_end_utime, trace_id, end_utime, action_id);
create index actions_by_type on actions (type, trace_end_lt, trace_id, end_lt, action_id);
create index actions_by_type_time on actions (type, trace_end_utime, trace_id, end_utime, action_id);

create table action_accounts (
  account bytea not null,
  trace_id bytea not null,
  action_id bytea not null,
  end_lt int8 not null,
  end_utime int8 not null,
  trace_end_lt int8 not null,
  trace_end_utime int8 not null,
  primary key (account, trace_end_lt, trace_id, end_lt, action_id)
);
create index action_accounts_by_time on action_accounts (account, trace_end_utime, trace_id, end_utime, action_id);
`
