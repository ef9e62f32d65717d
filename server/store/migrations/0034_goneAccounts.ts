// The last transaction of accounts that do not exist, where it is removed: an account that came to be again does not exist either
// when that is undone, and its new transactions name none before them.

export const goneAccounts = `
create table if not exists gone_accounts (
  account bytea primary key,
  hash bytea not null,
  last_tx_hash bytea not null,
  last_tx_lt int8 not null,
  mc_seqno int4 not null
);
`
