// Accounts of actions are found by kind as well: a kind that an account hardly has was found by reading all its actions. A kind is what
// filters ask of an action: its type, the types it is a part of, whether it is housekeeping, and whether the account began the trace.
// The table is written anew, in parts, since its rows become a quarter shorter.

/** The table is copied in so many parts. */
const SLICES = 16

/** The name of a kind, and its number: as the program makes them. */
const nameOf = (isStarter: string): string =>
  `array_to_string(a.type || a.ancestor_types, ',') || case when a.is_system then ' system' else '' end ||
    case when ${isStarter} then ' starter' else '' end`

const kindOf = (isStarter: string): string =>
  `('x' || left(encode(sha256(convert_to(${nameOf(isStarter)}, 'UTF8')), 'hex'), 8))::bit(32)::int4`

/** A process of the version before cannot add rows any more, which would be lost; what it reads and deletes is as before. */
const BEGIN = `
create table action_kinds (
  kind int4 not null,
  type text not null,
  ancestor_types text[] not null,
  is_system bool not null,
  is_starter bool not null,
  primary key (type, ancestor_types, is_system, is_starter, kind)
);
create table kinds_of_accounts (
  trace_end_lt int8 not null,
  trace_end_utime int8 not null,
  kind int4 not null,
  account bytea not null,
  trace_start bytea not null,
  action_id bytea not null
);
alter table action_accounts add constraint being_replaced check (false) not valid;
`

const KINDS = `insert into action_kinds
  select ${kindOf('s.is_starter')}, a.type, a.ancestor_types, a.is_system, s.is_starter
  from (select distinct type, ancestor_types, is_system from actions) a
    cross join (values (false), (true)) s (is_starter);`

/**
 * Of the table as large as it was before the first copy. It grows by what a process of the version before writes and takes back, and
 * shrinks when it is vacuumed: slices of what it is at each copy would leave rows out, or have them twice.
 */
const PAGES = `create table if not exists pages_of_actions as
  select pg_relation_size('actions') / current_setting('block_size')::int8 as pages;`

const place = (slice: number): string =>
  `select format('(%s,0)', pages * ${slice} / ${SLICES})::tid from pages_of_actions`

/** Rows are read along the table, whatever their number. */
function copy(slice: number): string {
  const from = `a.ctid >= (${place(slice)})`
  const where = slice === SLICES - 1 ? from : `${from} and a.ctid < (${place(slice + 1)})`
  return `${PAGES}
insert into kinds_of_accounts
    select a.trace_end_lt, a.trace_end_utime, ${kindOf('coalesce(o.account = x.account, false)')}, o.account,
      substring(a.trace_id for 16), a.action_id
    from actions a left join lateral (select t.account from transactions t where t.hash = a.trace_id limit 1) x on true
      cross join lateral unnest(a.accounts) o (account)
    where ${where};`
}

const ACCOUNT = 'short_key(account)'
const ACCOUNT_AND_KIND = 'short_key(account || int4send(kind))'

const INDEXES = [
  ['action_accounts_by_lt', ACCOUNT, 'trace_end_lt'],
  ['action_accounts_by_time', ACCOUNT, 'trace_end_utime'],
  ['action_accounts_by_kind', ACCOUNT_AND_KIND, 'trace_end_lt'],
  ['action_accounts_by_kind_time', ACCOUNT_AND_KIND, 'trace_end_utime'],
] as const

/**
 * Without statistics of the keys of kinds the planner expects one row in 200 for each, and reads the index in its order. With them it
 * expects a few rows of a key that is not known before the statement runs, and would read and sort all of a frequent one. In one
 * transaction, since what is gathered once stays.
 */
function createIndex([name, lead, rest]: (typeof INDEXES)[number]): string {
  const create = `create index ${name}_new on kinds_of_accounts (${lead}, ${rest});`
  return lead === ACCOUNT ? create : `${create}\nalter index ${name}_new alter column 1 set statistics 0;`
}

const END = `
drop table action_accounts;
drop table if exists pages_of_actions;
alter table kinds_of_accounts rename to action_accounts;
${INDEXES.map(([name]) => `alter index ${name}_new rename to ${name};`).join('\n')}
analyze action_accounts;
analyze action_kinds;
`

/** Of the text with slices of what the table was at each copy: a database in which that ran has the same tables. */
export const ACTION_KINDS_CHECKSUM = 'f5e3c6011c1f8bab27cf1c5e274df10cf858834cb1ca13d5c214c190f536a187'

export const actionKinds: readonly string[] = [
  BEGIN,
  KINDS,
  ...Array.from({ length: SLICES }, (_, slice) => copy(slice)),
  ...INDEXES.map(createIndex),
  END,
]
