// What keys of a plan may do, shared by all processes of a service. A key of a plan that is not one of these four is `custom` to
// older programs, with the rate it was issued with.

export const plans = `
create table api_plans (
  name text primary key check (name ~ '^[a-z0-9][a-z0-9_-]{0,31}$'),
  per_second int4 check (per_second between 1 and 1000000),
  monthly int8 check (monthly between 1 and 9007199254740991),
  connections int4 check (connections between 1 and 1000000),
  stream_connections int4 check (stream_connections between 0 and 1000000),
  stream_addresses int4 check (stream_addresses between 0 and 1000000),
  webhooks int4 not null check (webhooks between 0 and 1000),
  check ((name = 'custom') = (per_second is null))
);
insert into api_plans values
  ('free', 10, null, 50, 5, 200, 5),
  ('plus', 25, null, 100, 20, 1000, 20),
  ('advanced', 100, null, 250, 100, 10000, 100),
  ('custom', null, null, null, null, null, 1000);
alter table api_keys add column own_plan text;
`
