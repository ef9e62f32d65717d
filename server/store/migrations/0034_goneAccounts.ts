// Last transaction of deleted accounts, kept when `--keep` removes it. If such an account is created again and that is reverted, its
// row is restored from here: the first transaction of an account that did not exist has no previous one.

export const goneAccounts = `
create table if not exists gone_accounts (
  account bytea primary key,
  hash bytea not null,
  last_tx_hash bytea not null,
  last_tx_lt int8 not null,
  mc_seqno int4 not null
);
`
