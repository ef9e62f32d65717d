// Marks what the chain does by itself (tick-tock transactions, fees to the elector, actions of only these), and splits indexes of
// whole tables by the mark, so that lists are read with it or without: a second index of each would make writing a quarter
// slower. Only accounts of the masterchain have such transactions, and they get an index without.

const ELECTOR = `'\\x7f${'33'.repeat(32)}'::bytea`
const ZERO_ACCOUNT = `'\\x7f${'00'.repeat(32)}'::bytea`

export const system = `
alter table transactions add column is_system bool not null default false;
update transactions set is_system = true
  where workchain = -1 and in_msg_hash is null and description->>'type' = 'tick_tock';
update transactions set is_system = true from messages
  where transactions.account = ${ELECTOR} and messages.hash = transactions.in_msg_hash
    and messages.source = ${ZERO_ACCOUNT} and messages.kind = 'internal';
drop index transactions_by_lt;
drop index transactions_by_time;
create index transactions_by_lt on transactions (lt, account) where not is_system;
create index transactions_by_time on transactions (now, lt, account) where not is_system;
create index system_transactions_by_lt on transactions (lt, account) where is_system;
create index system_transactions_by_time on transactions (now, lt, account) where is_system;
create index transactions_of_master on transactions (lt, account) where workchain = -1 and not is_system;
create index transactions_of_master_by_time on transactions (now, lt, account)
  where workchain = -1 and not is_system;
create index transactions_of_master_by_account on transactions (account, lt)
  where workchain = -1 and not is_system;
create index transactions_of_master_by_account_time on transactions (account, now, lt)
  where workchain = -1 and not is_system;

alter table actions add column is_system bool not null default false;
alter table action_accounts add column is_system bool not null default false;
update actions set is_system = true
  where trace_id in (select trace_id from transactions where is_system)
    and cardinality(transactions) > 0
    and not exists (
      select from unnest(actions.transactions) as part (hash)
        left join transactions on transactions.hash = part.hash
        where transactions.is_system is not true);
update action_accounts set is_system = true from actions
  where actions.is_system and action_accounts.trace_id = actions.trace_id
    and action_accounts.action_id = actions.action_id;
drop index actions_by_lt;
drop index actions_by_time;
create index actions_by_lt on actions (trace_end_lt, trace_id, end_lt, action_id) where not is_system;
create index actions_by_time on actions (trace_end_utime, trace_id, end_utime, action_id) where not is_system;
create index system_actions_by_lt on actions (trace_end_lt, trace_id, end_lt, action_id) where is_system;
create index system_actions_by_time on actions (trace_end_utime, trace_id, end_utime, action_id) where is_system;
drop index actions_by_type;
drop index actions_by_type_time;
create index actions_by_type on actions (type, is_system, trace_end_lt, trace_id, end_lt, action_id);
create index actions_by_type_time on actions (type, is_system, trace_end_utime, trace_id, end_utime, action_id);

create index action_accounts_of_master on action_accounts (account, trace_end_lt, trace_id, end_lt, action_id)
  where account < '\\x80'::bytea and not is_system;
create index action_accounts_of_master_by_time
  on action_accounts (account, trace_end_utime, trace_id, end_utime, action_id)
  where account < '\\x80'::bytea and not is_system;
`
