// Elections, validators, complaints, and nominator pools.

const EVENT = `
  tx_hash bytea not null,
  tx_lt int8 not null,
  utime int8 not null,
  mc_seqno int4 not null`

/** Events are listed by time, each list also after one or two columns. */
const byTime = (table: string, name: string, columns: string, order: string, where = ''): string =>
  `create index ${table}_${name} on ${table} (${columns === '' ? '' : `${columns}, `}${order}) ${where};`

const TX_ORDER = 'utime, tx_lt, tx_hash'
const PLACE_ORDER = `${TX_ORDER}, event_index`

export const staking = `
create table elections (
  election_id int8 primary key,
  first_mc_seqno int4 not null,
  elect_close int8 not null,
  min_stake numeric not null,
  total_stake numeric not null,
  total_participants int4 not null,
  failed bool not null,
  finished bool not null
);
create table election_participants (
  election_id int8 not null,
  public_key bytea not null,
  holder bytea not null,
  adnl bytea not null,
  stake numeric not null,
  max_factor int8 not null,
  primary key (election_id, public_key)
);
create index election_participants_by_holder on election_participants (holder, election_id);
create index election_participants_by_adnl on election_participants (adnl, election_id);
create index election_participants_by_key on election_participants (public_key, election_id);
create table past_elections (
  election_id int8 primary key,
  first_mc_seqno int4 not null,
  validator_set_hash bytea not null,
  total_stake numeric not null
);
create index past_elections_by_set on past_elections (validator_set_hash, election_id);
create table frozen_stakes (
  election_id int8 not null,
  public_key bytea not null,
  holder bytea not null,
  stake numeric not null,
  primary key (election_id, public_key)
);
create index frozen_stakes_by_holder on frozen_stakes (holder, election_id);
create table cycles (
  cycle_start int8 primary key,
  first_mc_seqno int4 not null,
  cycle_end int8 not null,
  validator_set_hash bytea not null,
  total int4 not null,
  main int4 not null,
  total_weight numeric not null,
  elected_for int8 not null,
  start_before int8 not null,
  end_before int8 not null,
  stake_held_for int8 not null,
  max_validators int4 not null,
  max_main_validators int4 not null,
  min_validators int4 not null,
  min_stake_limit numeric not null,
  max_stake_limit numeric not null,
  min_total_stake numeric not null,
  max_stake_factor int8 not null
);
create index cycles_by_set on cycles (validator_set_hash);
create table cycle_validators (
  cycle_start int8 not null,
  index int4 not null,
  public_key bytea not null,
  adnl bytea not null,
  weight numeric not null,
  primary key (cycle_start, index)
);
create index cycle_validators_by_adnl on cycle_validators (adnl, cycle_start);
create index cycle_validators_by_key on cycle_validators (public_key, cycle_start);
create table complaints (
  election_id int8 not null,
  hash bytea not null,
  first_mc_seqno int4 not null,
  public_key bytea not null,
  description bytea not null,
  created_at int8 not null,
  severity int2 not null,
  reward_to bytea not null,
  paid numeric not null,
  suggested_fine numeric not null,
  suggested_fine_part int8 not null,
  voters int4[] not null,
  validator_set_id bytea not null,
  deciding_set bytea not null,
  weight_remaining numeric not null,
  primary key (election_id, hash)
);
create index complaints_by_time on complaints (created_at desc, hash, election_id);
create index complaints_by_key on complaints (public_key, created_at);

create table stake_events (${EVENT},
  type text not null,
  holder bytea not null,
  public_key bytea,
  adnl bytea,
  election_id int8,
  query_id numeric,
  amount numeric not null,
  reason int8,
  primary key (tx_hash)
);
${byTime('stake_events', 'all', '', TX_ORDER)}
${byTime('stake_events', 'by_type', 'type', TX_ORDER)}
${byTime('stake_events', 'by_holder', 'holder', TX_ORDER)}
${byTime('stake_events', 'by_adnl', 'adnl', TX_ORDER, 'where adnl is not null')}
${byTime('stake_events', 'by_key', 'public_key', TX_ORDER, 'where public_key is not null')}
create index stake_events_by_block on stake_events (mc_seqno);

create table nominator_pools (
  account bytea primary key,
  code_hash bytea not null,
  state_hash bytea not null,
  last_tx_lt int8 not null,
  first_mc_seqno int4 not null,
  broken_mc_seqno int4,
  state int2 not null,
  nominators_count int4 not null,
  stake_amount_sent numeric not null,
  validator_amount numeric not null,
  validator bytea not null,
  validator_share int4 not null,
  max_nominators int4 not null,
  min_validator_stake numeric not null,
  min_nominator_stake numeric not null,
  stake_at int8 not null
);
create table pool_nominators (
  pool bytea not null,
  nominator bytea not null,
  balance numeric not null,
  pending numeric not null,
  withdraw_requested bool not null,
  primary key (pool, nominator)
);
create index pool_nominators_by_nominator on pool_nominators (nominator, pool);

create table nominator_events (${EVENT},
  event_index int4 not null,
  pool bytea not null,
  nominator bytea not null,
  type text not null,
  amount numeric not null,
  balance_before numeric not null,
  balance_after numeric not null,
  pending_before numeric not null,
  pending_after numeric not null,
  request_before bool not null,
  request_after bool not null,
  primary key (tx_hash, event_index)
);
${byTime('nominator_events', 'by_pool', 'pool', PLACE_ORDER)}
${byTime('nominator_events', 'by_nominator', 'pool, nominator', PLACE_ORDER)}
${byTime('nominator_events', 'rewards', 'pool, nominator', PLACE_ORDER, `where type = 'reward'`)}
create index nominator_events_by_block on nominator_events (mc_seqno);

create table pool_validator_events (${EVENT},
  pool bytea not null,
  validator bytea not null,
  type text not null,
  balance_before numeric not null,
  balance_after numeric not null,
  query_id numeric,
  cycle_start int8,
  validator_share int4 not null,
  primary key (tx_hash)
);
${byTime('pool_validator_events', 'by_pool', 'pool', TX_ORDER)}
${byTime('pool_validator_events', 'by_pool_type', 'pool, type', TX_ORDER)}
${byTime('pool_validator_events', 'by_validator', 'validator', TX_ORDER)}
${byTime('pool_validator_events', 'by_validator_type', 'validator, type', TX_ORDER)}
create index pool_validator_events_by_block on pool_validator_events (mc_seqno);

create table staking_start (
  only_row bool primary key default true check (only_row),
  mc_seqno int4 not null,
  utime int8 not null
);
`
