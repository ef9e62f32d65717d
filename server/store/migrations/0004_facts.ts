// Facts that the classification of traces needs next to tokens: pools of exchanges. And an index of traces that are not classified
// yet, because they were indexed before there was a classification.

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
