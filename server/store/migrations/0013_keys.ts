// API keys, and what is called with them: shared by all processes of a service. No part of the index, so that it outlives one
// that is created again.

export const keys = `
create table api_keys (
  hash text primary key,
  id text not null,
  hint text not null,
  network text not null,
  plan text not null,
  per_second int4,
  monthly int8,
  label text not null,
  created_at int8 not null,
  expires_at int8,
  revoked_at int8,
  last_used_at int8,
  version int8 not null
);
create index api_keys_id on api_keys (id);
create index api_keys_version on api_keys (version);

create table api_key_version (
  only_row bool primary key default true check (only_row),
  version int8 not null
);
insert into api_key_version values (true, 0);

create table api_usage (
  day date not null,
  key_id text not null,
  method text not null,
  calls int8 not null,
  weight int8 not null,
  errors int8 not null,
  limited int8 not null,
  bytes int8 not null,
  primary key (day, key_id, method)
);
create index api_usage_key on api_usage (key_id, day);

create table api_key_months (
  month text not null,
  key_id text not null,
  weight int8 not null,
  primary key (month, key_id)
);

create table api_usage_writers (
  writer text primary key,
  batch int8 not null,
  written_at timestamptz not null
);
`
