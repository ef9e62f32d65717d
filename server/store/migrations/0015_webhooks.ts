// Webhooks, how far each has been delivered, and its last attempts. No part of the index, so that they outlive one that is
// created again.

export const webhooks = `
create table webhooks (
  id int8 primary key generated always as identity,
  owner text not null,
  endpoint text not null,
  description text not null,
  token text not null,
  secret text not null,
  subscription text not null,
  new_contracts bool not null default false,
  created_at int8 not null,
  revision int8 not null default 1,
  epoch int8 not null default 0,
  cursor text not null,
  trail text not null default '',
  status text not null default 'online',
  reason text not null default '',
  status_at int8 not null,
  last_online_at int8 not null,
  failures int4 not null default 0,
  next_at int8 not null default 0,
  delivered int8 not null default 0,
  failed int8 not null default 0
);
create index webhooks_owner on webhooks (owner, id);

create table webhook_accounts (
  webhook_id int8 not null references webhooks on delete cascade,
  account bytea not null,
  last_lt int8 not null default 0,
  primary key (webhook_id, account)
);

create table webhook_opcodes (
  webhook_id int8 not null references webhooks on delete cascade,
  opcode int8 not null,
  primary key (webhook_id, opcode)
);

create table webhook_deliveries (
  id int8 primary key generated always as identity,
  webhook_id int8 not null references webhooks on delete cascade,
  at int8 not null,
  event text not null,
  mc_seqno int8 not null,
  attempt int4 not null,
  status int4 not null,
  ms int4 not null,
  error text not null
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
`
