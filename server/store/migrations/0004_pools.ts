// Pools of exchanges, as far as telling what a trace did depends on them.

export const pools = `
create table dedust_pools (
  account bytea primary key,
  code_hash bytea not null,
  data_hash bytea not null,
  last_tx_lt int8 not null,
  -- Masters of jettons; null is TON.
  asset_1 bytea,
  asset_2 bytea
);
`
