// What telling what a trace did depends on beside tokens: pools of exchanges. And the traces of which nothing is told yet,
// since they are older than that was done at all.

export const facts = `
create table dedust_pools (
  account bytea primary key,
  code_hash bytea not null,
  data_hash bytea not null,
  last_tx_lt int8 not null,
  -- Masters of jettons; null is TON.
  asset_1 bytea,
  asset_2 bytea
);

create index traces_to_classify on traces (end_lt, trace_id)
  where state = 'complete' and classification = 'unclassified';
`
