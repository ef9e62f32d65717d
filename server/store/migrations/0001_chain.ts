// The chain itself: blocks, transactions, messages, accounts, traces. Columns are named as the fields of rows. Each filter of a
// list has an index with the order of that list.

export const chain = `
create table blocks (
  workchain int2 not null,
  shard int8 not null,
  seqno int4 not null,
  root_hash bytea not null,
  file_hash bytea not null,
  mc_seqno int4 not null,
  global_id int4 not null,
  version int8 not null,
  flags int4 not null,
  after_merge bool not null,
  before_split bool not null,
  after_split bool not null,
  want_merge bool not null,
  want_split bool not null,
  key_block bool not null,
  vert_seqno_incr bool not null,
  vert_seqno int8 not null,
  gen_utime int8 not null,
  start_lt int8 not null,
  end_lt int8 not null,
  validator_list_hash_short int4 not null,
  gen_catchain_seqno int8 not null,
  min_ref_mc_seqno int4 not null,
  prev_key_block_seqno int8 not null,
  master_ref_seqno int8 not null,
  rand_seed bytea not null,
  created_by bytea not null,
  tx_count int4 not null,
  prev_blocks json not null,
  primary key (workchain, shard, seqno)
);
create index blocks_by_time on blocks (gen_utime, mc_seqno, workchain, shard, seqno);
create index blocks_by_master on blocks (mc_seqno, workchain, shard, seqno);
create index blocks_by_shard on blocks (workchain, shard, gen_utime, mc_seqno, seqno);
create index blocks_by_seqno on blocks (seqno);
create index blocks_by_lt on blocks (start_lt);
create index blocks_by_root_hash on blocks (root_hash);
create index blocks_by_file_hash on blocks (file_hash);

-- Which blocks were the newest of their shards at a masterchain block, itself included.
create table shard_tops (
  mc_seqno int4 not null,
  workchain int2 not null,
  shard int8 not null,
  seqno int4 not null,
  primary key (mc_seqno, workchain, shard)
);

create table transactions (
  hash bytea primary key,
  account bytea not null,
  lt int8 not null,
  now int8 not null,
  mc_seqno int4 not null,
  workchain int2 not null,
  shard int8 not null,
  seqno int4 not null,
  prev_hash bytea not null,
  prev_lt int8 not null,
  orig_status text not null,
  end_status text not null,
  total_fees numeric not null,
  total_fees_extra json not null,
  description json not null,
  in_msg_hash bytea,
  state_before bytea not null,
  state_after bytea not null,
  trace_id bytea not null,
  trace_external_hash bytea
);
create unique index transactions_by_account on transactions (account, lt);
create index transactions_by_account_time on transactions (account, now, lt);
create index transactions_by_lt on transactions (lt, account);
create index transactions_by_time on transactions (now, lt, account);
create index transactions_by_master on transactions (mc_seqno, lt, account);
create index transactions_by_shard on transactions (workchain, shard, lt, account);
create index transactions_by_seqno on transactions (seqno, lt, account);
create index transactions_by_in_msg on transactions (in_msg_hash) where in_msg_hash is not null;
create index transactions_by_trace on transactions (trace_id, lt, account);

create table messages (
  hash bytea primary key,
  kind text not null,
  hash_norm bytea,
  source bytea,
  destination bytea,
  value numeric,
  value_extra json,
  fwd_fee numeric,
  ihr_fee numeric,
  extra_flags numeric,
  import_fee numeric,
  created_lt int8,
  created_at int8,
  opcode int4,
  ihr_disabled bool,
  bounce bool,
  bounced bool,
  body_hash bytea not null,
  body bytea not null,
  init_hash bytea,
  init bytea,
  out_tx_hash bytea
);
create index messages_by_norm on messages (hash_norm) where hash_norm is not null;
create index messages_by_producer on messages (out_tx_hash, created_lt) where out_tx_hash is not null;
create index messages_by_lt on messages (created_lt, hash);
create index messages_by_time on messages (created_at, hash);
create index messages_by_source on messages (source, created_lt, hash);
create index messages_by_source_time on messages (source, created_at, hash);
create index messages_by_destination on messages (destination, created_lt, hash);
create index messages_by_destination_time on messages (destination, created_at, hash);
create index messages_by_opcode on messages (opcode, created_lt, hash);
create index messages_by_opcode_time on messages (opcode, created_at, hash);
create index messages_by_body on messages (body_hash, created_lt, hash);

create table account_states (
  hash bytea primary key,
  balance numeric not null,
  extra json not null,
  status text not null,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea
);

create table accounts (
  account bytea primary key,
  hash bytea not null,
  balance numeric not null,
  extra json not null,
  status text not null,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  last_tx_hash bytea not null,
  last_tx_lt int8 not null,
  data bytea,
  mc_seqno int4 not null
);
create index accounts_by_balance on accounts (balance desc, account);
create index accounts_by_code on accounts (code_hash, account);

create table codes (
  hash bytea primary key,
  boc bytea not null,
  methods int4[],
  interfaces text[] not null
);

create table traces (
  trace_id bytea primary key,
  external_hash bytea,
  mc_seqno_start int4 not null,
  mc_seqno_end int4 not null,
  start_lt int8 not null,
  start_utime int8 not null,
  end_lt int8 not null,
  end_utime int8 not null,
  state text not null,
  pending_edges int4 not null,
  edges int4 not null,
  nodes int4 not null,
  classification text not null
);
create index traces_by_lt on traces (end_lt, trace_id) where state = 'complete';
create index traces_by_time on traces (end_utime, trace_id) where state = 'complete';
create index traces_by_master on traces (mc_seqno_end, end_lt, trace_id) where state = 'complete';
create index traces_by_external on traces (external_hash) where external_hash is not null;

-- Whose complete traces there are.
create table trace_accounts (
  account bytea not null,
  trace_id bytea not null,
  end_lt int8 not null,
  end_utime int8 not null,
  primary key (account, trace_id)
);
create index trace_accounts_by_lt on trace_accounts (account, end_lt, trace_id);
create index trace_accounts_by_time on trace_accounts (account, end_utime, trace_id);

-- Messages of unfinished traces that nobody has consumed yet.
create table pending_edges (
  msg_hash bytea primary key,
  trace_id bytea not null
);
create index pending_edges_by_trace on pending_edges (trace_id);

-- How far the index is: one row, written with the last block's rows.
create table indexer_cursor (
  only_row bool primary key default true check (only_row),
  network text not null,
  first_mc_seqno int4 not null,
  last_mc_seqno int4 not null
);
`
