// First amounts of jettons without a mint: an owner in the dictionary claims its amount with a proof. Masters and amounts name the
// dictionary by its hash, so that several masters may share one.

export const airdrops = `
alter table jetton_masters add column airdrop_root bytea;

create table airdrop_amounts (
  root bytea not null,
  owner bytea not null,
  amount numeric not null,
  start_from int8 not null,
  expire_at int8 not null,
  primary key (root, owner)
);

-- Where the dictionaries lie; retry_at is null for one that was read, or is not to be asked for again.
create table airdrop_dumps (
  jetton bytea primary key,
  uri text not null,
  root bytea not null,
  attempts int4 not null default 0,
  retry_at int8 default 0
);
create index airdrop_dumps_by_time on airdrop_dumps (retry_at, jetton) where retry_at is not null;

-- Wallets that are empty and may still be owed something.
create index jetton_wallets_unclaimed on jetton_wallets (balance, account) where claimed = false;
create index jetton_wallets_unclaimed_by_owner on jetton_wallets (owner, balance, account) where claimed = false;
create index jetton_wallets_unclaimed_by_jetton on jetton_wallets (jetton, balance, account) where claimed = false;
`
